import type { Actor } from '../../platform/http/actor.js'
import { rejection } from './errors.js'
import { permissionsOf } from './roles.js'

/**
 * Nobody grants above their own role, nor changes, suspends, removes or resets somebody above it: the caller must hold every
 * permission of `role`.
 * @throws role_protected
 */
export function requireRoleWithin({ permissions }: Pick<Actor, 'permissions'>, role: string): void {
  for (const permission of permissionsOf(role))
    if (!permissions.has(permission))
      throw rejection('role_protected', {
        detail: `The role ${role} has the permission ${permission}, which you do not have`,
      })
}
