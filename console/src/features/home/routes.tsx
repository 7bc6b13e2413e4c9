import { createRoute } from '@tanstack/react-router'
import { signedInRoute } from '../../shell/signed-in-route'
import { lazyPage } from '../../ui/page/lazy-page'

export const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/home',
  component: lazyPage(() => import('./home-page'), 'HomePage'),
})
