import type { Database } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { UserId } from '../../platform/ids.js'
import { type AccountData, MAX_EXPORTED } from '../../platform/module.js'
import { EXPORTED_TEAM, OWN_TEAMS } from '../members/index.js'

const teamPasswords = namedQuery<Record<string, unknown>, [UserId, number]>(
  'passwords.account_data',
  `SELECT ${EXPORTED_TEAM}, p.is_temporary AS "temporary", p.set_at AS "setAt"
   FROM ${OWN_TEAMS} JOIN team_passwords p ON p.user_id = m.user_id AND p.organization_id = o.id ORDER BY o.name, o.id LIMIT $2`,
)

/** The teams in which the user has a team password. */
export const teamPasswordData = (db: Database): Record<string, AccountData> => ({
  teamPasswords: ({ userId }) => db.run(teamPasswords, [userId, MAX_EXPORTED]),
})
