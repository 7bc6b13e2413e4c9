import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { accountRoute } from '../../shell/account-route'
import { signedInRoute } from '../../shell/signed-in-route'

export const teamsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: '/teams',
  component: lazyRouteComponent(() => import('./teams-page'), 'TeamsPage'),
})

export const teamRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$slug',
  component: lazyRouteComponent(() => import('./team-page'), 'TeamPage'),
})
