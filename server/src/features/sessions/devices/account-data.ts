import type { Clock } from '../../../platform/clock.js'
import type { Database } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { UserId } from '../../../platform/ids.js'
import { type AccountData, MAX_EXPORTED } from '../../../platform/module.js'
import { EXPORTED_TEAM, OWN_TEAMS } from '../../members/index.js'
import { isActiveSession } from '../absolute-end.js'

const networks = namedQuery<Record<string, unknown>, [UserId, number]>(
  'sessions.account_data_networks',
  `SELECT NULL AS team, network, ip_address AS "ipAddress", last_seen_at AS "lastSeenAt" FROM sign_in_places WHERE user_id = $1
   UNION ALL
   SELECT ${EXPORTED_TEAM}, t.network, t.ip_address, t.last_seen_at
   FROM ${OWN_TEAMS} JOIN team_sign_ins t ON t.user_id = m.user_id AND t.organization_id = o.id
   ORDER BY "lastSeenAt" DESC LIMIT $2`,
)

const ended = namedQuery<Record<string, unknown>, [UserId, number, Date]>(
  'sessions.account_data_ended',
  `SELECT s.id, s.method, ${EXPORTED_TEAM}, s.ip_address AS "ipAddress", s.user_agent AS "userAgent",
     s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt", s.ended_at AS "endedAt", s.end_reason AS "endReason"
   FROM sessions s JOIN organizations o ON o.id = s.organization_id
   WHERE s.user_id = $1 AND s.kind = 'session' AND (${isActiveSession('s', '$3')}) IS NOT TRUE
     AND (s.confined_team_id IS NULL OR s.confined_team_id IN (SELECT o.id FROM ${OWN_TEAMS}))
   ORDER BY s.last_seen_at DESC, s.id LIMIT $2`,
)

// Links to an unverified address may belong to another person, except those that verify it.
const links = namedQuery<Record<string, unknown>, [UserId, number]>(
  'sessions.account_data_links',
  `SELECT kind, email, created_at AS "createdAt", expires_at AS "expiresAt", used_at AS "usedAt"
   FROM one_time_tokens WHERE user_id = $1 AND restricted_to_team_id IS NULL
     AND (kind = 'verify_email' OR EXISTS (SELECT FROM users u WHERE u.id = $1 AND u.email_verified_at IS NOT NULL))
   ORDER BY created_at DESC, hash LIMIT $2`,
)

/** The networks of sign-ins, and the ended sessions, mailed links and challenges that are still stored. */
export const signInData = ({ db, clock }: { db: Database; clock: Clock }): Record<string, AccountData> => ({
  signInNetworks: ({ userId }) => db.run(networks, [userId, MAX_EXPORTED]),
  endedSessions: ({ userId }) => db.run(ended, [userId, MAX_EXPORTED, clock.now()]),
  mailedLinks: ({ userId }) => db.run(links, [userId, MAX_EXPORTED]),
})
