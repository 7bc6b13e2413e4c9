import { type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../platform/db/database.js'
import { isUniqueViolation } from '../../platform/db/database-errors.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { scimError } from '../../platform/http/scim-dialect.js'
import type { GroupId, MembershipId, TeamId, UserId } from '../../platform/ids.js'
import type { ListQuery, ScimObject } from '../../protocols/scim/index.js'
import { groupMembers, groups } from '../groups/index.js'
import { memberships } from '../members/index.js'
import { users } from '../users/index.js'
import { type Columns, compileFilter, compileOrder } from './compile-filter.js'
import { scimUsers } from './tables.js'
import { SHOWN } from './user-columns.js'
import { withinBytes } from './within-bytes.js'

/** A member as a directory sees them, and what it wrote of them. */
export interface UserRow extends Record<string, unknown> {
  membershipId: MembershipId
  userId: UserId
  email: string
  externalId: string | null
  firstName: string | null
  lastName: string | null
  title: string | null
  department: string | null
  phone: string | null
  locale: string | null
  active: boolean
  createdAt: Date
  updatedAt: Date
  stored: StoredAttributes | null
  /** By name. */
  groups: { id: GroupId; name: string }[]
}

/** A row of `scim_users`. */
export interface StoredAttributes {
  userName: string | null
  address: string | null
  phone: string | null
  data: ScimObject
}

const COLUMNS = sql`m.id AS "membershipId", m.user_id AS "userId", u.email, m.external_id AS "externalId",
  ${SHOWN.firstName} AS "firstName", ${SHOWN.lastName} AS "lastName", ${SHOWN.title} AS title, ${SHOWN.department} AS department,
  ${SHOWN.phone} AS phone, ${SHOWN.locale} AS locale, ${SHOWN.active} AS active, m.created_at AS "createdAt", m.updated_at AS "updatedAt",
  CASE WHEN s.membership_id IS NOT NULL THEN
    jsonb_build_object('userName', s.user_name, 'address', s.address, 'phone', s.phone, 'data', s.data) END AS stored`

const FROM = sql`FROM ${memberships} m JOIN ${users} u ON u.id = m.user_id LEFT JOIN ${scimUsers} s ON s.membership_id = m.id`

const keepAll = namedQuery<{ id: MembershipId }, [string, TeamId]>(
  'scim.keep_users',
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

/** A member as they are shown. */
const oneUser = (teamId: TeamId, userId: UserId): SQL =>
  sql`SELECT q.*, ${groupsIn(teamId)} AS groups FROM (SELECT ${COLUMNS} ${FROM} ${matching(teamId, sql`m.user_id = ${userId}`)}) q`

/** As `listOfUsers` answers: a row for each user of the page with how many there are on all; without users one that says that alone. */
type Listed = { total: number } & (UserRow | { membershipId: null })

/** One page in the order in which the members were added, or in that which is asked for. It ends before it is too long to be answered. */
function listOfUsers(teamId: TeamId, query: ListQuery, columns: Columns): SQL {
  const where = matching(teamId, query.filter && compileFilter(query.filter, columns))
  const direction = query.descending ? sql`DESC` : sql`ASC`
  const order = query.sortBy ? sql`${compileOrder(query.sortBy, columns)} ${direction}, ` : sql``
  const page = sql`SELECT ${COLUMNS} ${FROM} ${where} ORDER BY ${order}m.created_at, m.id LIMIT ${query.count} OFFSET ${query.startIndex - 1}`
  const withGroups = query.projection.wants('groups')
  const groups = withGroups ? groupsIn(teamId) : sql`'[]'::jsonb`
  return sql`SELECT t.total, q.*, ${groups} AS groups FROM (SELECT count(*)::int AS total ${FROM} ${where}) t
    LEFT JOIN (${withinBytes(page, teamId, withGroups)}) q ON true ORDER BY q.place`
}

/** What directories see of people, read by statements of their own: each sees one state. */
export const readUsers = (db: Pick<Database, 'read'>, teamId: TeamId) => ({
  async find(userId: UserId): Promise<UserRow | undefined> {
    return (await db.read<UserRow>(oneUser(teamId, userId), { prepared: true }))[0]
  },

  /** And how many there are on all pages. */
  async list(query: ListQuery, columns: Columns): Promise<{ rows: UserRow[]; total: number }> {
    const listed = await db.read<Listed>(listOfUsers(teamId, query, columns), { prepared: isUsual(query, columns) })
    const rows = listed.filter((row): row is Listed & UserRow => row.membershipId !== null)
    return { rows, total: listed[0]?.total ?? 0 }
  },
})

/** Whether it is what directories ask once a person: who has this name. Of such statements there are a few texts. */
const isUsual = ({ filter, sortBy }: ListQuery, columns: Columns): boolean =>
  !sortBy && filter !== undefined && 'value' in filter && columns.byIndex(filter) !== undefined

/** The only SQL that writes what directories see of people. The team is bound once, so that no query can forget it. */
export const userRepository = (tx: Transaction, teamId: TeamId) => {
  return {
    async find(userId: UserId): Promise<UserRow | undefined> {
      const { rows } = await tx.execute<UserRow>(oneUser(teamId, userId))
      return rows[0] && dated(rows[0])
    },

    /** Writes what is kept of new members, in one statement; false when a userName is another's: then nothing may be kept. */
    async keepAll(members: (StoredAttributes & { membershipId: MembershipId })[]): Promise<boolean> {
      if (members.length === 0) return true
      const rows = members.map((stored) => ({ ...stored, userNameKey: stored.userName?.toLowerCase() ?? null }))
      return (await tx.run(keepAll, [JSON.stringify(rows), teamId])).length === members.length
    },

    /** Writes what is kept of a locked member; an empty row says that a directory writes them. @throws uniqueness for a userName that another has */
    async keep(membershipId: MembershipId, { userName, address, phone, data }: StoredAttributes): Promise<void> {
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

/** The driver gives raw moments of a statement of its own as texts. */
const dated = (row: UserRow): UserRow => ({
  ...row,
  createdAt: new Date(row.createdAt),
  updatedAt: new Date(row.updatedAt),
})
