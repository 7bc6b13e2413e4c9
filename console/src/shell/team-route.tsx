import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../ui/lazy-page'
import { signedInRoute } from './signed-in-route'

/** The team that the address names, whatever team the session was opened for. */
export const teamRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$slug',
  component: lazyPage(() => import('./team-layout'), 'TeamLayout'),
})
