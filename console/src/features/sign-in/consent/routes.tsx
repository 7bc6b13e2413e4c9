import { createRoute } from '@tanstack/react-router'
import { accountRoute } from '../../../shell/account-route'
import { lazyPage } from '../../../ui/page/lazy-page'

export const myAppsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/apps',
  component: lazyPage(() => import('../../account/access/apps-page'), 'AppsPage'),
})
