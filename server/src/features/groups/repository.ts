import { and, asc, desc, eq, getTableColumns, ilike, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import { type GroupId, parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { memberships, showsOwn } from '../members/index.js'
import { organizations } from '../teams/index.js'
import { users } from '../users/index.js'
import { groupMembers, groups } from './tables.js'

export type Group = typeof groups.$inferSelect
export type CountedGroup = Group & { memberCount: number }

/** A member as the team sees the person: what it writes about them first, else the own profile while the membership is confirmed. */
export interface GroupUser {
  id: UserId
  email: string
  firstName: string | null
  lastName: string | null
}

const memberCount = sql<number>`(SELECT count(*)::int FROM ${groupMembers} gm WHERE gm.group_id = groups.id)`
const counted = { ...getTableColumns(groups), memberCount }

const ownName = (ofTeam: AnyPgColumn, own: AnyPgColumn) =>
  sql<string | null>`coalesce(${ofTeam}, CASE WHEN ${sql.raw(showsOwn('memberships', 'users'))} THEN ${own} END)`

/** The metacharacters of LIKE stand for themselves. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** The only SQL on the group itself. The team is bound once, so that no query can forget it. */
export const groupRepository = (tx: Transaction, teamId: TeamId) => {
  const one = (id: GroupId) => and(eq(groups.id, id), eq(groups.organizationId, teamId))
  // A team has some thousand groups at most: the names are read through, and an index of them would cost more than it saves.
  const matching = (search: string | undefined): SQL | undefined =>
    and(eq(groups.organizationId, teamId), search === undefined ? undefined : ilike(groups.name, containing(search)))

  return {
    /** Undefined for an unknown id, for one of another team, and for a text that is none alike. */
    async find(id: string): Promise<CountedGroup | undefined> {
      const known = parseId<GroupId>(id)
      return known && (await tx.select(counted).from(groups).where(one(known)))[0]
    },

    /** Without the count; whoever changes the group or a set of it takes turns until the transaction ends. */
    async lock(id: string): Promise<Group | undefined> {
      const known = parseId<GroupId>(id)
      return known && (await tx.select().from(groups).where(one(known)).for('no key update'))[0]
    },

    /** One page, newest first, of those whose name contains `search` in whatever case. */
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

    /** Whether the team is still there, kept from being deleted until the transaction ends. */
    async keepTeam(): Promise<boolean> {
      const rows = await tx
        .select({ id: organizations.id })
        .from(organizations)
        .where(eq(organizations.id, teamId))
        .for('key share')
      return rows.length === 1
    },

    /** Undefined when the team has a group of this name. */
    async insert(group: Omit<Group, 'organizationId'>): Promise<Group | undefined> {
      const [row] = await tx
        .insert(groups)
        .values({ ...group, organizationId: teamId })
        .onConflictDoNothing({ target: [groups.organizationId, groups.name] })
        .returning()
      return row
    },

    /** @throws a violation of `groups_organization_name` */
    update: (id: GroupId, change: Partial<Pick<Group, 'name' | 'description' | 'updatedAt'>>) =>
      tx.update(groups).set(change).where(one(id)),

    /** Deletes it with its members and assignments; undefined when there is none. */
    async delete(id: string): Promise<Group | undefined> {
      const known = parseId<GroupId>(id)
      return known && (await tx.delete(groups).where(one(known)).returning())[0]
    },

    /** By address. */
    members: (id: GroupId): Promise<GroupUser[]> =>
      tx
        .select({
          id: users.id,
          email: users.email,
          firstName: ownName(memberships.firstName, users.firstName),
          lastName: ownName(memberships.lastName, users.lastName),
        })
        .from(groupMembers)
        .innerJoin(users, eq(users.id, groupMembers.userId))
        .innerJoin(
          memberships,
          and(eq(memberships.userId, groupMembers.userId), eq(memberships.organizationId, groupMembers.organizationId)),
        )
        .where(and(eq(groupMembers.groupId, id), eq(groupMembers.organizationId, teamId)))
        .orderBy(asc(users.email)),

    async memberIds(id: GroupId): Promise<UserId[]> {
      const rows = await tx.select({ id: groupMembers.userId }).from(groupMembers).where(eq(groupMembers.groupId, id))
      return rows.map((row) => row.id)
    },

    /** Those of `userIds` who are in the group. */
    async membersAmong(id: GroupId, userIds: UserId[]): Promise<UserId[]> {
      const rows = await tx
        .select({ id: groupMembers.userId })
        .from(groupMembers)
        .where(and(eq(groupMembers.groupId, id), anyOf(groupMembers.userId, userIds)))
      return rows.map((row) => row.id)
    },

    /** Takes some out and puts others in, in two statements however many they are; the group is locked, the new ones too. */
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
