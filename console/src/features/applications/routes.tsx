import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../shell/signed-in-route'
import { teamRoute } from '../../shell/team-route'

const applicationsRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/applications',
  validateSearch: ({ q }: Record<string, unknown>): { q?: string | undefined } =>
    q === undefined ? {} : { q: String(q) },
  component: lazyRouteComponent(() => import('./applications-page'), 'ApplicationsPage'),
})

const newApplicationRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/applications/new',
  component: lazyRouteComponent(() => import('./new-application-page'), 'NewApplicationPage'),
})

const applicationRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/applications/$id',
  component: lazyRouteComponent(() => import('./application-layout'), 'ApplicationLayout'),
  notFoundComponent: lazyRouteComponent(() => import('../pages/no-such-tab'), 'NoSuchTab'),
})

const tabRoutes = [
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./start-page'), 'StartPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('./settings-page'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/credentials',
    component: lazyRouteComponent(() => import('./credentials-page'), 'CredentialsPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/access',
    component: lazyRouteComponent(() => import('./access-page'), 'AccessPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/tokens',
    component: lazyRouteComponent(() => import('../oidc-config/tokens-page'), 'TokensPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/saml',
    component: lazyRouteComponent(() => import('../saml-provider/saml-page'), 'SamlPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/try',
    component: lazyRouteComponent(() => import('./try-it/try-page'), 'TryPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/danger',
    component: lazyRouteComponent(() => import('./danger-page'), 'DangerPage'),
  }),
] as const

export const applicationRoutes = [
  applicationsRoute,
  newApplicationRoute,
  applicationRoute.addChildren(tabRoutes),
] as const

export const tryCallbackRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/try/callback',
  component: lazyRouteComponent(() => import('./try-it/callback-page'), 'TryCallbackPage'),
})
