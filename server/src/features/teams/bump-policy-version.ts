import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { rejection } from './errors.js'
import { organizations } from './tables.js'

/**
 * A step: counts a change of the team's policies, so that no node decides by what it compiled before. Before the change, as it locks
 * the team's row: those who change policies of one team take turns. @throws organization_not_found when the team was deleted meanwhile
 */
export async function bumpPolicyVersion(tx: Transaction, id: TeamId): Promise<void> {
  const rows = await tx
    .update(organizations)
    .set({ policyVersion: sql`${organizations.policyVersion} + 1` })
    .where(eq(organizations.id, id))
    .returning({ id: organizations.id })
  if (rows.length === 0) throw rejection('organization_not_found')
}
