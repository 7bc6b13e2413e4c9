import { eq } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import type { Role } from '../../permissions/index.js'
import { addMember } from '../add-members.js'
import { findMember } from '../find-membership.js'
import { memberships } from '../tables.js'
import { type ConfirmingAct, confirmMembership, requireConfirmingAct } from './confirm-membership.js'
import { deleteBlock } from './waiting-teams.js'

/**
 * Makes the user an active, confirmed member by an explicit act of theirs. An existing membership keeps its role. Runs in the caller's
 * transaction, which has locked the account and the team.
 * @returns `activated` if an existing membership changed, `unchanged` if it did not; a `suspended` membership stays suspended
 * @throws limit_reached; second_factor_required as in `confirmMembership`
 */
export async function activateMembership(
  tx: Transaction,
  clock: Clock,
  { userId, teamId, role, by }: { userId: UserId; teamId: TeamId; role: Role; by: ConfirmingAct },
): Promise<'added' | 'activated' | 'unchanged' | 'suspended'> {
  const membership = await findMember(tx, teamId, userId)
  if (!membership) {
    await requireConfirmingAct(tx, by)
    await deleteBlock(tx, userId, teamId)
    await addMember(tx, clock, { userId, teamId, role })
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
