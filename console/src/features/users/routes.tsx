import { createRoute } from '@tanstack/react-router'
import { teamRoute } from '../../shell/team-route'
import { lazyPage } from '../../ui/page/lazy-page'
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
  component: lazyPage(() => import('./user/user-layout'), 'UserLayout'),
  notFoundComponent: lazyPage(() => import('../pages/no-such-tab'), 'NoSuchTab'),
})

const userPageRoutes = [
  createRoute({
    getParentRoute: () => userRoute,
    path: '/',
    component: lazyPage(() => import('./user/profile-page'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => userRoute,
    path: '/access',
    component: lazyPage(() => import('./user/access-page'), 'AccessPage'),
  }),
  createRoute({
    getParentRoute: () => userRoute,
    path: '/security',
    component: lazyPage(() => import('./user/security-page'), 'SecurityPage'),
  }),
  createRoute({
    getParentRoute: () => userRoute,
    path: '/activity',
    component: lazyPage(() => import('./user/activity-page'), 'ActivityPage'),
  }),
] as const

const importRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/users/import',
  validateSearch: ({ run }: Record<string, unknown>): { run?: string } => (typeof run === 'string' ? { run } : {}),
  component: lazyPage(() => import('./import/import-page'), 'ImportPage'),
})

export const userRoutes = [usersRoute, importRoute, userRoute.addChildren(userPageRoutes)] as const
