import type { Database } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { UserId } from '../../../platform/ids.js'
import { type AccountData, MAX_EXPORTED } from '../../../platform/module.js'
import { EXPORTED_TEAM, OWN_TEAMS } from '../../members/index.js'

const identities = namedQuery<Record<string, unknown>, [UserId, number]>(
  'sso.account_data',
  `SELECT ${EXPORTED_TEAM}, p.name AS provider, e.subject, e.created_at AS "createdAt", e.last_used_at AS "lastUsedAt"
   FROM ${OWN_TEAMS} JOIN sso_providers p ON p.organization_id = o.id JOIN external_identities e ON e.provider_id = p.id AND e.user_id = m.user_id
   ORDER BY e.created_at DESC, p.id LIMIT $2`,
)

const signIns = namedQuery<Record<string, unknown>, [UserId, number]>(
  'sso.account_data_sign_ins',
  `SELECT ${EXPORTED_TEAM}, p.name AS provider, s.kind, s.outcome, s.error, s.attributes, s.created_at AS "createdAt"
   FROM ${OWN_TEAMS} JOIN sso_sign_ins s ON s.user_id = m.user_id AND s.organization_id = o.id JOIN sso_providers p ON p.id = s.provider_id
   ORDER BY s.created_at DESC, s.id LIMIT $2`,
)

/** The identities at providers of teams that are linked to the account, and the last sign-ins with them. */
export const identityData = (db: Database): Record<string, AccountData> => ({
  externalIdentities: ({ userId }) => db.run(identities, [userId, MAX_EXPORTED]),
  providerSignIns: ({ userId }) => db.run(signIns, [userId, MAX_EXPORTED]),
})
