import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { organizations } from '../organizations/index.js'
import { memberships } from './tables.js'

/** How many members a team has, and how many it may have. */
export interface Seats {
  taken: number
  limit: number
}

/**
 * A step: the seats of the team; its row stays locked until the transaction ends, so that two who join at once do not both get the
 * last one. Undefined when the team is gone.
 */
export async function seatsOf(tx: Transaction, teamId: TeamId): Promise<Seats | undefined> {
  const [team] = await tx
    .select({ limit: organizations.maxMembers })
    .from(organizations)
    .where(eq(organizations.id, teamId))
    .for('no key update')
  if (!team) return undefined
  const [seats] = await tx
    .select({ taken: sql<number>`count(*)::int` })
    .from(memberships)
    .where(eq(memberships.organizationId, teamId))
  return { taken: seats?.taken ?? 0, limit: team.limit }
}
