import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { accountRoute } from '../../shell/account-route'

export const profileRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./profile-page'), 'ProfilePage'),
})
