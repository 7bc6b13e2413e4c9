import { createRoute } from '@tanstack/react-router'
import { teamRoute } from '../../shell/team-route'
import { lazyPage } from '../../ui/lazy-page'
import { listSearch } from '../../ui/table/view'

const usersRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/users',
  validateSearch: listSearch,
  component: lazyPage(() => import('./users-page'), 'UsersPage'),
})

const userRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/users/$id',
  component: lazyPage(() => import('./user-page'), 'UserPage'),
})

export const userRoutes = [usersRoute, userRoute] as const
