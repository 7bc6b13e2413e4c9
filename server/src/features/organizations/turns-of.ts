import { eq, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { organizations } from './tables.js'

/**
 * Returns whose turns the work of a team uses: those of the account that created the team, else of the last editor, else of the team. One
 * user may own any number of teams, and all of them together take the turns of one. Runs in the caller's transaction.
 * @param lastEditor the account that configured the work, as a scalar subquery that may refer to the row of the team
 */
export async function turnsOf(tx: Transaction, teamId: TeamId, lastEditor: SQL = sql`NULL::uuid`): Promise<TeamId> {
  const [row] = await tx
    .select({ turns: sql<TeamId>`coalesce(${organizations.createdBy}, ${lastEditor}, ${organizations.id})` })
    .from(organizations)
    .where(eq(organizations.id, teamId))
  return row?.turns ?? teamId
}
