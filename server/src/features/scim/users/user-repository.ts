import { type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../platform/db/database.js'
import { isUniqueViolation } from '../../../platform/db/database-errors.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { withDates } from '../../../platform/db/with-dates.js'
import { rejection } from '../../../platform/errors.js'
import type { GroupId, MembershipId, TeamId, UserId } from '../../../platform/ids.js'
import type { ListQuery, ScimObject } from '../../../protocols/scim/index.js'
import { groupMembers, groups } from '../../groups/index.js'
import { type DirectoryProfile, memberships } from '../../members/index.js'
import { users } from '../../users/index.js'
import { type Columns, compileFilter, compileOrder } from '../model/compile-filter.js'
import { scimError } from '../model/scim-dialect.js'
import { scimUsers } from '../tables.js'
import { MEMBER_COLUMNS } from './user-columns.js'

/** A member as SCIM clients see it, with the stored attributes. */
export interface UserRow extends Required<DirectoryProfile>, Record<string, unknown> {
  membershipId: MembershipId
  userId: UserId
  email: string
  active: boolean
  createdAt: Date
  updatedAt: Date
  stored: StoredAttributes | null
  /** Ordered by name. */
  groups: { id: GroupId; name: string }[]
}

/** The attributes in `scim_users`, which the membership has no column for. */
export interface StoredAttributes {
  userName: string | null
  address: string | null
  phone: string | null
  data: ScimObject
}

export const NO_ATTRIBUTES: StoredAttributes = { userName: null, address: null, phone: null, data: {} }

const COLUMNS = sql`m.id AS "membershipId", m.user_id AS "userId", u.email, m.external_id AS "externalId",
  ${MEMBER_COLUMNS.firstName} AS "firstName", ${MEMBER_COLUMNS.lastName} AS "lastName", ${MEMBER_COLUMNS.title} AS title, ${MEMBER_COLUMNS.department} AS department,
  ${MEMBER_COLUMNS.phone} AS phone, ${MEMBER_COLUMNS.locale} AS locale, ${MEMBER_COLUMNS.active} AS active, m.created_at AS "createdAt", m.updated_at AS "updatedAt",
  CASE WHEN s.membership_id IS NOT NULL THEN
    jsonb_build_object('userName', s.user_name, 'address', s.address, 'phone', s.phone, 'data', s.data) END AS stored`

const FROM = sql`FROM ${memberships} m JOIN ${users} u ON u.id = m.user_id LEFT JOIN ${scimUsers} s ON s.membership_id = m.id`

const insertAttributes = namedQuery<{ id: MembershipId }, [string, TeamId]>(
  'scim.store_users',
  `INSERT INTO scim_users (membership_id, organization_id, user_name, user_name_key, address, phone, data)
   SELECT "membershipId", $2, "userName", "userNameKey", address, phone, data
   FROM jsonb_to_recordset($1::jsonb) AS n ("membershipId" uuid, "userName" text, "userNameKey" text, address text, phone text, data jsonb)
   ON CONFLICT DO NOTHING RETURNING membership_id AS id`,
)

const matching = (teamId: TeamId, condition: SQL | undefined): SQL =>
  sql`WHERE m.organization_id = ${teamId}${condition ? sql` AND ${condition}` : sql``}`

/** The groups of the user of a row `q`. */
const groupsIn = (teamId: TeamId): SQL =>
  sql`(SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) ORDER BY g.name, g.id), '[]')
    FROM ${groupMembers} gm JOIN ${groups} g ON g.id = gm.group_id WHERE gm.user_id = q."userId" AND gm.organization_id = ${teamId})`

/** Selects one member as it is shown. */
const oneUser = (teamId: TeamId, userId: UserId): SQL =>
  sql`SELECT q.*, ${groupsIn(teamId)} AS groups FROM (SELECT ${COLUMNS} ${FROM} ${matching(teamId, sql`m.user_id = ${userId}`)}) q`

/** A row of `listOfUsers`: a user of the page with the total; a single row with only the total if the page is empty. */
type Listed = { total: number } & (UserRow | { membershipId: null })

/** The maximum size of the stored attributes of one page, unless its first user alone exceeds it. In bytes. */
const MAX_PAGE_BYTES = 2_097_152
/** The approximate size of the other attributes of a user, and of one of its groups, in bytes. */
const OF_A_USER = 512
const OF_A_GROUP = 256

/**
 * Limits a page of users by the size of the response. It is measured in the database, so omitted users are not read, and in the order of
 * the page, so nothing is sorted again.
 * @param page the users as `UserRow`s
 */
function withinBytes(page: SQL, teamId: TeamId, withGroups: boolean): SQL {
  const inGroups = sql`(SELECT count(*) FROM ${groupMembers} gm WHERE gm.user_id = p."userId" AND gm.organization_id = ${teamId})`
  const groups = withGroups ? sql` + ${OF_A_GROUP} * ${inGroups}` : sql``
  return sql`SELECT * FROM (
      SELECT m.*, sum(m.bytes) OVER (ROWS UNBOUNDED PRECEDING) AS until, row_number() OVER () AS place
      FROM (SELECT p.*, ${OF_A_USER} + coalesce(octet_length(p.stored::text), 0)${groups} AS bytes FROM (${page}) p) m
    ) q WHERE q.until <= ${MAX_PAGE_BYTES} OR q.place = 1 ORDER BY q.place`
}

/** Selects one page in the requested order, or in the order of addition. It ends before the response gets too large. */
function listOfUsers(teamId: TeamId, query: ListQuery, columns: Columns): SQL {
  const where = matching(teamId, query.filter && compileFilter(query.filter, columns))
  const order = compileOrder(query, columns)
  const page = sql`SELECT ${COLUMNS} ${FROM} ${where} ORDER BY ${order}m.created_at, m.id LIMIT ${query.count} OFFSET ${query.startIndex - 1}`
  const withGroups = query.projection.wants('groups')
  const groups = withGroups ? groupsIn(teamId) : sql`'[]'::jsonb`
  return sql`SELECT t.total, q.*, ${groups} AS groups FROM (SELECT count(*)::int AS total ${FROM} ${where}) t
    LEFT JOIN (${withinBytes(page, teamId, withGroups)}) q ON true ORDER BY q.place`
}

/** Selects the members that match, with the columns of `listOfAll`. @param key the sort key */
export const matchingUsers = (teamId: TeamId, { filter }: ListQuery, columns: Columns, key: SQL): SQL =>
  sql`SELECT 'User' AS kind, m.user_id AS id, m.created_at AS "createdAt", ${key} AS key
    ${FROM} ${matching(teamId, filter && compileFilter(filter, columns))}`

/** Selects these members in the order of the IDs. The result ends before the response gets too large. */
function usersWithIds(teamId: TeamId, ids: readonly string[], withGroups: boolean): SQL {
  const all = sql`${sql.param(ids)}::uuid[]`
  const page = sql`SELECT ${COLUMNS} ${FROM} ${matching(teamId, sql`m.user_id = ANY(${all})`)} ORDER BY array_position(${all}, m.user_id)`
  const groups = withGroups ? groupsIn(teamId) : sql`'[]'::jsonb`
  return sql`SELECT q.*, ${groups} AS groups FROM (${withinBytes(page, teamId, withGroups)}) q ORDER BY q.place`
}

/** Queries for the members of one team as SCIM clients see them, as single statements with a consistent state each. */
export const readUsers = (db: Pick<Database, 'read'>, teamId: TeamId) => ({
  async find(userId: UserId): Promise<UserRow | undefined> {
    return (await db.read<UserRow>(oneUser(teamId, userId), { prepared: true }))[0]
  },

  /** Returns one page and the total. */
  async list(query: ListQuery, columns: Columns): Promise<{ rows: UserRow[]; total: number }> {
    const listed = await db.read<Listed>(listOfUsers(teamId, query, columns), { prepared: isUsual(query, columns) })
    const rows = listed.filter((row): row is Listed & UserRow => row.membershipId !== null)
    return { rows, total: listed[0]?.total ?? 0 }
  },
})

/** Whether this is the usual lookup by identifier, of which few different statements exist. */
const isUsual = ({ filter, sortBy }: ListQuery, columns: Columns): boolean =>
  !sortBy && filter !== undefined && 'value' in filter && columns.byIndex(filter) !== undefined

/** Writes for the members of one team as SCIM clients see them. */
export const userRepository = (tx: Transaction, teamId: TeamId) => {
  return {
    /** Returns the row of a member who cannot be removed concurrently. */
    async get(userId: UserId): Promise<UserRow> {
      const { rows } = await tx.execute<UserRow>(oneUser(teamId, userId))
      if (!rows[0]) throw rejection('internal_error')
      return withDates(rows[0], ['createdAt', 'updatedAt'])
    },

    /** Returns these members in the order of the IDs, except the last ones if their attributes are very large. */
    async withIds(ids: readonly string[], withGroups: boolean): Promise<UserRow[]> {
      const { rows } = await tx.execute<UserRow>(usersWithIds(teamId, ids, withGroups))
      return rows.map((row) => withDates(row, ['createdAt', 'updatedAt']))
    },

    /** Stores the attributes of new members in one statement; returns false if a userName is taken: then the caller must roll back. */
    async insertAttributes(members: (StoredAttributes & { membershipId: MembershipId })[]): Promise<boolean> {
      if (members.length === 0) return true
      const rows = members.map((stored) => ({ ...stored, userNameKey: stored.userName?.toLowerCase() ?? null }))
      return (await tx.run(insertAttributes, [JSON.stringify(rows), teamId])).length === members.length
    },

    /**
     * Stores the attributes of a locked member; the row also marks the member as written by a SCIM client. @throws uniqueness if another
     * member has the userName
     */
    async storeAttributes(
      membershipId: MembershipId,
      { userName, address, phone, data }: StoredAttributes,
    ): Promise<void> {
      const values = { userName, userNameKey: userName?.toLowerCase() ?? null, address, phone, data }
      await tx
        .insert(scimUsers)
        .values({ membershipId, organizationId: teamId, ...values })
        .onConflictDoUpdate({ target: scimUsers.membershipId, set: values })
        .catch((error: unknown) => {
          if (!isUniqueViolation(error, 'scim_users_user_name')) throw error
          throw scimError('uniqueness', { detail: 'Another user of the team has this userName' })
        })
    },
  }
}
