import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { withDates } from '../../platform/db/with-dates.js'
import { parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { memberError, memberships, showsEmailAsVerified, showsOwnProfile, type TeamProfile } from '../members/index.js'
import { isHomeTeam } from '../teams/index.js'
import { users } from '../users/index.js'

/**
 * A user as the team sees them: the team's own values, with the own profile as fallback while the membership is confirmed. A team that
 * merely added an email address learns nothing about its owner.
 */
export interface TeamUser extends Required<TeamProfile> {
  id: UserId
  email: string
  /** The stored role. */
  role: string
  status: string
  emailVerified: boolean
  /** The team is the user's home team. */
  managed: boolean
  lastLoginAt: Date | null
  createdAt: Date
  updatedAt: Date
}

interface UserFilter {
  search?: string | undefined
  /** Stored roles. */
  roles?: string[] | undefined
  status?: string | undefined
}

/** Returns a profile field as the team sees it: the team's value, otherwise the user's own if the membership `m` of `u` shows it. */
export const shownField = (field: string): string =>
  `coalesce(m.${field}, CASE WHEN ${showsOwnProfile('m', 'u')} THEN u.${field} END)`

const COLUMNS_TEXT = `u.id, u.email, ${shownField('first_name')} AS "firstName", ${shownField('last_name')} AS "lastName", m.role, m.status,
  ${shownField('department')} AS department, ${shownField('title')} AS title, ${shownField('phone')} AS phone, ${shownField('locale')} AS locale,
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
  /** @throws user_not_found if the ID is malformed, unknown, or belongs to a user who is not in the team */
  async get(id: string): Promise<TeamUser> {
    const known = parseId<UserId>(id)
    const [user] = known ? await tx.run(findOne, [teamId, known]) : []
    if (!user) throw memberError('user_not_found')
    return user
  },

  /** Returns one page, newest first, and the number of matches. */
  async page(filter: UserFilter, page: number, limit: number): Promise<{ users: TeamUser[]; total: number }> {
    const terms = filter.search === undefined ? undefined : await searchTerms(tx, teamId, filter.search)
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
      return { users: found.rows.map(dated), total: all.rows[0]?.total ?? 0 }
    }
    // Materialized: the index is searched once for both the page and the total.
    const { rows } = await tx.execute<Row & { total: number }>(
      sql`WITH matching AS MATERIALIZED (SELECT id, created_at FROM ${memberships} WHERE ${matching})
        SELECT t.total, ${COLUMNS} FROM (SELECT count(*)::int AS total FROM matching) t
        LEFT JOIN (SELECT id FROM matching ${window}) p ON true LEFT JOIN ${memberships} m ON m.id = p.id
        LEFT JOIN ${users} u ON u.id = m.user_id ORDER BY m.created_at DESC, m.id DESC`,
    )
    const found = rows.filter(({ id }) => id !== null).map(({ total: _, ...row }) => dated(row as Row))
    return { users: found, total: rows[0]?.total ?? 0 }
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

type Row = TeamUser & Record<string, unknown>

const dated = (row: Row): TeamUser => withDates(row, ['lastLoginAt', 'createdAt', 'updatedAt'])

/** Words of a query; more are ignored. */
const MAX_WORDS = 8
/** Enough to leave few candidate rows; each key costs one more index scan. */
const MAX_KEYS_PER_WORD = 6

/** Index keys to look up, and the parts that the stored value must contain. */
interface SearchTerms {
  keys: string[]
  parts: string[]
}

/**
 * Returns the terms of a search query; each word must match. A word of three or more characters matches anywhere; a shorter one matches the
 * beginning of a word. The keys equal those that `search_keys` (migration `member-search`) computes for stored values.
 * The database folds case and accents, of the query and of the stored values alike.
 * @returns undefined if the query is empty
 */
async function searchTerms(tx: Transaction, teamId: TeamId, search: string): Promise<SearchTerms | undefined> {
  const { rows } = await tx.execute<{ folded: string }>(sql`SELECT search_fold(${search}) AS folded`)
  const words = [...new Set((rows[0]?.folded ?? '').split(' '))].filter((word) => word !== '').slice(0, MAX_WORDS)
  if (words.length === 0) return undefined
  const parts = words.filter((word) => [...word].length > 2)
  const keys = words.flatMap((word) => keysOf([...word]))
  return { keys: [...new Set(keys)].map((key) => `${teamId.slice(-6)}${key}`), parts }
}

function keysOf(letters: string[]): string[] {
  if (letters.length <= 2) return [`^${letters.join('')}`]
  const all = letters.slice(2).map((_, place) => letters.slice(place, place + 3).join(''))
  // A selection, evenly spread over a long word.
  const step = Math.max(1, all.length / MAX_KEYS_PER_WORD)
  return Array.from(
    { length: Math.min(all.length, MAX_KEYS_PER_WORD) },
    (_, index) => all[Math.floor(index * step)] ?? '',
  )
}
