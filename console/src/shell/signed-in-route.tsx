import { createRoute } from '@tanstack/react-router'
import { requireSession } from '../features/account/sessions/require-session'
import { SPLASH_AFTER_MS } from '../navigation/splash-after'
import { lazyPage } from '../ui/page/lazy-page'
import { rootRoute } from './root-route'

/** The parent of all pages that require a session. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  pendingMs: SPLASH_AFTER_MS,
  beforeLoad: requireSession,
  component: lazyPage(() => import('./signed-in-layout'), 'SignedInLayout'),
})
