import { createRoute } from '@tanstack/react-router'
import { fallback, object, optional, picklist } from 'valibot'
import { teamRoute } from '../../shell/team-route'
import { lazyPage } from '../../ui/page/lazy-page'
import { DEFAULT_DAYS, RANGES } from './range'

export const teamOverviewRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/',
  validateSearch: object({ days: fallback(optional(picklist(RANGES)), DEFAULT_DAYS) }),
  component: lazyPage(() => import('./overview-page'), 'OverviewPage'),
})
