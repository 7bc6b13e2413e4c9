import type { Actor } from '../../platform/http/actor.js'
import { isTopRole } from '../permissions/index.js'
import { rejection } from './errors.js'

/** Permissions that remain in a suspended team: to view, reactivate and delete it. */
const ALLOWED_WHILE_SUSPENDED = new Set(['signed-in', 'instance:update', 'org:update', 'org:delete'])

/** Rejects all other changes in a suspended team, as a part of the permission check. @throws team_suspended */
export function rejectWhileSuspended({ team }: { team: Pick<Actor['team'], 'status'> }, permission: string): void {
  if (team.status === 'ACTIVE' || permission.endsWith(':read') || ALLOWED_WHILE_SUSPENDED.has(permission)) return
  throw rejection('team_suspended')
}

/** Returns whether the role grants access to a team in this status: to a suspended one only roles that may reactivate it. */
export const mayEnterTeam = (status: string, role: string): boolean => status === 'ACTIVE' || isTopRole(role)
