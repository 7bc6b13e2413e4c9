import { createRoute, redirect } from '@tanstack/react-router'
import { session } from '../../api/session'
import { SPLASH_AFTER_MS } from '../../navigation/splash-after'
import { rootRoute } from '../../shell/root-route'
import { requireSession } from '../account/sessions/require-session'

export const startRoute = createRoute({
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
})
