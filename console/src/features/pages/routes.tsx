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
  /** the application whose request was rejected, and its unregistered redirect URL */
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
      // Members have no administration: they start at their applications.
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
    // An administrator of the application sees details; the page never redirects.
    pendingMs: SPLASH_AFTER_MS,
    beforeLoad: async ({ search }) => {
      if (search.clientId && boot.hasSession) await session.restore()
    },
    component: lazyPage(() => import('./error-page'), 'ErrorPage'),
  }),
] as const
