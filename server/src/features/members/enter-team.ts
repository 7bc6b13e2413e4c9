import { eq } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { Role } from '../permissions/index.js'
import { addMember } from './add-members.js'
import { type Confirming, confirmMembership, requireConfirming } from './confirm-membership.js'
import { findMember } from './find-membership.js'
import { memberships } from './tables.js'
import { deleteBlock } from './waiting-teams.js'

/**
 * A step, on a locked account and team: the user comes in by their own act, which confirms the membership. One that was
 * merely added, or waited for the first sign-in, keeps its role.
 * @returns `added`; `entered` for a membership that was there and has changed; `member` for one that was as it is; `suspended`, and
 * nothing changes, for one that the team has closed
 * @throws limit_reached; second_factor_required as `confirmMembership`
 */
export async function enterTeam(
  tx: Transaction,
  clock: Clock,
  { userId, teamId, role, by }: { userId: UserId; teamId: TeamId; role: Role; by: Confirming },
): Promise<'added' | 'entered' | 'member' | 'suspended'> {
  const membership = await findMember(tx, teamId, userId)
  if (!membership) {
    await requireConfirming(tx, by)
    await deleteBlock(tx, userId, teamId)
    await addMember(tx, clock, { userId, teamId, role })
    return 'added'
  }
  if (membership.status === 'suspended') return 'suspended'
  if (membership.confirmed && membership.status === 'active') return 'member'
  await confirmMembership(tx, userId, teamId, by)
  await tx
    .update(memberships)
    .set({ status: 'active', updatedAt: clock.now() })
    .where(eq(memberships.id, membership.id))
  return 'entered'
}
