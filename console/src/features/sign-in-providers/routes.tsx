import { createRoute } from '@tanstack/react-router'
import { teamRoute } from '../../shell/team-route'
import { lazyPage } from '../../ui/page/lazy-page'
import { setupSearch } from './setup/setup-search'

const providersRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/sso',
  component: lazyPage(() => import('./providers-page'), 'ProvidersPage'),
})

const newProviderRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/sso/new',
  component: lazyPage(() => import('./setup/new-provider-page'), 'NewProviderPage'),
})

const providerRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/sso/$id',
  component: lazyPage(() => import('./provider-layout'), 'ProviderLayout'),
  notFoundComponent: lazyPage(() => import('../pages/no-such-tab'), 'NoSuchTab'),
})

const tabRoutes = [
  createRoute({
    getParentRoute: () => providerRoute,
    path: '/',
    validateSearch: setupSearch,
    component: lazyPage(() => import('./overview-page'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => providerRoute,
    path: '/settings',
    component: lazyPage(() => import('./settings/settings-page'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => providerRoute,
    path: '/attributes',
    component: lazyPage(() => import('./settings/attributes-page'), 'AttributesPage'),
  }),
  createRoute({
    getParentRoute: () => providerRoute,
    path: '/sign-ins',
    component: lazyPage(() => import('./sign-ins/sign-ins-page'), 'SignInsPage'),
  }),
  createRoute({
    getParentRoute: () => providerRoute,
    path: '/sign-ins/$run',
    component: lazyPage(() => import('./sign-ins/sign-in-page'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => providerRoute,
    path: '/tests/$run',
    component: lazyPage(() => import('./sign-ins/test-page'), 'TestPage'),
  }),
] as const

export const signInProviderRoutes = [providersRoute, newProviderRoute, providerRoute.addChildren(tabRoutes)] as const
