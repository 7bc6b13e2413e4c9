import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { organizations } from './tables.js'

/**
 * SQL: the ID under which a team's work is limited and queued: the account that created the team, else the one that configured the work,
 * else the team. So all teams of one creator share one place in a fair queue.
 * @param team alias of the team
 * @param configuredBy SQL of the account that configured the work
 */
export const queueKey = (team: string, configuredBy = 'NULL::uuid'): string =>
  `coalesce(${team}.created_by, ${configuredBy}, ${team}.id)`

/**
 * Returns the queue key of a team's work (`queueKey`). Runs in the caller's transaction.
 * @param configuredBy SQL that may refer to the team as `organizations`
 */
export async function queueKeyOf(tx: Transaction, teamId: TeamId, configuredBy?: string): Promise<TeamId> {
  const [row] = await tx
    .select({ key: sql<TeamId>`${sql.raw(queueKey('organizations', configuredBy))}` })
    .from(organizations)
    .where(eq(organizations.id, teamId))
  return row?.key ?? teamId
}
