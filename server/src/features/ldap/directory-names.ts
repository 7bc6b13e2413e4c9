import { and, eq } from 'drizzle-orm'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import type { DirectoryId, TeamId } from '../../platform/ids.js'
import { directories } from './tables.js'

/** A step: the addresses of those of `ids` that are directories of the team. */
export async function directoryNames(tx: Transaction, teamId: TeamId, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: directories.id, url: directories.url })
    .from(directories)
    .where(and(eq(directories.organizationId, teamId), anyOf(directories.id, ids as DirectoryId[])))
  return new Map(rows.map(({ id, url }) => [id, url]))
}
