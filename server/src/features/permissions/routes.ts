import Type from 'typebox'
import { defineRoute, type ListedRoute, type Route } from '../../platform/http/route.js'
import { PERMISSIONS, permissionsOf, ROLES } from './roles.js'

const PermissionTable = Type.Object({
  permissions: Type.Array(Type.String()),
  roles: Type.Array(Type.Object({ role: Type.String(), permissions: Type.Array(Type.String()) })),
  routes: Type.Array(
    Type.Object({
      method: Type.String(),
      path: Type.String({ description: 'Parameters as `{name}`' }),
      permission: Type.String({
        description:
          'One of `permissions`, or `public`, `signed-in` (any session), `instance:update`, or `scim` (a SCIM token of the team)',
      }),
    }),
  ),
})

/** @param listRoutes returns every route of the service, including this one */
export const accessRoutes = (listRoutes: () => ListedRoute[]): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/permissions',
    permission: 'signed-in',
    tag: 'Roles',
    summary: 'List every role with its permissions, and the permission of each route',
    responses: { 200: PermissionTable },
    handle: () => ({
      permissions: [...PERMISSIONS],
      roles: ROLES.map((role) => ({
        role,
        permissions: PERMISSIONS.filter((permission) => permissionsOf(role).has(permission)),
      })),
      routes: listRoutes(),
    }),
  }),
]
