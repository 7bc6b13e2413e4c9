import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requireSession } from '../features/sessions/require-session'
import { rootRoute } from './root-route'

/** Everything that only somebody signed in may see, under one header. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('./signed-in-layout'), 'SignedInLayout'),
})
