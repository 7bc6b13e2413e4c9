import type { Database } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { UserId } from '../../../platform/ids.js'
import { type AccountData, MAX_EXPORTED } from '../../../platform/module.js'
import { EXPORTED_TEAM, OWN_TEAMS } from '../../members/index.js'

const assignments = namedQuery<Record<string, unknown>, [UserId, number]>(
  'applications.account_data',
  `SELECT ${EXPORTED_TEAM}, jsonb_build_object('id', a.id, 'name', a.name) AS application, g.name AS "group"
   FROM ${OWN_TEAMS} JOIN (
     SELECT application_id, user_id, organization_id, NULL::uuid AS group_id FROM application_users WHERE user_id = $1
     UNION ALL
     SELECT ag.application_id, gm.user_id, gm.organization_id, gm.group_id
     FROM group_members gm JOIN application_groups ag ON ag.group_id = gm.group_id WHERE gm.user_id = $1
   ) s ON s.organization_id = o.id JOIN applications a ON a.id = s.application_id LEFT JOIN groups g ON g.id = s.group_id
   ORDER BY o.name, o.id, a.name, a.id, g.name NULLS FIRST LIMIT $2`,
)

/** The applications that are assigned to the user or to a group of the user. */
export const assignmentData = (db: Database): Record<string, AccountData> => ({
  applicationAssignments: ({ userId }) => db.run(assignments, [userId, MAX_EXPORTED]),
})
