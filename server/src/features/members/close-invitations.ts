import { and, eq } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { invitations } from './tables.js'

/**
 * A step, when the address comes into the team by another door, or leaves it: an invitation that still waits for it is taken back, so
 * that its link does not open the team a second time with a role of long ago.
 */
export async function closeInvitations(tx: Transaction, clock: Clock, teamId: TeamId, email: string): Promise<void> {
  await tx
    .update(invitations)
    .set({ status: 'REVOKED', updatedAt: clock.now() })
    .where(and(eq(invitations.organizationId, teamId), eq(invitations.email, email), eq(invitations.status, 'PENDING')))
}
