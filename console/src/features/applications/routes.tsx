import { createRoute } from '@tanstack/react-router'
import { signedInRoute } from '../../shell/signed-in-route'
import { teamRoute } from '../../shell/team-route'
import { lazyPage } from '../../ui/lazy-page'

const applicationsRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/applications',
  validateSearch: ({ q }: Record<string, unknown>): { q?: string | undefined } =>
    q === undefined ? {} : { q: String(q) },
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

const tabRoutes = [
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/',
    component: lazyPage(() => import('./overview/start-page'), 'StartPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/settings',
    component: lazyPage(() => import('./settings/settings-page'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/credentials',
    component: lazyPage(() => import('./settings/credentials-page'), 'CredentialsPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/access',
    component: lazyPage(() => import('./access/access-page'), 'AccessPage'),
  }),
  createRoute({
    getParentRoute: () => applicationRoute,
    path: '/tokens',
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
    path: '/danger',
    component: lazyPage(() => import('./settings/danger-page'), 'DangerPage'),
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
  component: lazyPage(() => import('./try-it/callback-page'), 'TryCallbackPage'),
})
