import { createRoute } from '@tanstack/react-router'
import { teamRoute } from '../../shell/team-route'
import { lazyPage } from '../../ui/page/lazy-page'

export const rolesRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/roles',
  // The chosen role.
  validateSearch: ({ role }: Record<string, unknown>): { role?: string } => (typeof role === 'string' ? { role } : {}),
  component: lazyPage(() => import('./roles-page'), 'RolesPage'),
})
