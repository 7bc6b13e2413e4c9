import { type SQL, sql } from 'drizzle-orm'
import type { ApplicationId } from '../../../platform/ids.js'
import { groupMembers } from '../../groups/index.js'
import { applicationGroups, applicationUsers } from '../tables.js'

/** SQL condition: the application is assigned to the user, directly or through a group. */
export const assigned = (application: string, user: string): string => `(
  EXISTS (SELECT 1 FROM application_users au WHERE au.application_id = ${application} AND au.user_id = ${user})
  OR EXISTS (SELECT 1 FROM application_groups ag JOIN group_members gm ON gm.group_id = ag.group_id
    WHERE ag.application_id = ${application} AND gm.user_id = ${user}))`

/** SQL: the IDs of the users to whom an application is assigned, by the same rule as `assigned`; one read for a whole team. */
export const usersAssignedTo = (id: ApplicationId): SQL =>
  sql`SELECT au.user_id FROM ${applicationUsers} au WHERE au.application_id = ${id}
    UNION SELECT gm.user_id FROM ${applicationGroups} ag JOIN ${groupMembers} gm ON gm.group_id = ag.group_id WHERE ag.application_id = ${id}`
