import { and, eq } from 'drizzle-orm'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import type { ApiTokenId, TeamId } from '../../platform/ids.js'
import { apiTokens } from './tables.js'

/** A step: the names of those of `ids` that are API tokens of the team. */
export async function apiTokenNames(tx: Transaction, teamId: TeamId, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: apiTokens.id, name: apiTokens.name })
    .from(apiTokens)
    .where(and(eq(apiTokens.organizationId, teamId), anyOf(apiTokens.id, ids as ApiTokenId[])))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
