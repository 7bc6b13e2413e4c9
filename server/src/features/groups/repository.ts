import { and, asc, desc, eq, getTableColumns, ilike, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import { type GroupId, parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { memberships, showsOwnProfile } from '../members/index.js'
import { users } from '../users/index.js'
import { rejection } from './errors.js'
import { groupMembers, groups } from './tables.js'

export type Group = typeof groups.$inferSelect
export type CountedGroup = Group & { memberCount: number }

/** A member as the team sees them: the team's values, with the own profile as fallback while the membership is confirmed. */
export interface GroupUser {
  id: UserId
  email: string
  firstName: string | null
  lastName: string | null
}

const memberCount = sql<number>`(SELECT count(*)::int FROM ${groupMembers} gm WHERE gm.group_id = groups.id)`
const counted = { ...getTableColumns(groups), memberCount }

/** SQL: the name that the team stores, or else the own one if the team may see it. */
const nameInTeam = (ofTeam: AnyPgColumn, own: AnyPgColumn) =>
  sql<string | null>`coalesce(${ofTeam}, CASE WHEN ${sql.raw(showsOwnProfile('memberships', 'users'))} THEN ${own} END)`

/**
 * SQL: transfers the user's group memberships when `createMoveMemberships` transfers their team memberships. Requires the CTE `moved` and
 * the parameters `:from` and `:to`.
 */
export const MOVE_GROUP_MEMBERS =
  'UPDATE group_members g SET user_id = :to FROM moved WHERE g.user_id = :from AND g.organization_id = moved.organization_id'

/** Returns a LIKE pattern for strings that contain `text`. Escapes the metacharacters of LIKE. */
const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Queries for the groups of one team. Methods that take a `GroupId` from `lockGroup` rely on its team check. */
export const groupRepository = (tx: Transaction, teamId: TeamId) => {
  const byId = (id: GroupId) => and(eq(groups.id, id), eq(groups.organizationId, teamId))
  // A team typically has at most a few thousand groups: scanning the names is cheaper than maintaining an index.
  const matching = (search: string | undefined): SQL | undefined =>
    and(eq(groups.organizationId, teamId), search === undefined ? undefined : ilike(groups.name, likePattern(search)))

  return {
    find: (id: GroupId): Promise<CountedGroup[]> => tx.select(counted).from(groups).where(byId(id)),

    lock: (id: GroupId): Promise<Group[]> => tx.select().from(groups).where(byId(id)).for('no key update'),

    /** Returns one page, newest first, of the groups whose name contains `search`, case-insensitively. */
    page: (search: string | undefined, { page, limit }: { page: number; limit: number }): Promise<CountedGroup[]> =>
      tx
        .select(counted)
        .from(groups)
        .where(matching(search))
        .orderBy(desc(groups.createdAt), desc(groups.id))
        .limit(limit)
        .offset((page - 1) * limit),

    async total(search: string | undefined): Promise<number> {
      const [row] = await tx.select({ total: sql<number>`count(*)::int` }).from(groups).where(matching(search))
      return row?.total ?? 0
    },

    /** Returns undefined if the team already has a group with this name. */
    async insert(group: Omit<Group, 'organizationId'>): Promise<Group | undefined> {
      const [row] = await tx
        .insert(groups)
        .values({ ...group, organizationId: teamId })
        .onConflictDoNothing({ target: [groups.organizationId, groups.name] })
        .returning()
      return row
    },

    /** @throws a unique violation (`groups_organization_name`) if the name is taken */
    update: (id: GroupId, change: Partial<Pick<Group, 'name' | 'description' | 'updatedAt'>>) =>
      tx.update(groups).set(change).where(byId(id)),

    /** Deletes the group, its memberships and its application assignments. Returns whether it existed. */
    delete: async (id: GroupId): Promise<boolean> =>
      (await tx.delete(groups).where(byId(id)).returning({ id: groups.id })).length > 0,

    /** Returns the members, sorted by email address. */
    members: (id: GroupId): Promise<GroupUser[]> =>
      tx
        .select({
          id: users.id,
          email: users.email,
          firstName: nameInTeam(memberships.firstName, users.firstName),
          lastName: nameInTeam(memberships.lastName, users.lastName),
        })
        .from(groupMembers)
        .innerJoin(users, eq(users.id, groupMembers.userId))
        .innerJoin(
          memberships,
          and(eq(memberships.userId, groupMembers.userId), eq(memberships.organizationId, groupMembers.organizationId)),
        )
        .where(and(eq(groupMembers.groupId, id), eq(groupMembers.organizationId, teamId)))
        .orderBy(asc(users.email)),

    /** Does not filter by team: the ID comes from `lockGroup`. */
    async memberIds(id: GroupId): Promise<UserId[]> {
      const rows = await tx.select({ id: groupMembers.userId }).from(groupMembers).where(eq(groupMembers.groupId, id))
      return rows.map((row) => row.id)
    },

    /** Returns those of `userIds` who are in the group. */
    async membersAmong(id: GroupId, userIds: UserId[]): Promise<UserId[]> {
      const rows = await tx
        .select({ id: groupMembers.userId })
        .from(groupMembers)
        .where(and(eq(groupMembers.groupId, id), anyOf(groupMembers.userId, userIds)))
      return rows.map((row) => row.id)
    },

    /** Removes and adds members with two statements. The caller must have locked the group and the added users. */
    async changeMembers(id: GroupId, { added, removed }: { added: UserId[]; removed: UserId[] }): Promise<void> {
      if (removed.length > 0)
        await tx.execute(
          sql`DELETE FROM ${groupMembers} gm WHERE gm.group_id = ${id} AND gm.user_id = ANY(${sql.param(removed)}::uuid[])`,
        )
      if (added.length > 0)
        await tx.execute(
          sql`INSERT INTO ${groupMembers} (group_id, organization_id, user_id)
          SELECT ${id}::uuid, ${teamId}::uuid, unnest(${sql.param(added)}::uuid[]) ON CONFLICT DO NOTHING`,
        )
    },
  }
}

/** Returns the group. Runs in the caller's transaction. @throws group_not_found if the ID is malformed, unknown, or belongs to another team */
export async function findGroup(tx: Transaction, teamId: TeamId, id: string): Promise<CountedGroup> {
  const groupId = parseId<GroupId>(id)
  const [group] = groupId ? await groupRepository(tx, teamId).find(groupId) : []
  if (!group) throw rejection('group_not_found')
  return group
}

/**
 * Returns the group without its member count. Locks its row, which serializes changes of its members and applications. Runs in the caller's
 * transaction.
 * @throws group_not_found if the ID is malformed, unknown, or belongs to another team
 */
export async function lockGroup(tx: Transaction, teamId: TeamId, id: string): Promise<Group> {
  const groupId = parseId<GroupId>(id)
  const [group] = groupId ? await groupRepository(tx, teamId).lock(groupId) : []
  if (!group) throw rejection('group_not_found')
  return group
}

/** Returns those of `ids` that are groups of the team, and prevents their deletion. Runs in the caller's transaction. */
export async function lockGroups(tx: Transaction, teamId: TeamId, ids: GroupId[]): Promise<GroupId[]> {
  const rows = await tx
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.organizationId, teamId), anyOf(groups.id, ids)))
    .orderBy(groups.id)
    .for('key share')
  return rows.map(({ id }) => id)
}

/** Returns the IDs of the team's groups with these names, keyed by name. Runs in the caller's transaction. */
export async function groupsNamed(tx: Transaction, teamId: TeamId, names: string[]): Promise<Map<string, GroupId>> {
  if (names.length === 0) return new Map()
  const rows = await tx
    .select({ id: groups.id, name: groups.name })
    .from(groups)
    .where(and(eq(groups.organizationId, teamId), sql`${groups.name} = ANY(${sql.param(names)}::text[])`))
  return new Map(rows.map(({ id, name }) => [name, id]))
}

/** Returns the user's groups in the team, sorted by name. Runs in the caller's transaction. */
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
