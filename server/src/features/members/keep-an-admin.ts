import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { organizations } from '../organizations/index.js'
import { refusal } from './errors.js'
import { memberships } from './tables.js'

/**
 * A step, before somebody is removed, demoted or suspended: without `leaving` the team must still have an active owner or
 * super-admin. The team's row is locked first, so that of two who leave at once one stays.
 * @throws last_admin
 */
export async function keepAnAdmin(tx: Transaction, teamId: TeamId, leaving: UserId): Promise<void> {
  await tx.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, teamId)).for('no key update')
  const [other] = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .where(
      and(
        eq(memberships.organizationId, teamId),
        ne(memberships.userId, leaving),
        inArray(memberships.role, ['OWNER', 'SUPER_ADMIN']),
        eq(memberships.status, 'active'),
      ),
    )
    .limit(1)
  if (!other) throw refusal('last_admin')
}
