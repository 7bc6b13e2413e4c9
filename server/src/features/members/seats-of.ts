import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { organizations } from '../organizations/index.js'
import { memberships } from './tables.js'

/** A step: how many members the team has, and how many it may have; the team's row stays locked, as by `addMember`. */
export async function seatsOf(tx: Transaction, teamId: TeamId): Promise<{ taken: number; limit: number }> {
  const [team] = await tx
    .select({ limit: organizations.maxMembers })
    .from(organizations)
    .where(eq(organizations.id, teamId))
    .for('no key update')
  const [seats] = await tx
    .select({ taken: sql<number>`count(*)::int` })
    .from(memberships)
    .where(eq(memberships.organizationId, teamId))
  return { taken: seats?.taken ?? 0, limit: team?.limit ?? 0 }
}
