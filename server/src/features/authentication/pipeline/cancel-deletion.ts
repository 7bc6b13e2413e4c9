import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import { cancelScheduledDeletion, type User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'

/**
 * Cancels the deletion that the user had requested, if any. Only for an unrestricted sign-in and for acts of the owner of the mailbox: a
 * team could otherwise cancel it with its provider. Runs in the caller's transaction, which has locked the account.
 * @returns whether there was one
 */
export async function cancelDeletion(
  tx: Transaction,
  { clock, audit }: Pick<AccountDeps, 'audit' | 'clock'>,
  { id, deletionScheduledAt }: User,
  origin: RequestOrigin,
): Promise<boolean> {
  if (!deletionScheduledAt) return false
  await cancelScheduledDeletion(tx, clock, id)
  await audit.record(tx, { userId: id, teamId: null, origin }, 'user.deletion_cancelled', {
    resource: `user:${id}`,
    metadata: { scheduledAt: deletionScheduledAt.toISOString() },
  })
  return true
}
