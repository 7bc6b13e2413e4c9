import Type from 'typebox'
import { defineRoute, type ListedRoute, type Route } from '../../platform/http/route.js'
import { PERMISSIONS, permissionsOf, ROLES } from './roles.js'

const PermissionTable = Type.Object({
  permissions: Type.Array(Type.String()),
  roles: Type.Array(Type.Object({ role: Type.String(), permissions: Type.Array(Type.String()) })),
  routes: Type.Array(
    Type.Object({
      method: Type.String(),
      path: Type.String({ description: 'With `{name}` for each parameter' }),
      permission: Type.String({
        description:
          'One of `permissions`, or `public`, `signed-in` (any session), `instance:update`, or `scim` (a SCIM token of the team)',
      }),
    }),
  ),
})

/** @param listRoutes every route of the service, these included */
export const accessRoutes = (listRoutes: () => ListedRoute[]): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/permissions',
    permission: 'signed-in',
    tag: 'Roles',
    summary: 'Every role and what it may do, and which permission each route needs',
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
