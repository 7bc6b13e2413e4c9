import type { Database } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { UserId } from '../../platform/ids.js'
import { type AccountData, MAX_EXPORTED } from '../../platform/module.js'
import { EXPORTED_TEAM, OWN_TEAMS } from '../members/index.js'

const nameIds = namedQuery<Record<string, unknown>, [UserId, number]>(
  'saml_provider.account_data',
  `SELECT ${EXPORTED_TEAM}, jsonb_build_object('id', a.id, 'name', a.name) AS application, n.value AS "nameId"
   FROM ${OWN_TEAMS} JOIN applications a ON a.organization_id = o.id JOIN (
     SELECT application_id, value FROM saml_name_ids WHERE user_id = $1
     UNION
     SELECT n.application_id, n.name_id FROM sessions s JOIN saml_sessions n ON n.session_id = s.id WHERE s.user_id = $1
     UNION
     SELECT n.application_id, n.name_id FROM sessions s JOIN saml_further_names n ON n.session_id = s.id WHERE s.user_id = $1
   ) n ON n.application_id = a.id
   ORDER BY o.name, o.id, a.name, a.id, n.value LIMIT $2`,
)

/** The identifiers of the user at SAML applications: persistent ones, and those of sessions. */
export const nameIdData = (db: Database): Record<string, AccountData> => ({
  samlNameIds: ({ userId }) => db.run(nameIds, [userId, MAX_EXPORTED]),
})
