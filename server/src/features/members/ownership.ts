import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { isConfirmed } from './confirmed.js'
import { lockMember, type Membership } from './repository.js'

const admin = namedQuery<{ id: UserId }, [TeamId]>(
  'members.admin',
  `SELECT m.user_id AS id FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1
     AND m.role IN ('OWNER', 'SUPER_ADMIN') AND m.status = 'active' AND ${isConfirmed('m', 'u')} LIMIT 1`,
)

/** Returns whether the team has an owner or super-admin who is active and confirmed. Runs in the caller's transaction. */
export const hasAdmin = async (tx: Transaction, teamId: TeamId): Promise<boolean> =>
  (await tx.run(admin, [teamId])).length > 0

const successor = namedQuery<{ id: UserId }, [TeamId, UserId]>(
  'members.successor',
  `SELECT m.user_id AS id FROM memberships m JOIN users u ON u.id = m.user_id AND u.status = 'active'
   WHERE m.organization_id = $1 AND m.user_id <> $2 AND m.role = 'ORG_ADMIN' AND m.status = 'active' AND ${isConfirmed('m', 'u')}
   ORDER BY m.created_at, m.id LIMIT 1`,
)

/**
 * Returns the member to whom the team passes when its last owner leaves the instance: of its active and confirmed administrators (ORG_ADMIN)
 * the one who has been a member longest. They hold every permission but org:delete already; no lower role gains any. Runs in the caller's
 * transaction.
 */
export const successorOf = async (tx: Transaction, teamId: TeamId, leaving: UserId): Promise<UserId | undefined> =>
  (await tx.run(successor, [teamId, leaving]))[0]?.id

/** Returns the active membership, locked; undefined for any other user. Runs in the caller's transaction. */
export async function lockActiveMember(tx: Transaction, teamId: TeamId, id: UserId): Promise<Membership | undefined> {
  const member = await lockMember(tx, teamId, id)
  return member?.status === 'active' ? member : undefined
}
