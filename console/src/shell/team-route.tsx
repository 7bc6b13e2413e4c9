import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from './signed-in-route'

/** The team that the address names, whatever team the session was opened for. */
export const teamRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$slug',
  component: lazyRouteComponent(() => import('./team-layout'), 'TeamLayout'),
})
