import type { Clock } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { permissionsOf } from '../../permissions/index.js'
import { teamError } from '../../teams/index.js'
import { rejection } from '../errors.js'
import { findPendingInvitation, type PendingInvitation } from './repository.js'

/**
 * Returns the invitation with this token; undefined if it is unknown, accepted, revoked or expired. It is only valid while its inviter may
 * grant the role. Runs in the caller's transaction.
 * @throws team_suspended, invitation_withdrawn
 */
export async function findValidInvitation(
  tx: Transaction,
  clock: Clock,
  token: string,
): Promise<PendingInvitation | undefined> {
  const invitation = await findPendingInvitation(tx, clock, token)
  if (!invitation) return undefined
  if (invitation.team.status !== 'ACTIVE') throw teamError('team_suspended')
  if (!mayGrant(invitation)) throw rejection('invitation_withdrawn')
  return invitation
}

function mayGrant({ inviter, role }: PendingInvitation): boolean {
  if (!inviter?.role) return false
  const permissions = permissionsOf(inviter.role)
  return permissions.has('members:write') && [...permissionsOf(role)].every((permission) => permissions.has(permission))
}
