import { and, eq } from 'drizzle-orm'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import type { GroupId, TeamId } from '../../platform/ids.js'
import { groups } from './tables.js'

/** A step: the names of those of `ids` that are groups of the team. */
export async function groupNames(tx: Transaction, teamId: TeamId, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: groups.id, name: groups.name })
    .from(groups)
    .where(and(eq(groups.organizationId, teamId), anyOf(groups.id, ids as GroupId[])))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
