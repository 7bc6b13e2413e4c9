import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../ui/page/lazy-page'
import { signedInRoute } from './signed-in-route'

/** The team of the URL, which may differ from the session's team. */
export const teamRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$slug',
  component: lazyPage(() => import('./team-layout'), 'TeamLayout'),
})
