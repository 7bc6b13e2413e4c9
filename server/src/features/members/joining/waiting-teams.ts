import type { Clock } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { isConfirmed } from '../confirmed.js'

/** A team with an unconfirmed membership, or one that the user blocked. Without its logo: any team can add any user. */
export interface WaitingTeam {
  id: TeamId
  name: string
  slug: string
  /** The stored role; null without a membership. */
  role: string | null
  /** A domain that the team has verified by DNS, preferably that of the user's email address. */
  verifiedDomain: string | null
}

const LIMIT = 10

const COLUMNS = 'o.id, o.name, o.slug, m.role, v.domain AS "verifiedDomain"'
const VERIFIED = `LEFT JOIN LATERAL (SELECT d.domain FROM team_domains d WHERE d.organization_id = o.id AND d.verified_at IS NOT NULL
     ORDER BY d.domain = split_part(u.email, '@', -1) DESC, d.domain LIMIT 1) v ON true`

const waiting = namedQuery<WaitingTeam, [UserId]>(
  'members.waiting_teams',
  `SELECT ${COLUMNS} FROM (
     SELECT m.*, EXISTS (SELECT FROM team_domains d WHERE d.organization_id = o.id AND d.verified_at IS NOT NULL) AS has_domain
     FROM memberships m JOIN users u ON u.id = m.user_id JOIN organizations o ON o.id = m.organization_id
     WHERE m.user_id = $1 AND u.email_verified_at IS NOT NULL AND m.status <> 'suspended' AND NOT ${isConfirmed('m', 'u')}
       AND (o.status = 'ACTIVE' OR m.role IN ('OWNER', 'SUPER_ADMIN'))
       AND NOT EXISTS (SELECT 1 FROM blocked_teams b WHERE b.user_id = m.user_id AND b.organization_id = o.id)
     ORDER BY has_domain DESC, m.created_at DESC, m.id DESC LIMIT ${LIMIT}) m
   JOIN users u ON u.id = m.user_id JOIN organizations o ON o.id = m.organization_id ${VERIFIED}
   ORDER BY m.has_domain DESC, m.created_at DESC, m.id DESC`,
)

/**
 * Returns the teams that wait for the user to confirm the membership: those with a verified domain first, then the newest; at most ten.
 * None for an unverified email address. Runs in the caller's transaction.
 */
export const waitingTeamsOf = (tx: Transaction, userId: UserId): Promise<WaitingTeam[]> => tx.run(waiting, [userId])

const blocked = namedQuery<WaitingTeam, [UserId]>(
  'members.blocked_teams',
  `SELECT ${COLUMNS} FROM blocked_teams b JOIN users u ON u.id = b.user_id JOIN organizations o ON o.id = b.organization_id
   LEFT JOIN memberships m ON m.user_id = b.user_id AND m.organization_id = b.organization_id ${VERIFIED}
   WHERE b.user_id = $1 ORDER BY b.blocked_at DESC, o.id LIMIT 100`,
)

/** Returns the teams that the user has blocked, newest first, at most a hundred. Runs in the caller's transaction. */
export const blockedTeamsOf = (tx: Transaction, userId: UserId): Promise<WaitingTeam[]> => tx.run(blocked, [userId])

const block = namedQuery<never, [UserId, TeamId, Date]>(
  'members.block_team',
  'INSERT INTO blocked_teams (user_id, organization_id, blocked_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
)
const unblock = namedQuery<{ id: TeamId }, [UserId, TeamId]>(
  'members.unblock_team',
  'DELETE FROM blocked_teams WHERE user_id = $1 AND organization_id = $2 RETURNING organization_id AS id',
)

/** Blocks a team for the user. Runs in the caller's transaction. */
export async function insertBlock(tx: Transaction, clock: Clock, userId: UserId, teamId: TeamId): Promise<void> {
  await tx.run(block, [userId, teamId, clock.now()])
}

/** Ends the block of a team. Returns whether there was one. Runs in the caller's transaction. */
export const deleteBlock = async (tx: Transaction, userId: UserId, teamId: TeamId): Promise<boolean> =>
  (await tx.run(unblock, [userId, teamId])).length > 0

const blockedBy = namedQuery<{ id: UserId }, [string, TeamId]>(
  'members.blocked_by',
  'SELECT u.id FROM users u JOIN blocked_teams b ON b.user_id = u.id WHERE u.email = $1 AND b.organization_id = $2',
)

/** Returns whether the owner of an email address has blocked the team. Runs in the caller's transaction. */
export const isBlocked = async (tx: Transaction, teamId: TeamId, email: string): Promise<boolean> =>
  (await tx.run(blockedBy, [email, teamId])).length > 0
