import type { Transaction } from '../../platform/db/database.js'
import type { UserId } from '../../platform/ids.js'
import type { TeamSubject } from '../audit/index.js'
import { revokePending } from '../members/index.js'
import type { EndDeps } from './deps.js'

/**
 * Revokes the pending invitations that a user sent in the team of `by`, with an audit entry for each, and returns their number. Runs in the
 * caller's transaction.
 */
export async function revokeInvitationsOf(
  tx: Transaction,
  { clock, audit }: Pick<EndDeps, 'clock' | 'audit'>,
  by: TeamSubject,
  inviter: UserId,
): Promise<number> {
  const invitations = await revokePending(tx, clock, { inviter, team: by.teamId })
  for (const { id } of invitations) await audit.record(tx, by, 'invitation.revoked', { resource: `invitation:${id}` })
  return invitations.length
}
