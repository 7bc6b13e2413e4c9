import { eq } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { SessionId, TeamId, UserId } from '../../../platform/ids.js'
import { permissionError, type Role } from '../../permissions/index.js'
import { isWithoutAccountFactor } from '../account-factor-sql.js'
import { addMember } from '../add-members.js'
import { findMember } from '../find-member.js'
import { type MemberSource, memberships } from '../tables.js'
import { deleteBlock } from './waiting-teams.js'

/**
 * The explicit act by which a user confirms: in a session, or with a mailed link that is the first verification and removed every factor.
 */
export type ConfirmingAct = { sessionId: SessionId } | 'first_verification'

const confirm = namedQuery<{ changed: boolean }, [UserId, TeamId]>(
  'members.confirm',
  `WITH unblocked AS (DELETE FROM blocked_teams WHERE user_id = $1 AND organization_id = $2 RETURNING true AS changed),
   confirmed AS (UPDATE memberships SET counts = true WHERE user_id = $1 AND organization_id = $2 AND status <> 'suspended' AND NOT counts
     RETURNING true AS changed)
   SELECT changed FROM unblocked UNION SELECT changed FROM confirmed`,
)

/**
 * Confirms a membership by an explicit act of its user, and ends a block of the team. Idempotent. Runs in the caller's transaction, which
 * has locked the account.
 * @throws second_factor_required in a session that must not act on the account: the transaction must not commit
 */
export async function confirmMembership(
  tx: Transaction,
  userId: UserId,
  teamId: TeamId,
  by: ConfirmingAct,
): Promise<void> {
  const [changed] = await tx.run(confirm, [userId, teamId])
  if (changed) await requireConfirmingAct(tx, by)
}

/** Verifies that the act may confirm a membership. Runs in the caller's transaction. @throws second_factor_required */
async function requireConfirmingAct(tx: Transaction, by: ConfirmingAct): Promise<void> {
  if (by !== 'first_verification' && (await isWithoutAccountFactor(tx, by.sessionId)))
    throw permissionError('second_factor_required')
}

/** Returns the act of a caller. @throws session_required for an API token */
export function confirmingActOf(actor: Actor): ConfirmingAct {
  if (actor.via === 'session') return { sessionId: actor.sessionId }
  throw permissionError('session_required')
}

/**
 * Makes the user an active, confirmed member by an explicit act of theirs. An existing membership keeps its role. Runs in the caller's
 * transaction, which has locked the account and the team.
 * @returns `activated` if an existing membership changed, `unchanged` if it did not; a `suspended` membership stays suspended
 * @throws limit_reached; second_factor_required as in `confirmMembership`
 */
export async function activateMembership(
  tx: Transaction,
  clock: Clock,
  {
    userId,
    teamId,
    role,
    source,
    by,
  }: { userId: UserId; teamId: TeamId; role: Role; source?: MemberSource; by: ConfirmingAct },
): Promise<'added' | 'activated' | 'unchanged' | 'suspended'> {
  const membership = await findMember(tx, teamId, userId)
  if (!membership) {
    await requireConfirmingAct(tx, by)
    await deleteBlock(tx, userId, teamId)
    await addMember(tx, clock, { userId, teamId, role, ...(source && { source }) })
    return 'added'
  }
  if (membership.status === 'suspended') return 'suspended'
  if (membership.confirmed && membership.status === 'active') return 'unchanged'
  await confirmMembership(tx, userId, teamId, by)
  await tx
    .update(memberships)
    .set({ status: 'active', updatedAt: clock.now() })
    .where(eq(memberships.id, membership.id))
  return 'activated'
}
