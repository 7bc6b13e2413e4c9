import { createRoute, redirect } from '@tanstack/react-router'
import { session } from '../../api/session'
import { boot } from '../../boot'
import { SPLASH_AFTER_MS } from '../../navigation/splash-after'
import { rootRoute } from '../../shell/root-route'
import { lazyPage } from '../../ui/lazy-page'
import { requireSession } from '../sessions/require-session'

interface ErrorSearch {
  code?: string | undefined
  requestId?: string | undefined
  /** of the application whose request was refused, and the address that is not registered for it */
  clientId?: string | undefined
  redirectUri?: string | undefined
}

const text = (value: unknown) => (value === undefined ? undefined : String(value))

export const pagesRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    pendingMs: SPLASH_AFTER_MS,
    beforeLoad: async ({ location }) => {
      await requireSession({ location })
      const team = session.view()?.team
      // Members administer nothing: they land on their applications.
      const isMember = session.view()?.user.role === 'MEMBER'
      if (isMember) throw redirect({ to: '/home', replace: true })
      throw team
        ? redirect({ to: '/t/$slug', params: { slug: team.slug }, replace: true })
        : redirect({ to: '/account', replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/error',
    validateSearch: (search: Record<string, unknown>): ErrorSearch => ({
      code: text(search.code),
      requestId: text(search.requestId),
      clientId: text(search.clientId),
      redirectUri: text(search.redirectUri),
    }),
    // Whoever administers the application that asked is shown more; nobody is sent away from an error.
    pendingMs: SPLASH_AFTER_MS,
    beforeLoad: async ({ search }) => {
      if (search.clientId && boot.hasSession) await session.restore()
    },
    component: lazyPage(() => import('./error-page'), 'ErrorPage'),
  }),
] as const
