import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { GroupId, TeamId } from '../../platform/ids.js'
import { groups } from './tables.js'

/** A step: the groups of the team that have one of these names, by name. */
export async function groupsNamed(tx: Transaction, teamId: TeamId, names: string[]): Promise<Map<string, GroupId>> {
  if (names.length === 0) return new Map()
  const rows = await tx
    .select({ id: groups.id, name: groups.name })
    .from(groups)
    .where(and(eq(groups.organizationId, teamId), sql`${groups.name} = ANY(${sql.param(names)}::text[])`))
  return new Map(rows.map(({ id, name }) => [name, id]))
}
