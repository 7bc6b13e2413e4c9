import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { limitKey, organizations } from '../organizations/index.js'
import { directories } from './tables.js'

/** Returns whose turns the sync of a team uses (`limitKey`). Runs in the caller's transaction. */
export async function turnsOf(tx: Transaction, teamId: TeamId): Promise<TeamId> {
  const [row] = await tx
    .select({ turns: sql<TeamId>`${sql.raw(limitKey('organizations', 'directories.saved_by'))}` })
    .from(organizations)
    .leftJoin(directories, eq(directories.organizationId, organizations.id))
    .where(eq(organizations.id, teamId))
  return row?.turns ?? teamId
}
