import type { Database } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { UserId } from '../../../platform/ids.js'
import { type AccountData, MAX_EXPORTED } from '../../../platform/module.js'
import { EXPORTED_TEAM, OWN_TEAMS } from '../../members/index.js'

const entries = namedQuery<Record<string, unknown>, [UserId, number]>(
  'ldap.account_data',
  `SELECT ${EXPORTED_TEAM}, e.dn, e.fields, e.active, e.gone_since AS "goneSince"
   FROM ${OWN_TEAMS} JOIN directory_entries e ON e.user_id = m.user_id AND e.organization_id = o.id ORDER BY o.name, o.id, e.dn LIMIT $2`,
)

/** The entries of directories from which the user was imported. */
export const directoryEntryData = (db: Database): Record<string, AccountData> => ({
  directoryEntries: ({ userId }) => db.run(entries, [userId, MAX_EXPORTED]),
})
