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

const importRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/users/import',
  validateSearch: ({ run }: Record<string, unknown>): { run?: string } => (typeof run === 'string' ? { run } : {}),
  component: lazyPage(() => import('./import/import-page'), 'ImportPage'),
})

export const userRoutes = [usersRoute, importRoute, userRoute] as const
