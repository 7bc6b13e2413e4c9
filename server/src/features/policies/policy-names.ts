import { and, eq } from 'drizzle-orm'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import type { PolicyId, TeamId } from '../../platform/ids.js'
import { policies } from './tables.js'

/** A step: the names of those of `ids` that are policies of the team. */
export async function policyNames(tx: Transaction, teamId: TeamId, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: policies.id, name: policies.name })
    .from(policies)
    .where(and(eq(policies.organizationId, teamId), anyOf(policies.id, ids as PolicyId[])))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
