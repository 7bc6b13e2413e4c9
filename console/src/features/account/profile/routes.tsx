import { createRoute } from '@tanstack/react-router'
import { accountRoute } from '../../../shell/account-route'
import { lazyPage } from '../../../ui/page/lazy-page'

export const profileRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/',
  component: lazyPage(() => import('./profile-page'), 'ProfilePage'),
})
