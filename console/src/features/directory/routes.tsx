import { createRoute } from '@tanstack/react-router'
import { teamRoute } from '../../shell/team-route'
import { lazyPage } from '../../ui/page/lazy-page'
import { scimSearch } from './scim/scim-search'

const directoryRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/directory',
  component: lazyPage(() => import('./directory-layout'), 'DirectoryLayout'),
  notFoundComponent: lazyPage(() => import('../pages/no-such-tab'), 'NoSuchTab'),
})

const ldapRoute = createRoute({
  getParentRoute: () => directoryRoute,
  path: '/ldap',
  component: lazyPage(() => import('./ldap/ldap-page'), 'LdapPage'),
})

const ldapRoutes = [
  createRoute({
    getParentRoute: () => ldapRoute,
    path: '/',
    component: lazyPage(() => import('./ldap/ldap-overview-page'), 'LdapOverviewPage'),
  }),
  createRoute({
    getParentRoute: () => ldapRoute,
    path: '/settings',
    component: lazyPage(() => import('./ldap/ldap-settings-page'), 'LdapSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => ldapRoute,
    path: '/runs',
    component: lazyPage(() => import('./ldap/runs/runs-page'), 'RunsPage'),
    validateSearch: ({ page }: Record<string, unknown>): { page?: number } =>
      Number.isSafeInteger(page) && Number(page) > 1 ? { page: Number(page) } : {},
  }),
  createRoute({
    getParentRoute: () => ldapRoute,
    path: '/runs/$run',
    component: lazyPage(() => import('./ldap/runs/run-page'), 'RunPage'),
    // True if another sync was already running when this one was requested.
    validateSearch: ({ other }: Record<string, unknown>): { other?: true } => (other === true ? { other } : {}),
  }),
] as const

const tabRoutes = [
  createRoute({
    getParentRoute: () => directoryRoute,
    path: '/',
    validateSearch: scimSearch,
    component: lazyPage(() => import('./scim/scim-page'), 'ScimPage'),
  }),
  ldapRoute.addChildren(ldapRoutes),
] as const

export const directoryRoutes = [directoryRoute.addChildren(tabRoutes)] as const
