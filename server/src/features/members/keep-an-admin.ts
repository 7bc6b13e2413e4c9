import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { lockOrganization } from '../teams/index.js'
import { isConfirmed } from './confirmed.js'
import { rejection } from './errors.js'

const otherAdmin = namedQuery<{ id: UserId }, [TeamId, UserId]>(
  'members.other_admin',
  `SELECT m.user_id AS id FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 AND m.user_id <> $2
     AND m.role IN ('OWNER', 'SUPER_ADMIN') AND m.status = 'active' AND ${isConfirmed('m', 'u')} LIMIT 1`,
)

/**
 * Returns whether the team has an owner or super-admin beside the user, active and confirmed: one who never confirmed the membership does
 * not administer it. Runs in the caller's transaction.
 */
export const hasOtherAdmin = async (tx: Transaction, teamId: TeamId, userId: UserId): Promise<boolean> =>
  (await tx.run(otherAdmin, [teamId, userId])).length > 0

/**
 * Verifies that the team keeps an owner or super-admin when `leaving` is removed, demoted or suspended. The team's row is locked first, so
 * that of two who leave at once one stays. Runs in the caller's transaction.
 * @throws last_admin
 */
export async function keepAnAdmin(tx: Transaction, teamId: TeamId, leaving: UserId): Promise<void> {
  await lockOrganization(tx, teamId)
  if (!(await hasOtherAdmin(tx, teamId, leaving))) throw rejection('last_admin')
}
