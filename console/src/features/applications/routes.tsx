import { createRoute } from '@tanstack/react-router'
import { signedInRoute } from '../../shell/signed-in-route'
import { teamRoute } from '../../shell/team-route'
import { lazyPage } from '../../ui/page/lazy-page'
import { listSearch } from '../../ui/table/view'

const applicationsRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/applications',
  validateSearch: listSearch,
  component: lazyPage(() => import('./list/applications-page'), 'ApplicationsPage'),
})

const newApplicationRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/applications/new',
  component: lazyPage(() => import('./list/new-application-page'), 'NewApplicationPage'),
})

const applicationRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/applications/$id',
  component: lazyPage(() => import('./application-layout'), 'ApplicationLayout'),
  notFoundComponent: lazyPage(() => import('../pages/no-such-tab'), 'NoSuchTab'),
})

const pageRoutes = [
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/',
    component: lazyPage(() => import('./overview/overview-page'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/settings',
    component: lazyPage(() => import('./settings/settings-page'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/access',
    validateSearch: listSearch,
    component: lazyPage(() => import('./access/access-page'), 'AccessPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/tokens',
    validateSearch: listSearch,
    component: lazyPage(() => import('./tokens/tokens-page'), 'TokensPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/saml',
    component: lazyPage(() => import('./saml/saml-page'), 'SamlPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/try',
    component: lazyPage(() => import('./try-it/try-page'), 'TryPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/activity',
    component: lazyPage(() => import('./overview/activity-page'), 'ActivityPage'),
  }),
  // Sections of the settings now: the layout redirects.
  createRoute({ getParentRoute: () => applicationRoute, path: '/credentials' }),
  createRoute({ getParentRoute: () => applicationRoute, path: '/danger' }),
] as const

export const applicationRoutes = [
  applicationsRoute,
  newApplicationRoute,
  applicationRoute.addChildren(pageRoutes),
] as const

export const tryCallbackRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/try/callback',
  component: lazyPage(() => import('./try-it/callback-page'), 'TryCallbackPage'),
})
