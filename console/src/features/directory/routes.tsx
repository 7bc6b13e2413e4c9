import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../shell/team-route'
import { scimSearch } from '../scim/scim-search'

const directoryRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/directory',
  component: lazyRouteComponent(() => import('./directory-layout'), 'DirectoryLayout'),
  notFoundComponent: lazyRouteComponent(() => import('../pages/no-such-tab'), 'NoSuchTab'),
})

const ldapRoute = createRoute({
  getParentRoute: () => directoryRoute,
  path: '/ldap',
  component: lazyRouteComponent(() => import('./ldap-page'), 'LdapPage'),
})

const ldapRoutes = [
  createRoute({
    getParentRoute: () => ldapRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./ldap-overview-page'), 'LdapOverviewPage'),
  }),
  createRoute({
    getParentRoute: () => ldapRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('./ldap-settings-page'), 'LdapSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => ldapRoute,
    path: '/runs',
    component: lazyRouteComponent(() => import('./runs-page'), 'RunsPage'),
    validateSearch: ({ page }: Record<string, unknown>): { page?: number } =>
      Number.isSafeInteger(page) && Number(page) > 1 ? { page: Number(page) } : {},
  }),
  createRoute({
    getParentRoute: () => ldapRoute,
    path: '/runs/$run',
    component: lazyRouteComponent(() => import('./run-page'), 'RunPage'),
    // Somebody else's run was met in place of one that was to begin.
    validateSearch: ({ other }: Record<string, unknown>): { other?: true } => (other === true ? { other } : {}),
  }),
] as const

const tabRoutes = [
  createRoute({
    getParentRoute: () => directoryRoute,
    path: '/',
    validateSearch: scimSearch,
    component: lazyRouteComponent(() => import('../scim/scim-page'), 'ScimPage'),
  }),
  ldapRoute.addChildren(ldapRoutes),
] as const

export const directoryRoutes = [directoryRoute.addChildren(tabRoutes)] as const
