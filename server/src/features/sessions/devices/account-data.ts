import type { Database } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { UserId } from '../../../platform/ids.js'
import { type AccountData, MAX_EXPORTED } from '../../../platform/module.js'
import { EXPORTED_TEAM, OWN_TEAMS } from '../../members/index.js'

const networks = namedQuery<Record<string, unknown>, [UserId, number]>(
  'sessions.account_data_networks',
  `SELECT NULL AS team, network, ip_address AS "ipAddress", last_seen_at AS "lastSeenAt" FROM sign_in_places WHERE user_id = $1
   UNION ALL
   SELECT ${EXPORTED_TEAM}, t.network, t.ip_address, t.last_seen_at
   FROM ${OWN_TEAMS} JOIN team_sign_ins t ON t.user_id = m.user_id AND t.organization_id = o.id
   ORDER BY "lastSeenAt" DESC LIMIT $2`,
)

const links = namedQuery<Record<string, unknown>, [UserId, number]>(
  'sessions.account_data_links',
  `SELECT kind, email, created_at AS "createdAt", expires_at AS "expiresAt", used_at AS "usedAt"
   FROM one_time_tokens WHERE user_id = $1 AND restricted_to_team_id IS NULL ORDER BY created_at DESC, hash LIMIT $2`,
)

/** The networks of sign-ins, and the mailed links and challenges that are still stored. */
export const signInData = (db: Database): Record<string, AccountData> => ({
  signInNetworks: ({ userId }) => db.run(networks, [userId, MAX_EXPORTED]),
  mailedLinks: ({ userId }) => db.run(links, [userId, MAX_EXPORTED]),
})
