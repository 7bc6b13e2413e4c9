import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { returnToSearch } from '../../navigation/return-to-search'
import { accountRoute } from '../../shell/account-route'
import { rootRoute } from '../../shell/root-route'
import { requireSession } from '../sessions/require-session'

export const passwordDueRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/password-due',
  validateSearch: returnToSearch,
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('./password-due-page'), 'PasswordDuePage'),
})

export const securityRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/security',
  component: lazyRouteComponent(() => import('./security-page'), 'SecurityPage'),
})
