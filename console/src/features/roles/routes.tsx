import { createRoute } from '@tanstack/react-router'
import { teamRoute } from '../../shell/team-route'
import { lazyPage } from '../../ui/lazy-page'

export const rolesRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/roles',
  component: lazyPage(() => import('./roles-page'), 'RolesPage'),
})
