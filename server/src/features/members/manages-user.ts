import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { countsElsewhere } from './repository.js'
import { memberships } from './tables.js'

/**
 * A step: whether the account is the team's to manage: its membership here counts, and none in another team does. Only then may
 * the team write the user's own profile, address, password, factors and status.
 */
export async function managesUser(tx: Transaction, teamId: TeamId, userId: UserId): Promise<boolean> {
  const [here] = await tx
    .select({ counts: memberships.counts })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), eq(memberships.organizationId, teamId)))
  return here?.counts === true && !(await countsElsewhere(tx, userId, teamId))
}
