import { createRoute } from '@tanstack/react-router'
import { accountRoute } from '../../../shell/account-route'
import { lazyPage } from '../../../ui/page/lazy-page'

export const sessionsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/sessions',
  component: lazyPage(() => import('./sessions-page'), 'SessionsPage'),
})
