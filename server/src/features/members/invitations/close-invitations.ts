import { and, eq } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { Audit } from '../../audit/index.js'
import { invitations } from '../tables.js'

/**
 * Revokes a pending invitation when its email address joins or leaves the actor's team by other means: its link must not grant access again
 * with an outdated role. Runs in the caller's transaction.
 */
export async function closeInvitations(
  tx: Transaction,
  { clock, audit }: { clock: Clock; audit: Audit },
  actor: Pick<Actor, 'teamId' | 'origin'> & { userId: Actor['userId'] | null },
  email: string,
): Promise<void> {
  const waiting = and(
    eq(invitations.organizationId, actor.teamId),
    eq(invitations.email, email),
    eq(invitations.status, 'PENDING'),
  )
  const closed = await tx
    .update(invitations)
    .set({ status: 'REVOKED', updatedAt: clock.now() })
    .where(waiting)
    .returning({ id: invitations.id, role: invitations.role })
  for (const { id, role } of closed)
    await audit.record(tx, actor, 'invitation.revoked', { resource: `invitation:${id}`, metadata: { email, role } })
}
