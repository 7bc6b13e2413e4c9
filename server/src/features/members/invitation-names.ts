import { and, eq } from 'drizzle-orm'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import type { InvitationId, TeamId } from '../../platform/ids.js'
import { invitations } from './tables.js'

/** A step: the addresses of those of `ids` that are invitations of the team. */
export async function invitationNames(tx: Transaction, teamId: TeamId, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: invitations.id, email: invitations.email })
    .from(invitations)
    .where(and(eq(invitations.organizationId, teamId), anyOf(invitations.id, ids as InvitationId[])))
  return new Map(rows.map(({ id, email }) => [id, email]))
}
