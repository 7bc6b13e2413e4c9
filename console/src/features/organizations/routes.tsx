import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { accountRoute } from '../../shell/account-route'
import { teamRoute } from '../../shell/team-route'

export const teamsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/teams',
  component: lazyRouteComponent(() => import('./teams-page'), 'TeamsPage'),
})

export const teamOverviewRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./team-page'), 'TeamPage'),
})
