import { createRoute } from '@tanstack/react-router'
import { teamRoute } from '../../shell/team-route'
import { lazyPage } from '../../ui/page/lazy-page'
import { listSearch } from '../../ui/table/view'

const groupsRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/groups',
  validateSearch: listSearch,
  component: lazyPage(() => import('./groups-page'), 'GroupsPage'),
})

const groupRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/groups/$id',
  component: lazyPage(() => import('./group-page'), 'GroupPage'),
})

export const groupRoutes = [groupsRoute, groupRoute] as const
