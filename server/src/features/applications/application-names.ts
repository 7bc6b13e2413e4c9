import { and, eq } from 'drizzle-orm'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import type { ApplicationId, TeamId } from '../../platform/ids.js'
import { applications } from './tables.js'

/** A step: the names of those of `ids` that are applications of the team. */
export async function applicationNames(tx: Transaction, teamId: TeamId, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: applications.id, name: applications.name })
    .from(applications)
    .where(and(eq(applications.organizationId, teamId), anyOf(applications.id, ids as ApplicationId[])))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
