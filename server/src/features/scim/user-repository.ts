import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import { isUniqueViolation } from '../../platform/db/database-errors.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { scimRefusal } from '../../platform/http/scim-dialect.js'
import type { GroupId, MembershipId, TeamId, UserId } from '../../platform/ids.js'
import type { ListQuery, ScimObject } from '../../protocols/scim/index.js'
import { groupMembers, groups } from '../groups/index.js'
import { users } from '../identities/index.js'
import { memberships } from '../members/index.js'
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
  kept: Kept | null
}

/** A row of `scim_users`. */
export interface Kept {
  userName: string | null
  address: string | null
  phone: string | null
  data: ScimObject
}

const COLUMNS = sql`m.id AS "membershipId", m.user_id AS "userId", u.email, m.external_id AS "externalId",
  ${SHOWN.firstName} AS "firstName", ${SHOWN.lastName} AS "lastName", ${SHOWN.title} AS title, ${SHOWN.department} AS department,
  ${SHOWN.phone} AS phone, ${SHOWN.locale} AS locale, ${SHOWN.active} AS active, m.created_at AS "createdAt", m.updated_at AS "updatedAt",
  CASE WHEN s.membership_id IS NOT NULL THEN
    jsonb_build_object('userName', s.user_name, 'address', s.address, 'phone', s.phone, 'data', s.data) END AS kept`

const FROM = sql`FROM ${memberships} m JOIN ${users} u ON u.id = m.user_id LEFT JOIN ${scimUsers} s ON s.membership_id = m.id`

const keepAll = namedQuery<{ id: MembershipId }, [string, TeamId]>(
  'scim.keep_users',
  `INSERT INTO scim_users (membership_id, organization_id, user_name, user_name_key, address, phone, data)
   SELECT "membershipId", $2, "userName", "userNameKey", address, phone, data
   FROM jsonb_to_recordset($1::jsonb) AS n ("membershipId" uuid, "userName" text, "userNameKey" text, address text, phone text, data jsonb)
   ON CONFLICT DO NOTHING RETURNING membership_id AS id`,
)

/** The only SQL on what directories see of people. The team is bound once, so that no query can forget it. */
export const userRepository = (tx: Transaction, teamId: TeamId) => {
  const matching = (condition: SQL | undefined) =>
    sql`WHERE m.organization_id = ${teamId}${condition ? sql` AND ${condition}` : sql``}`

  return {
    async find(userId: UserId): Promise<UserRow | undefined> {
      const { rows } = await tx.execute<UserRow>(sql`SELECT ${COLUMNS} ${FROM} ${matching(sql`m.user_id = ${userId}`)}`)
      return rows[0] && dated(rows[0])
    },

    /**
     * One page in the order in which the members were added, or in that which is asked for; and how many there are on all pages. It ends
     * before it is too long to be answered.
     */
    async list(query: ListQuery, columns: Columns): Promise<{ rows: UserRow[]; total: number }> {
      const where = matching(query.filter && compileFilter(query.filter, columns))
      const counted = await tx.execute<{ total: number }>(sql`SELECT count(*)::int AS total ${FROM} ${where}`)
      const total = counted.rows[0]?.total ?? 0
      if (query.count === 0 || query.startIndex > total) return { rows: [], total }
      const direction = query.descending ? sql`DESC` : sql`ASC`
      const order = query.sortBy ? sql`${compileOrder(query.sortBy, columns)} ${direction}, ` : sql``
      const page = sql`SELECT ${COLUMNS} ${FROM} ${where} ORDER BY ${order}m.created_at, m.id LIMIT ${query.count} OFFSET ${query.startIndex - 1}`
      const { rows } = await tx.execute<UserRow>(withinBytes(page, teamId, query.projection.wants('groups')))
      return { rows: rows.map(dated), total }
    },

    /** The groups that these users are in, by name. */
    async groupsOf(userIds: UserId[]): Promise<Map<UserId, { id: GroupId; name: string }[]>> {
      const { rows } = await tx.execute<{ userId: UserId; id: GroupId; name: string }>(
        sql`SELECT gm.user_id AS "userId", g.id, g.name FROM ${groupMembers} gm JOIN ${groups} g ON g.id = gm.group_id
          WHERE gm.organization_id = ${teamId} AND gm.user_id = ANY(${sql.param(userIds)}::uuid[]) ORDER BY g.name, g.id`,
      )
      const byUser = new Map<UserId, { id: GroupId; name: string }[]>(userIds.map((id) => [id, []]))
      for (const { userId, id, name } of rows) byUser.get(userId)?.push({ id, name })
      return byUser
    },

    /** Writes what is kept of new members, in one statement; false when a userName is another's: then nothing may be kept. */
    async keepAll(members: (Kept & { membershipId: MembershipId })[]): Promise<boolean> {
      if (members.length === 0) return true
      const rows = members.map((kept) => ({ ...kept, userNameKey: kept.userName?.toLowerCase() ?? null }))
      return (await tx.run(keepAll, [JSON.stringify(rows), teamId])).length === members.length
    },

    /** Writes what is kept of a locked member; an empty row says that a directory writes them. @throws uniqueness for a userName that another has */
    async keep(membershipId: MembershipId, { userName, address, phone, data }: Kept): Promise<void> {
      const values = { userName, userNameKey: userName?.toLowerCase() ?? null, address, phone, data }
      await tx
        .insert(scimUsers)
        .values({ membershipId, organizationId: teamId, ...values })
        .onConflictDoUpdate({ target: scimUsers.membershipId, set: values })
        .catch((error: unknown) => {
          if (!isUniqueViolation(error, 'scim_users_user_name')) throw error
          throw scimRefusal('uniqueness', { detail: 'Another user of the team has this userName' })
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
