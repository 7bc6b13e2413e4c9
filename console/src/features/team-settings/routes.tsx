import { createRoute } from '@tanstack/react-router'
import { teamRoute } from '../../shell/team-route'
import { lazyPage } from '../../ui/page/lazy-page'

const teamSettingsRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/settings',
  component: lazyPage(() => import('./settings-page'), 'TeamSettingsPage'),
})

const auditRetentionRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/settings/audit-retention',
  component: lazyPage(() => import('./audit-retention/audit-retention-page'), 'AuditRetentionPage'),
})

export const teamSettingsRoutes = [teamSettingsRoute, auditRetentionRoute] as const
