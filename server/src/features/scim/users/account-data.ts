import type { Database } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { UserId } from '../../../platform/ids.js'
import { type AccountData, MAX_EXPORTED } from '../../../platform/module.js'
import { EXPORTED_TEAM, OWN_TEAMS } from '../../members/index.js'

const profiles = namedQuery<Record<string, unknown>, [UserId, number]>(
  'scim.account_data',
  `SELECT ${EXPORTED_TEAM}, s.user_name AS "userName", s.address, s.phone, s.data AS attributes
   FROM ${OWN_TEAMS} JOIN scim_users s ON s.membership_id = m.id ORDER BY o.name, o.id LIMIT $2`,
)

/** The attributes of the user that SCIM clients wrote, and for which the membership has no field. */
export const scimProfileData = (db: Database): Record<string, AccountData> => ({
  scimProfiles: ({ userId }) => db.run(profiles, [userId, MAX_EXPORTED]),
})
