import { and, asc, eq } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { GroupId, TeamId, UserId } from '../../platform/ids.js'
import { groupMembers, groups } from './tables.js'

/** A step: the groups of the team that the user is in, by name. */
export function groupsOfUser(
  tx: Transaction,
  teamId: TeamId,
  userId: UserId,
): Promise<{ id: GroupId; name: string }[]> {
  return tx
    .select({ id: groups.id, name: groups.name })
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))
    .where(and(eq(groupMembers.userId, userId), eq(groupMembers.organizationId, teamId)))
    .orderBy(asc(groups.name))
}
