import { rejection as platformError } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'

/**
 * Requires the separate permissions for writing the groups or applications of a user together with the user.
 * @throws forbidden
 */
export function requireSetPermissions(
  actor: Pick<Actor, 'permissions'>,
  sets: { groupIds?: unknown; applicationIds?: unknown },
): void {
  if (sets.groupIds !== undefined) requirePermission(actor, 'groups:members', 'groupIds')
  if (sets.applicationIds !== undefined) requirePermission(actor, 'applications:write', 'applicationIds')
}

function requirePermission({ permissions }: Pick<Actor, 'permissions'>, permission: string, field: string): void {
  if (!permissions.has(permission))
    throw platformError('forbidden', { detail: `Writing ${field} requires the permission ${permission}` })
}
