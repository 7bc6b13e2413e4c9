import type { Actor } from '../../platform/http/actor.js'
import { rejection } from './errors.js'

/** What those who may still enter a suspended team come for: to look, to reactivate it, to give it up. */
const OPEN_WHILE_SUSPENDED = new Set(['signed-in', 'instance:update', 'org:update', 'org:delete'])

/** Of a suspended team nothing can be changed but that. A part of the permission check. @throws team_suspended */
export function rejectWhileSuspended({ team }: { team: Pick<Actor['team'], 'status'> }, permission: string): void {
  if (team.status === 'ACTIVE' || permission.endsWith(':read') || OPEN_WHILE_SUSPENDED.has(permission)) return
  throw rejection('team_suspended')
}
