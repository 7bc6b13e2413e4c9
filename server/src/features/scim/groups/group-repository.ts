import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { hashParts } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { withDates } from '../../../platform/db/with-dates.js'
import { type GroupId, parseId, type TeamId, type UserId } from '../../../platform/ids.js'
import type { ListQuery } from '../../../protocols/scim/index.js'
import { groupError, groupMembers, groups } from '../../groups/index.js'
import { users } from '../../users/index.js'
import { type Columns, compileFilter, compileOrder } from '../model/compile-filter.js'
import { scimError } from '../model/scim-dialect.js'
import { scimGroups } from '../tables.js'

/** A group as SCIM clients see it, without its members. */
export interface GroupRow extends Record<string, unknown> {
  id: GroupId
  name: string
  externalId: string | null
  /** Whether a SCIM client has written it. */
  isWritten: boolean
  memberCount: number
  createdAt: Date
  updatedAt: Date
}

export interface ShownMember {
  id: UserId
  email: string
}

const COLUMNS = sql`g.id, g.name, x.external_id AS "externalId", x.group_id IS NOT NULL AS "isWritten", g.created_at AS "createdAt", g.updated_at AS "updatedAt"`
const FROM = sql`FROM ${groups} g LEFT JOIN ${scimGroups} x ON x.group_id = g.id`

const matchingIn = (teamId: TeamId, condition: SQL | undefined): SQL =>
  sql`WHERE g.organization_id = ${teamId}${condition ? sql` AND ${condition}` : sql``}`

/** Selects the groups that match, with the columns of `listOfAll`. @param key the sort key */
export const matchingGroups = (teamId: TeamId, { filter }: ListQuery, columns: Columns, key: SQL): SQL =>
  sql`SELECT 'Group' AS kind, g.id, g.created_at AS "createdAt", ${key} AS key
    ${FROM} ${matchingIn(teamId, filter && compileFilter(filter, columns))}`

/** Queries for the groups of one team as SCIM clients see them. */
export const scimGroupRepository = (tx: Transaction, teamId: TeamId) => {
  const matching = (condition: SQL | undefined) => matchingIn(teamId, condition)
  const count = sql`(SELECT count(*)::int FROM ${groupMembers} gm WHERE gm.group_id = g.id)`

  async function claim(groupId: GroupId, externalId: string): Promise<void> {
    const key = hashParts('scim_groups.external_id', teamId, externalId).readBigInt64BE().toString()
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${key}::bigint)`)
    const others = await tx
      .select({ id: scimGroups.groupId })
      .from(scimGroups)
      .where(
        and(
          eq(scimGroups.organizationId, teamId),
          eq(scimGroups.externalId, externalId),
          ne(scimGroups.groupId, groupId),
        ),
      )
      .limit(1)
    if (others.length > 0) throw scimError('uniqueness', { detail: 'Another group of the team has this externalId' })
  }

  return {
    /** @throws group_not_found if the ID is malformed, unknown, or belongs to another team */
    async get(id: string): Promise<GroupRow> {
      const known = parseId<GroupId>(id)
      if (!known) throw groupError('group_not_found')
      const statement = sql`SELECT ${COLUMNS}, 0 AS "memberCount" ${FROM} ${matching(sql`g.id = ${known}`)}`
      const [row] = (await tx.execute<GroupRow>(statement)).rows
      if (!row) throw groupError('group_not_found')
      return dated(row)
    },

    /**
     * Returns one page in the requested order, or in the order of creation, and the total.
     * @param counted whether to count the members of each group
     */
    async list(query: ListQuery, columns: Columns, counted: boolean): Promise<{ rows: GroupRow[]; total: number }> {
      const where = matching(query.filter && compileFilter(query.filter, columns))
      const all = await tx.execute<{ total: number }>(sql`SELECT count(*)::int AS total ${FROM} ${where}`)
      const total = all.rows[0]?.total ?? 0
      if (query.count === 0 || query.startIndex > total) return { rows: [], total }
      const order = compileOrder(query, columns)
      const { rows } = await tx.execute<GroupRow>(
        sql`SELECT ${COLUMNS}, ${counted ? count : sql`0`} AS "memberCount" ${FROM} ${where}
          ORDER BY ${order}g.created_at, g.id LIMIT ${query.count} OFFSET ${query.startIndex - 1}`,
      )
      return { rows: rows.map(dated), total }
    },

    /** Returns these groups in the order of the IDs. @param counted whether to count the members of each group */
    async withIds(ids: readonly string[], counted: boolean): Promise<GroupRow[]> {
      const all = sql`${sql.param(ids)}::uuid[]`
      const { rows } = await tx.execute<GroupRow>(
        sql`SELECT ${COLUMNS}, ${counted ? count : sql`0`} AS "memberCount" ${FROM} ${matching(sql`g.id = ANY(${all})`)}
          ORDER BY array_position(${all}, g.id)`,
      )
      return rows.map(dated)
    },

    /** Returns the members of these groups, ordered by email address. */
    async membersOf(ids: GroupId[]): Promise<Map<GroupId, ShownMember[]>> {
      const { rows } = await tx.execute<{ groupId: GroupId; id: UserId; email: string }>(
        sql`SELECT gm.group_id AS "groupId", u.id, u.email FROM ${groupMembers} gm JOIN ${users} u ON u.id = gm.user_id
          WHERE gm.organization_id = ${teamId} AND gm.group_id = ANY(${sql.param(ids)}::uuid[]) ORDER BY u.email`,
      )
      const byGroup = new Map<GroupId, ShownMember[]>(ids.map((id) => [id, []]))
      for (const { groupId, id, email } of rows) byGroup.get(groupId)?.push({ id, email })
      return byGroup
    },

    /**
     * Stores the external ID of a locked group and marks it as written by a SCIM client. Writes of the same external ID are serialized.
     * @throws uniqueness if another group of the team has this external ID
     */
    async storeExternalId(groupId: GroupId, externalId: string | null): Promise<void> {
      if (externalId !== null) await claim(groupId, externalId)
      await tx
        .insert(scimGroups)
        .values({ groupId, organizationId: teamId, externalId })
        .onConflictDoUpdate({ target: scimGroups.groupId, set: { externalId } })
    },
  }
}

const dated = (row: GroupRow): GroupRow => withDates(row, ['createdAt', 'updatedAt'])
