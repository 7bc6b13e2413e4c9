import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { memberships, showsEmailAsVerified, showsOwnProfile } from '../members/index.js'
import { isHomeTeam } from '../teams/index.js'
import { users } from '../users/index.js'
import { type SearchTerms, searchTerms } from './search-terms.js'

/**
 * A user as the team sees them: the team's own values, with the own profile as fallback while the membership is confirmed. A team that
 * merely added an email address learns nothing about its owner.
 */
export interface TeamUser {
  id: UserId
  email: string
  firstName: string | null
  lastName: string | null
  /** The stored role. */
  role: string
  status: string
  department: string | null
  title: string | null
  phone: string | null
  locale: string | null
  emailVerified: boolean
  /** The team is the user's home team. */
  managed: boolean
  lastLoginAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface UserFilter {
  search?: string | undefined
  /** Stored roles. */
  roles?: string[] | undefined
  status?: string | undefined
}

const own = (field: string): string =>
  `coalesce(m.${field}, CASE WHEN ${showsOwnProfile('m', 'u')} THEN u.${field} END)`

const COLUMNS_TEXT = `u.id, u.email, ${own('first_name')} AS "firstName", ${own('last_name')} AS "lastName", m.role, m.status,
  ${own('department')} AS department, ${own('title')} AS title, ${own('phone')} AS phone, ${own('locale')} AS locale,
  ${showsEmailAsVerified('m', 'u')} AS "emailVerified", ${isHomeTeam('m.organization_id', 'u.email')} AS managed,
  m.last_used_at AS "lastLoginAt", m.created_at AS "createdAt", m.updated_at AS "updatedAt"`
const COLUMNS = sql.raw(COLUMNS_TEXT)

// Prepared by name: planning takes longer than running it, and the query builder does not prepare it.
const findOne = namedQuery<TeamUser, [TeamId, UserId]>(
  'users.find',
  `SELECT ${COLUMNS_TEXT} FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 AND m.user_id = $2`,
)

/** Read-only queries over tables of other modules, bound to one team. */
export const userRepository = (tx: Transaction, teamId: TeamId) => ({
  /** Returns undefined if the user is not in the team. */
  async find(id: UserId): Promise<TeamUser | undefined> {
    return (await tx.run(findOne, [teamId, id]))[0]
  },

  /** Returns one page, newest first, and the number of matches. */
  async page(filter: UserFilter, page: number, limit: number): Promise<{ users: TeamUser[]; total: number }> {
    const terms = filter.search === undefined ? undefined : await this.terms(filter.search)
    const matching = matchingOf(teamId, filter, terms)
    const window = sql`ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${(page - 1) * limit}`
    if (!terms) {
      const found = await tx.execute<Row>(
        sql`SELECT ${COLUMNS} FROM (SELECT id FROM ${memberships} WHERE ${matching} ${window}) p JOIN ${memberships} m ON m.id = p.id
          JOIN ${users} u ON u.id = m.user_id ORDER BY m.created_at DESC, m.id DESC`,
      )
      const all = await tx.execute<{ total: number }>(
        sql`SELECT count(*)::int AS total FROM ${memberships} WHERE ${matching}`,
      )
      return { users: found.rows.map(withDates), total: all.rows[0]?.total ?? 0 }
    }
    // Materialized: the index is searched once for both the page and the total.
    const { rows } = await tx.execute<Row & { total: number }>(
      sql`WITH matching AS MATERIALIZED (SELECT id, created_at FROM ${memberships} WHERE ${matching})
        SELECT t.total, ${COLUMNS} FROM (SELECT count(*)::int AS total FROM matching) t
        LEFT JOIN (SELECT id FROM matching ${window}) p ON true LEFT JOIN ${memberships} m ON m.id = p.id
        LEFT JOIN ${users} u ON u.id = m.user_id ORDER BY m.created_at DESC, m.id DESC`,
    )
    return { users: rows.filter(({ id }) => id !== null).map(withDates), total: rows[0]?.total ?? 0 }
  },

  /** Splits a query into terms. The database folds case and accents, for the query and the stored values alike. */
  async terms(search: string): Promise<SearchTerms | undefined> {
    const { rows } = await tx.execute<{ folded: string }>(sql`SELECT search_fold(${search}) AS folded`)
    return searchTerms(teamId, rows[0]?.folded ?? '')
  },
})

function matchingOf(teamId: TeamId, { roles, status }: UserFilter, terms: SearchTerms | undefined): SQL {
  const conditions = [
    sql`organization_id = ${teamId}`,
    ...(roles ? [sql`role = ANY(${sql.param(roles)}::text[])`] : []),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(terms ? [sql`search_keys(organization_id, search) @> ${sql.param(terms.keys)}::text[]`] : []),
    // The keys of a part may match separately in the value; `strpos` decides, and has no wildcards.
    ...(terms?.parts ?? []).map((part) => sql`strpos(search, ${part}) > 0`),
  ]
  return sql.join(conditions, sql` AND `)
}

type Row = Omit<TeamUser, 'lastLoginAt' | 'createdAt' | 'updatedAt'> & Record<string, unknown>

/** The query builder leaves timestamps of raw statements as strings. */
const withDates = (row: Row): TeamUser =>
  ({
    ...row,
    lastLoginAt: row.lastLoginAt === null ? null : new Date(row.lastLoginAt as string),
    createdAt: new Date(row.createdAt as string),
    updatedAt: new Date(row.updatedAt as string),
  }) as TeamUser
