import { and, eq } from 'drizzle-orm'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import type { ScimTokenId, TeamId } from '../../platform/ids.js'
import { scimTokens } from './tables.js'

/** A step: the names of those of `ids` that are SCIM tokens of the team. */
export async function scimTokenNames(tx: Transaction, teamId: TeamId, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: scimTokens.id, name: scimTokens.name })
    .from(scimTokens)
    .where(and(eq(scimTokens.organizationId, teamId), anyOf(scimTokens.id, ids as ScimTokenId[])))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
