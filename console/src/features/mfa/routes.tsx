import { createRoute } from '@tanstack/react-router'
import { returnToSearch } from '../../navigation/return-to-search'
import { SPLASH_AFTER_MS } from '../../navigation/splash-after'
import { rootRoute } from '../../shell/root-route'
import { lazyPage } from '../../ui/lazy-page'
import { requireSession } from '../sessions/require-session'

export const enrollRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mfa/enroll',
  validateSearch: returnToSearch,
  pendingMs: SPLASH_AFTER_MS,
  beforeLoad: requireSession,
  component: lazyPage(() => import('./enroll-page'), 'EnrollPage'),
})
