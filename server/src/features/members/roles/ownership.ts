import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { lockOrganization } from '../../teams/index.js'
import { grantsUnrestricted, isConfirmed } from '../confirmed.js'
import { rejection } from '../errors.js'

const admin = namedQuery<{ id: UserId }, [TeamId, UserId | null]>(
  'members.admin',
  `SELECT m.user_id AS id FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 AND ($2::uuid IS NULL OR m.user_id <> $2)
     AND m.role IN ('OWNER', 'SUPER_ADMIN') AND m.status = 'active' AND ${isConfirmed('m', 'u')} LIMIT 1`,
)

/**
 * Returns whether the team has an owner or super-admin who is active and confirmed; an unconfirmed one does not administer it. Runs in the
 * caller's transaction.
 * @param besides a user who does not count
 */
export const hasAdmin = async (tx: Transaction, teamId: TeamId, besides: UserId | null = null): Promise<boolean> =>
  (await tx.run(admin, [teamId, besides])).length > 0

const successor = namedQuery<{ id: UserId }, [TeamId, UserId]>(
  'members.successor',
  `SELECT m.user_id AS id FROM memberships m JOIN users u ON u.id = m.user_id AND u.status = 'active'
   WHERE m.organization_id = $1 AND m.user_id <> $2 AND m.role = 'ORG_ADMIN' AND m.status = 'active' AND ${isConfirmed('m', 'u')}
   ORDER BY m.created_at, m.id LIMIT 1`,
)

/**
 * Returns the member who becomes the owner when the last one deletes their account: the longest-standing active, confirmed ORG_ADMIN. That
 * role holds every permission but org:delete already; no lower role is promoted. Runs in the caller's transaction.
 */
export const successorOf = async (tx: Transaction, teamId: TeamId, leaving: UserId): Promise<UserId | undefined> =>
  (await tx.run(successor, [teamId, leaving]))[0]?.id

const withoutOther = namedQuery<{ id: TeamId; name: string }, [UserId, number]>(
  'members.teams_without_other_admin',
  `SELECT o.id, o.name FROM memberships m JOIN users u ON u.id = m.user_id JOIN organizations o ON o.id = m.organization_id
   WHERE m.user_id = $1 AND m.role IN ('OWNER', 'SUPER_ADMIN') AND m.status = 'active' AND ${isConfirmed('m', 'u')} AND ${grantsUnrestricted('m', 'u')}
     AND EXISTS (SELECT FROM memberships other WHERE other.organization_id = o.id AND other.user_id <> $1)
     AND NOT EXISTS (SELECT FROM memberships a JOIN users au ON au.id = a.user_id WHERE a.organization_id = o.id AND a.user_id <> $1
       AND a.role IN ('OWNER', 'SUPER_ADMIN') AND a.status = 'active' AND ${isConfirmed('a', 'au')})
   ORDER BY o.name, o.id LIMIT $2`,
)

/**
 * Returns up to `limit` teams with other members, in any status, that would have no owner or super-admin without the user. A team that
 * merely made the user an owner is none of them: the user has not confirmed that. Runs in the caller's transaction.
 */
export const teamsWithoutOtherAdmin = (
  tx: Transaction,
  userId: UserId,
  limit: number,
): Promise<{ id: TeamId; name: string }[]> => tx.run(withoutOther, [userId, limit])

/**
 * Verifies that the team keeps an owner or super-admin when `leaving` is removed, demoted or suspended. Locks the team first, so that one
 * of two who leave concurrently stays. Runs in the caller's transaction.
 * @throws last_admin
 */
export async function requireRemainingAdmin(tx: Transaction, teamId: TeamId, leaving: UserId): Promise<void> {
  await lockOrganization(tx, teamId)
  if (!(await hasAdmin(tx, teamId, leaving))) throw rejection('last_admin')
}
