import type { Database } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { UserId } from '../../platform/ids.js'
import { type AccountData, MAX_EXPORTED } from '../../platform/module.js'
import { EXPORTED_TEAM, OWN_TEAMS } from '../members/index.js'

const nameIds = namedQuery<Record<string, unknown>, [UserId, number]>(
  'saml_provider.account_data',
  `SELECT ${EXPORTED_TEAM}, jsonb_build_object('id', a.id, 'name', a.name) AS application, n.value AS "nameId"
   FROM ${OWN_TEAMS} JOIN saml_name_ids n ON n.user_id = m.user_id JOIN applications a ON a.id = n.application_id AND a.organization_id = o.id
   ORDER BY o.name, o.id, a.name, a.id LIMIT $2`,
)

/** The persistent identifiers of the user at SAML applications. */
export const nameIdData = (db: Database): Record<string, AccountData> => ({
  samlNameIds: ({ userId }) => db.run(nameIds, [userId, MAX_EXPORTED]),
})
