import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { organizations } from './tables.js'

/**
 * SQL: the ID by which work of a team is limited and takes turns: of the account that created the team, else of the one that configured the
 * work, else of the team. A user may own any number of teams, and all of them together take the turns of one.
 * @param team alias of the team
 * @param configuredBy SQL of the account that configured the work
 */
export const turnsKey = (team: string, configuredBy = 'NULL::uuid'): string =>
  `coalesce(${team}.created_by, ${configuredBy}, ${team}.id)`

/**
 * Returns whose turns the work of a team uses (`turnsKey`). Runs in the caller's transaction.
 * @param configuredBy SQL that may refer to the row of the team as `organizations`
 */
export async function turnsOf(tx: Transaction, teamId: TeamId, configuredBy?: string): Promise<TeamId> {
  const [row] = await tx
    .select({ turns: sql<TeamId>`${sql.raw(turnsKey('organizations', configuredBy))}` })
    .from(organizations)
    .where(eq(organizations.id, teamId))
  return row?.turns ?? teamId
}
