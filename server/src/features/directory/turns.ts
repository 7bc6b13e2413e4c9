import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { organizations } from '../organizations/index.js'
import { directories } from './tables.js'

/**
 * Returns whose turns the sync of a team uses: those of the account that created the team, else of the last editor of the configuration, else
 * of the team. One user may own any number of teams, and all of them together take the turns of one. Runs in the caller's transaction.
 */
export async function turnsOf(tx: Transaction, teamId: TeamId): Promise<TeamId> {
  const [row] = await tx
    .select({ turns: sql<TeamId>`coalesce(${organizations.createdBy}, ${directories.savedBy}, ${organizations.id})` })
    .from(organizations)
    .leftJoin(directories, eq(directories.organizationId, organizations.id))
    .where(eq(organizations.id, teamId))
  return row?.turns ?? teamId
}
