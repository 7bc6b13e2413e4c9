import { createRoute, redirect } from '@tanstack/react-router'
import { session } from '../../api/session'
import { boot } from '../../boot'
import { accountRoute } from '../../shell/account-route'
import { rootRoute } from '../../shell/root-route'
import { lazyPage } from '../../ui/lazy-page'

export const sessionsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/sessions',
  component: lazyPage(() => import('./sessions-page'), 'SessionsPage'),
})

interface LoggedOutSearch {
  /** why another party did not confirm the sign-out */
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
    // A user who is still signed in has not signed out.
    beforeLoad: async ({ search }) => {
      if (boot.hasSession && !search.error && (await session.restore())) throw redirect({ to: '/', replace: true })
    },
    validateSearch: ({ error, requestId }: Record<string, unknown>): LoggedOutSearch => ({
      ...(error !== undefined && { error: String(error) }),
      ...(requestId !== undefined && { requestId: String(requestId) }),
    }),
    component: lazyPage(() => import('./logged-out-page'), 'LoggedOutPage'),
  }),
] as const
