import { createRoute } from '@tanstack/react-router'
import { accountRoute } from '../../shell/account-route'
import { lazyPage } from '../../ui/page/lazy-page'

export const teamsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/teams',
  component: lazyPage(() => import('../account/teams/teams-page'), 'TeamsPage'),
})
