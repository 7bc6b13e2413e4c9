import { createRoute } from '@tanstack/react-router'
import { rootRoute } from '../../shell/root-route'
import { lazyPage } from '../../ui/lazy-page'

export const ssoCallbackRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/sso/callback',
  component: lazyPage(() => import('./callback-page'), 'SsoCallbackPage'),
})
