import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { returnToSearch } from '../../navigation/return-to-search'
import { rootRoute } from '../../shell/root-route'
import { requireSession } from '../sessions/require-session'

export const enrollRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mfa/enroll',
  validateSearch: returnToSearch,
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('./enroll-page'), 'EnrollPage'),
})
