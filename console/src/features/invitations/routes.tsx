import { createRoute } from '@tanstack/react-router'
import { teamRoute } from '../../shell/team-route'
import { lazyPage } from '../../ui/page/lazy-page'
import { listSearch } from '../../ui/table/view'

export const invitationsRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/invitations',
  validateSearch: listSearch,
  component: lazyPage(() => import('./invitations-page'), 'InvitationsPage'),
})
