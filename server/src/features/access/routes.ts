import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { PERMISSIONS, permissionsOf, ROLES } from './roles.js'

const PermissionTable = Type.Object({
  permissions: Type.Array(Type.String()),
  roles: Type.Array(Type.Object({ role: Type.String(), permissions: Type.Array(Type.String()) })),
})

export const accessRoutes = (): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/permissions',
    permission: 'signed-in',
    tag: 'Roles',
    summary: 'Every role and what it may do',
    responses: { 200: PermissionTable },
    handle: () => ({
      permissions: [...PERMISSIONS],
      roles: ROLES.map((role) => ({
        role,
        permissions: PERMISSIONS.filter((permission) => permissionsOf(role).has(permission)),
      })),
    }),
  }),
]
