import { createRoute } from '@tanstack/react-router'
import { accountRoute } from '../../../shell/account-route'
import { lazyPage } from '../../../ui/page/lazy-page'

export const securityRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/security',
  component: lazyPage(() => import('./security-page'), 'SecurityPage'),
})
