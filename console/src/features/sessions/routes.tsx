import { createRoute } from '@tanstack/react-router'
import { accountRoute } from '../../shell/account-route'
import { rootRoute } from '../../shell/root-route'
import { lazyPage } from '../../ui/lazy-page'

export const sessionsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/sessions',
  component: lazyPage(() => import('./sessions-page'), 'SessionsPage'),
})

interface LoggedOutSearch {
  /** what somebody who was told of the sign-out made of it */
  error?: string | undefined
  requestId?: string | undefined
}

export const leavingRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/logout',
    validateSearch: ({ resume }: Record<string, unknown>): { resume?: string | undefined } =>
      resume === undefined ? {} : { resume: String(resume) },
    component: lazyPage(() => import('./logout-page'), 'LogoutPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/logged-out',
    validateSearch: ({ error, requestId }: Record<string, unknown>): LoggedOutSearch => ({
      ...(error !== undefined && { error: String(error) }),
      ...(requestId !== undefined && { requestId: String(requestId) }),
    }),
    component: lazyPage(() => import('./logged-out-page'), 'LoggedOutPage'),
  }),
] as const
