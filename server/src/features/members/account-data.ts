import type { Database } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { UserId } from '../../platform/ids.js'
import { type AccountData, MAX_EXPORTED } from '../../platform/module.js'
import { grantsUnrestricted, isConfirmed, showsOwnProfile } from './confirmed.js'
import { EXPORTED_TEAM } from './own-teams.js'

const stored = (column: string, name: string): string =>
  `CASE WHEN ${showsOwnProfile('m', 'u')} THEN m.${column} END AS "${name}"`

const memberships = namedQuery<Record<string, unknown>, [UserId, number]>(
  'members.account_data',
  `SELECT jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug) AS team, m.role, m.status, ${isConfirmed('m', 'u')} AS confirmed,
     ${[
       stored('first_name', 'firstName'),
       stored('last_name', 'lastName'),
       ...['department', 'title', 'phone', 'locale'].map((column) => stored(column, column)),
       stored('external_id', 'externalId'),
       stored('source', 'source'),
       stored('leave_at', 'leaveAt'),
     ].join(', ')},
     m.created_at AS "createdAt", m.last_used_at AS "lastUsedAt"
   FROM memberships m JOIN users u ON u.id = m.user_id JOIN organizations o ON o.id = m.organization_id
   WHERE m.user_id = $1 AND ${grantsUnrestricted('m', 'u')} ORDER BY confirmed DESC, m.created_at, m.id LIMIT $2`,
)

const blocks = namedQuery<Record<string, unknown>, [UserId, number]>(
  'members.account_data_blocked',
  `SELECT o.id, o.name, b.blocked_at AS "blockedAt" FROM blocked_teams b JOIN organizations o ON o.id = b.organization_id
   JOIN users u ON u.id = b.user_id AND u.email_verified_at IS NOT NULL WHERE b.user_id = $1 ORDER BY b.blocked_at, o.id LIMIT $2`,
)

// Invitations to an unverified address may be of another person, and closed ones from before the account of its earlier owner.
const invited = namedQuery<Record<string, unknown>, [UserId, number]>(
  'members.account_data_invitations',
  `SELECT i.id, ${EXPORTED_TEAM}, i.role, i.status, i.created_at AS "createdAt", i.expires_at AS "expiresAt"
   FROM users u JOIN invitations i ON i.email = u.email JOIN organizations o ON o.id = i.organization_id
   WHERE u.id = $1 AND u.email_verified_at IS NOT NULL AND (i.created_at >= u.created_at OR i.accepted_by = u.id OR i.status = 'PENDING')
   ORDER BY i.created_at DESC, i.id LIMIT $2`,
)

const removals = namedQuery<Record<string, unknown>, [UserId, number]>(
  'members.account_data_removed',
  `SELECT ${EXPORTED_TEAM}, r.removed_at AS "removedAt"
   FROM users u JOIN removed_members r ON r.user_id = u.id AND r.email = u.email JOIN organizations o ON o.id = r.organization_id
   WHERE u.id = $1 AND u.email_verified_at IS NOT NULL ORDER BY r.removed_at DESC, o.id LIMIT $2`,
)

/** The memberships with the profiles that confirmed teams store, and what teams without a membership store. */
export const memberData = (db: Database): Record<string, AccountData> => ({
  memberships: ({ userId }) => db.run(memberships, [userId, MAX_EXPORTED]),
  blockedTeams: ({ userId }) => db.run(blocks, [userId, MAX_EXPORTED]),
  invitations: ({ userId }) => db.run(invited, [userId, MAX_EXPORTED]),
  removals: ({ userId }) => db.run(removals, [userId, MAX_EXPORTED]),
})
