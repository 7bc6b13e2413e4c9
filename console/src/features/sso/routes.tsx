import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/root-route'
import { teamRoute } from '../../shell/team-route'

export const ssoCallbackRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/sso/callback',
  component: lazyRouteComponent(() => import('./callback-page'), 'SsoCallbackPage'),
})

const providersRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/sso',
  component: lazyRouteComponent(() => import('./providers-page'), 'ProvidersPage'),
})

const newProviderRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/sso/new',
  component: lazyRouteComponent(() => import('./new-provider-page'), 'NewProviderPage'),
})

const providerRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/sso/$id',
  component: lazyRouteComponent(() => import('./provider-layout'), 'ProviderLayout'),
  notFoundComponent: lazyRouteComponent(() => import('../pages/no-such-tab'), 'NoSuchTab'),
})

const tabRoutes = [
  createRoute({
    getParentRoute: () => providerRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./overview-page'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => providerRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('./settings-page'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => providerRoute,
    path: '/attributes',
    component: lazyRouteComponent(() => import('./attributes-page'), 'AttributesPage'),
  }),
  createRoute({
    getParentRoute: () => providerRoute,
    path: '/sign-ins',
    component: lazyRouteComponent(() => import('./sign-ins-page'), 'SignInsPage'),
  }),
  createRoute({
    getParentRoute: () => providerRoute,
    path: '/sign-ins/$run',
    component: lazyRouteComponent(() => import('./sign-in-page'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => providerRoute,
    path: '/tests/$run',
    component: lazyRouteComponent(() => import('./test-page'), 'TestPage'),
  }),
  createRoute({
    getParentRoute: () => providerRoute,
    path: '/danger',
    component: lazyRouteComponent(() => import('./danger-page'), 'DangerPage'),
  }),
] as const

export const ssoRoutes = [providersRoute, newProviderRoute, providerRoute.addChildren(tabRoutes)] as const
