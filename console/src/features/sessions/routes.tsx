import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { accountRoute } from '../../shell/account-route'
import { rootRoute } from '../../shell/root-route'

export const sessionsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./sessions-page'), 'SessionsPage'),
})

export const leavingRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/logout',
    validateSearch: ({ resume }: Record<string, unknown>): { resume?: string | undefined } =>
      resume === undefined ? {} : { resume: String(resume) },
    component: lazyRouteComponent(() => import('./logout-page'), 'LogoutPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/logged-out',
    validateSearch: ({ error }: Record<string, unknown>): { error?: string | undefined } =>
      error === undefined ? {} : { error: String(error) },
    component: lazyRouteComponent(() => import('./logged-out-page'), 'LoggedOutPage'),
  }),
] as const
