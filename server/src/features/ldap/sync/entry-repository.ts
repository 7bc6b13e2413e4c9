import { and, eq, isNull, max, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { DirectoryId, GroupId, UserId } from '../../../platform/ids.js'
import { users } from '../../users/index.js'
import { directoryEntries, directoryMembers } from '../tables.js'

export type KnownEntry = typeof directoryEntries.$inferSelect
type Kind = KnownEntry['kind']
/** The part of an entry that shows whether it has changed. */
export type EntryState = Pick<KnownEntry, 'no' | 'key' | 'dnHash' | 'contentHash' | 'changeMarker' | 'goneSince'>

const { no, key, dn, dnHash, contentHash, changeMarker, goneSince, userId, groupId } = directoryEntries
const STATE = { no, key, dnHash, contentHash, changeMarker, goneSince }

/** The stored entries of given keys. */
interface Known<Entry> {
  all: Entry[]
  get(entry: { key: Buffer }): Entry | undefined
}

function byKey<Entry extends { key: Buffer }>(all: Entry[]): Known<Entry> {
  const byHex = new Map(all.map((entry) => [entry.key.toString('hex'), entry]))
  return { all, get: ({ key }) => byHex.get(key.toString('hex')) }
}

export type Entries = ReturnType<typeof entryRepository>

/** SQL: moves the entries of users with their memberships, for `createMoveMemberships`. */
export const MOVE_DIRECTORY_ENTRIES =
  'UPDATE directory_entries d SET user_id = :to FROM moved WHERE d.user_id = :from AND d.organization_id = moved.organization_id'

/** Queries for the stored entries of one directory. */
export const entryRepository = (tx: Transaction, directoryId: DirectoryId) => {
  const ofDirectory = eq(directoryEntries.directoryId, directoryId)
  const there = isNull(directoryEntries.goneSince)
  const withKeysOf = (kind: Kind, some: { key: Buffer }[]) => {
    const keys = some.map((one) => one.key)
    return and(ofDirectory, eq(directoryEntries.kind, kind), sql`${key} = ANY(${sql.param(keys)}::bytea[])`)
  }
  return {
    /** Returns the first unused entry number. */
    async nextNo(): Promise<number> {
      const [row] = await tx
        .select({ last: max(no) })
        .from(directoryEntries)
        .where(ofDirectory)
      return (row?.last ?? -1) + 1
    },

    /** Returns the number of present entries. */
    async count(kind?: Kind): Promise<number> {
      const [row] = await tx
        .select({ count: sql<number>`count(*)::int` })
        .from(directoryEntries)
        .where(and(ofDirectory, there, kind && eq(directoryEntries.kind, kind)))
      return row?.count ?? 0
    },

    /** Returns the stored entries with the keys of these entries of the directory. */
    known: async (kind: Kind, some: { key: Buffer }[]): Promise<Known<KnownEntry>> =>
      byKey(await tx.select().from(directoryEntries).where(withKeysOf(kind, some))),

    /** Like `known`, but reads only the state. For whole pages, where most entries are unchanged. */
    states: async (kind: Kind, some: { key: Buffer }[]): Promise<Known<EntryState>> =>
      byKey(await tx.select(STATE).from(directoryEntries).where(withKeysOf(kind, some))),

    /** Returns those of these email addresses whose accounts were imported from an entry. */
    async owned(emails: string[]): Promise<Set<string>> {
      const rows = await tx
        .select({ email: users.email })
        .from(directoryEntries)
        .innerJoin(users, eq(users.id, directoryEntries.userId))
        .where(and(ofDirectory, sql`${users.email} = ANY(${sql.param(emails)}::text[])`))
      return new Set(rows.map(({ email }) => email))
    },

    /** Returns the entry from which the account with this email address was imported. */
    async byAddress(email: string): Promise<KnownEntry | undefined> {
      const [row] = await tx
        .select({ entry: directoryEntries })
        .from(directoryEntries)
        .innerJoin(users, eq(users.id, directoryEntries.userId))
        .where(and(ofDirectory, eq(users.email, email)))
        .limit(1)
      return row?.entry
    },

    insert: (entry: Omit<typeof directoryEntries.$inferInsert, 'directoryId' | 'goneSince'>) =>
      tx.insert(directoryEntries).values({ ...entry, directoryId, goneSince: null }),

    update: (no: number, change: Partial<KnownEntry>) =>
      tx
        .update(directoryEntries)
        .set(change)
        .where(and(ofDirectory, eq(directoryEntries.no, no))),

    /** Stores the change markers of entries that are otherwise unchanged. */
    async writeChangeMarkers(entries: { no: number; changeMarker: string | null }[]): Promise<void> {
      if (entries.length === 0) return
      const nos = entries.map((one) => one.no)
      const markers = entries.map((one) => one.changeMarker)
      await tx.execute(sql`UPDATE ${directoryEntries} e SET mark = n.mark
        FROM unnest(${sql.param(nos)}::int[], ${sql.param(markers)}::text[]) AS n (no, mark)
        WHERE e.directory_id = ${directoryId} AND e.no = n.no`)
    },

    /**
     * Clears the change markers of the groups that list one of these member names, because the name now refers to another entry. A server updates
     * member names in its groups on a rename or a deletion, without changing their change markers.
     */
    async clearMarkersOfGroupsListing(names: Buffer[]): Promise<void> {
      if (names.length === 0) return
      await tx.execute(sql`UPDATE ${directoryEntries} e SET mark = NULL FROM ${directoryMembers} m
        WHERE m.directory_id = ${directoryId} AND m.member = ANY(${sql.param(names)}::bytea[])
          AND e.directory_id = m.directory_id AND e.no = m.group_no AND e.mark IS NOT NULL`)
    },

    /** Returns the present entries without a change marker. */
    withoutMarker: (kind: Kind): Promise<Pick<KnownEntry, 'no' | 'key' | 'dn'>[]> =>
      tx
        .select({ no, key, dn })
        .from(directoryEntries)
        .where(and(ofDirectory, there, eq(directoryEntries.kind, kind), isNull(changeMarker))),

    /** Returns one page of the present entries, after the number `after`. */
    page: (kind: Kind, after: number, limit: number): Promise<Pick<KnownEntry, 'no' | 'dn' | 'userId' | 'groupId'>[]> =>
      tx
        .select({ no, dn, userId, groupId })
        .from(directoryEntries)
        .where(and(ofDirectory, there, eq(directoryEntries.kind, kind), sql`${no} > ${after}`))
        .orderBy(no)
        .limit(limit),

    /** Returns one page of the groups, present or gone, after the number `after`. */
    groupsAfter: async (after: number, limit: number): Promise<{ no: number; groupId: GroupId }[]> => {
      const rows = await tx
        .select({ no, groupId })
        .from(directoryEntries)
        .where(and(ofDirectory, eq(directoryEntries.kind, 'group'), sql`${no} > ${after}`))
        .orderBy(no)
        .limit(limit)
      return rows.flatMap(({ no, groupId }) => (groupId ? [{ no, groupId }] : []))
    },

    /** Replaces the member names that are stored for a group. */
    async replaceMembers(groupNo: number, members: Buffer[]): Promise<void> {
      await tx
        .delete(directoryMembers)
        .where(and(eq(directoryMembers.directoryId, directoryId), eq(directoryMembers.groupNo, groupNo)))
      if (members.length > 0)
        await tx.execute(
          sql`INSERT INTO ${directoryMembers} (directory_id, group_no, member)
            SELECT ${directoryId}::uuid, ${groupNo}::int, unnest(${sql.param(members)}::bytea[])`,
        )
    },

    /**
     * Returns which users to add to the group and to remove from it: its members and those of nested groups. UNION drops known groups, so
     * cycles end. The query omits the kind of the entries, because no index contains it together with the name.
     */
    async membersToChange(groupNo: number, groupId: GroupId): Promise<{ added: UserId[]; removed: UserId[] }> {
      const { rows } = await tx.execute<{ added: UserId[]; removed: UserId[] }>(
        sql`WITH RECURSIVE inside (no) AS (
            SELECT e.no FROM directory_entries e WHERE e.directory_id = ${directoryId} AND e.no = ${groupNo} AND e.gone_since IS NULL
            UNION
            SELECT g.no FROM inside i
              JOIN directory_members m ON m.directory_id = ${directoryId} AND m.group_no = i.no
              JOIN directory_entries g ON g.directory_id = ${directoryId} AND g.dn_hash = m.member AND g.group_id IS NOT NULL AND g.gone_since IS NULL),
          named AS (
            SELECT DISTINCT m.member FROM inside i JOIN directory_members m ON m.directory_id = ${directoryId} AND m.group_no = i.no),
          requested AS (
            SELECT u.user_id FROM named n JOIN directory_entries u ON u.directory_id = ${directoryId} AND u.dn_hash = n.member
              AND u.user_id IS NOT NULL AND u.gone_since IS NULL
            UNION
            SELECT u.user_id FROM named n JOIN directory_entries u ON u.directory_id = ${directoryId} AND u.uid_hash = n.member
              AND u.user_id IS NOT NULL AND u.gone_since IS NULL),
          present AS (SELECT gm.user_id FROM group_members gm WHERE gm.group_id = ${groupId})
          SELECT ARRAY(SELECT user_id FROM requested EXCEPT SELECT user_id FROM present) AS added,
            ARRAY(SELECT user_id FROM present EXCEPT SELECT user_id FROM requested) AS removed`,
      )
      return rows[0] ?? { added: [], removed: [] }
    },
  }
}
