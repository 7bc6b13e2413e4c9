import { createRoute } from '@tanstack/react-router'
import { teamRoute } from '../../shell/team-route'
import { lazyPage } from '../../ui/page/lazy-page'

export const teamSettingsRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/settings',
  component: lazyPage(() => import('./settings-page'), 'TeamSettingsPage'),
})
