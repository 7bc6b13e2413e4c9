import type { Database } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { UserId } from '../../platform/ids.js'
import { type AccountData, MAX_EXPORTED } from '../../platform/module.js'
import { EXPORTED_TEAM, OWN_TEAMS } from '../members/index.js'

const groups = namedQuery<Record<string, unknown>, [UserId, number]>(
  'groups.account_data',
  `SELECT ${EXPORTED_TEAM}, g.id, g.name FROM ${OWN_TEAMS}
   JOIN group_members gm ON gm.user_id = m.user_id AND gm.organization_id = o.id JOIN groups g ON g.id = gm.group_id
   ORDER BY o.name, o.id, g.name LIMIT $2`,
)

/** The groups of the user. */
export const groupData = (db: Database): Record<string, AccountData> => ({
  groups: ({ userId }) => db.run(groups, [userId, MAX_EXPORTED]),
})
