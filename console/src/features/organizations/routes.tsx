import { createRoute } from '@tanstack/react-router'
import { accountRoute } from '../../shell/account-route'
import { teamRoute } from '../../shell/team-route'
import { lazyPage } from '../../ui/lazy-page'

export const teamsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/teams',
  component: lazyPage(() => import('../account/teams/teams-page'), 'TeamsPage'),
})

export const teamOverviewRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/',
  component: lazyPage(() => import('./team-page'), 'TeamPage'),
})
