import { createRoute } from '@tanstack/react-router'
import { returnToSearch } from '../../navigation/return-to-search'
import { SPLASH_AFTER_MS } from '../../navigation/splash-after'
import { accountRoute } from '../../shell/account-route'
import { rootRoute } from '../../shell/root-route'
import { lazyPage } from '../../ui/lazy-page'
import { requireSession } from '../sessions/require-session'

export const passwordDueRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/password-due',
  validateSearch: returnToSearch,
  pendingMs: SPLASH_AFTER_MS,
  beforeLoad: requireSession,
  component: lazyPage(() => import('./password-due-page'), 'PasswordDuePage'),
})

export const securityRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/security',
  component: lazyPage(() => import('./security-page'), 'SecurityPage'),
})
