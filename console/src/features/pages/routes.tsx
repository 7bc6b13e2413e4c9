import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { session } from '../../api/session'
import { rootRoute } from '../../shell/root-route'
import { requireSession } from '../sessions/require-session'

const text = (value: unknown) => (value === undefined ? undefined : String(value))

export const pagesRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    beforeLoad: async ({ location }) => {
      await requireSession({ location })
      const team = session.view()?.team
      throw team
        ? redirect({ to: '/t/$slug', params: { slug: team.slug }, replace: true })
        : redirect({ to: '/account', replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/error',
    validateSearch: (
      search: Record<string, unknown>,
    ): { code?: string | undefined; requestId?: string | undefined } => ({
      code: text(search.code),
      requestId: text(search.requestId),
    }),
    component: lazyRouteComponent(() => import('./error-page'), 'ErrorPage'),
  }),
] as const
