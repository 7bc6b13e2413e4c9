import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { teamRoute } from '../../shell/team-route'
import { scimSearch } from '../scim/scim-search'

const directoryRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: '/directory',
  component: lazyRouteComponent(() => import('./directory-layout'), 'DirectoryLayout'),
  notFoundComponent: lazyRouteComponent(() => import('../pages/no-such-tab'), 'NoSuchTab'),
})

const tabRoutes = [
  createRoute({
    getParentRoute: () => directoryRoute,
    path: '/',
    validateSearch: scimSearch,
    component: lazyRouteComponent(() => import('../scim/scim-page'), 'ScimPage'),
  }),
  createRoute({
    getParentRoute: () => directoryRoute,
    path: '/ldap',
    component: lazyRouteComponent(() => import('./ldap-page'), 'LdapPage'),
  }),
] as const

export const directoryRoutes = [directoryRoute.addChildren(tabRoutes)] as const
