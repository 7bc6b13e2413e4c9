import { type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { withDates } from '../../platform/db/with-dates.js'
import { type GroupId, parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { type Application, usersAssignedTo } from '../applications/index.js'
import {
  type MemberSource,
  memberError,
  memberships,
  showsEmailAsVerified,
  showsOwnProfile,
  type TeamProfile,
} from '../members/index.js'
import { isValidInTeam } from '../mfa/index.js'
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
  source: MemberSource
  /** The kinds of second factors that the team accepts and may know of. */
  factors: string[]
  /** The first groups by name. */
  groups: { id: string; name: string }[]
  groupCount: number
  leaveAt: Date | null
  lastLoginAt: Date | null
  createdAt: Date
  updatedAt: Date
}

type FilterApplication = Pick<Application, 'id' | 'assignmentRequired'>

/** A user must meet every given condition, and one value of a list. IDs are of the team. */
export interface UserFilter {
  search?: string | undefined
  /** Stored roles. */
  roles?: readonly string[] | undefined
  statuses?: readonly string[] | undefined
  sources?: readonly string[] | undefined
  /** Kinds of factors, or `none`. */
  factors?: readonly string[] | undefined
  group?: GroupId | undefined
  application?: FilterApplication | undefined
  /** With `application`: also suspended users to whom it is assigned. */
  includeSuspended?: boolean | undefined
  /** Users whose last sign-in to the team, or without one their addition to it, was before. */
  lastLoginBefore?: Date | undefined
}

export const USER_SORTS = ['name', 'email', 'createdAt', 'lastSignInAt'] as const
/** The order of a list; `-` is descending. */
export type UserSort = `${'' | '-'}${(typeof USER_SORTS)[number]}`

/** Returns a profile field as the team sees it: the team's value, otherwise the user's own if the membership `m` of `u` shows it. */
export const shownField = (field: string): string =>
  `coalesce(m.${field}, CASE WHEN ${showsOwnProfile('m', 'u')} THEN u.${field} END)`

/** The number of groups in a row of a list. */
const MAX_GROUPS = 3
const OF_MEMBER = 'FROM group_members gm WHERE gm.user_id = m.user_id AND gm.organization_id = m.organization_id'
// `OFFSET 0` forces lookups by primary key: the planner would otherwise read all groups for each row.
const GROUPS_OF_MEMBER = `FROM (SELECT gm.group_id ${OF_MEMBER}) gm CROSS JOIN LATERAL (SELECT id, name FROM groups WHERE id = gm.group_id OFFSET 0) g`

/** SQL: a factor of the user that the team accepts. It knows of the user's own ones only as long as it sees the own profile. */
const validFactor = `FROM factors f WHERE f.user_id = u.id AND f.verified_at IS NOT NULL AND ${isValidInTeam('m.organization_id')}`

const COLUMNS_TEXT = `u.id, u.email, ${shownField('first_name')} AS "firstName", ${shownField('last_name')} AS "lastName", m.role, m.status,
  ${shownField('department')} AS department, ${shownField('title')} AS title, ${shownField('phone')} AS phone, ${shownField('locale')} AS locale,
  ${showsEmailAsVerified('m', 'u')} AS "emailVerified", ${isHomeTeam('m.organization_id', 'u.email')} AS managed,
  coalesce(m.source, 'local') AS source, ARRAY(SELECT DISTINCT f.type ${validFactor} AND f.type <> 'BACKUP_CODE' ORDER BY 1) AS factors,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name)), '[]') FROM (SELECT g.id, g.name ${GROUPS_OF_MEMBER} ORDER BY g.name, g.id LIMIT ${MAX_GROUPS}) g) AS groups,
  (SELECT count(*)::int ${OF_MEMBER}) AS "groupCount",
  m.leave_at AS "leaveAt", m.last_used_at AS "lastLoginAt", m.created_at AS "createdAt", m.updated_at AS "updatedAt"`
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

  /** Returns one page in the order, by default newest first, and the number of matches. */
  async page(
    filter: UserFilter,
    sort: UserSort,
    page: number,
    limit: number,
  ): Promise<{ users: TeamUser[]; total: number }> {
    const terms = filter.search === undefined ? undefined : await searchTerms(tx, teamId, filter.search)
    const { key, direction, readsUsers } = orderOf(sort)
    const matching = matchingOf(teamId, filter, terms, readsUsers)
    // Uses the alias, because the same condition applies to the selected rows and to the page.
    const order = (row: string) => sql.raw(`${row}.key ${direction}, ${row}.id ${direction.slice(0, 4)}`)
    const selected = sql`SELECT m.id, ${key} AS key FROM ${matching}`
    const window = sql`ORDER BY ${order('s')} LIMIT ${limit} OFFSET ${(page - 1) * limit}`
    // Without a costly condition the page and the total each read an index.
    const hasCostlyApplication =
      filter.application && (filter.application.assignmentRequired || filter.includeSuspended)
    if (!terms && !filter.factors && !hasCostlyApplication) {
      const found = await tx.execute<Row>(
        sql`SELECT ${COLUMNS} FROM (SELECT * FROM (${selected}) s ${window}) p JOIN ${memberships} m ON m.id = p.id
          JOIN ${users} u ON u.id = m.user_id ORDER BY ${order('p')}`,
      )
      const all = await tx.execute<{ total: number }>(sql`SELECT count(*)::int AS total FROM ${matching}`)
      return { users: found.rows.map(dated), total: all.rows[0]?.total ?? 0 }
    }
    // Materialized: the condition is evaluated once for both the page and the total.
    const { rows } = await tx.execute<Row & { total: number }>(
      sql`WITH s AS MATERIALIZED (${selected})
        SELECT t.total, ${COLUMNS} FROM (SELECT count(*)::int AS total FROM s) t
        LEFT JOIN (SELECT * FROM s ${window}) p ON true LEFT JOIN ${memberships} m ON m.id = p.id
        LEFT JOIN ${users} u ON u.id = m.user_id ORDER BY ${order('p')}`,
    )
    const found = rows.filter(({ id }) => id !== null).map(({ total: _, ...row }) => dated(row as Row))
    return { users: found, total: rows[0]?.total ?? 0 }
  },

  /** Returns the users that match, at most `limit`, in the order in which they were added. */
  async idsOf(filter: UserFilter, limit: number): Promise<UserId[]> {
    const terms = filter.search === undefined ? undefined : await searchTerms(tx, teamId, filter.search)
    const { rows } = await tx.execute<{ id: UserId }>(
      sql`SELECT m.user_id AS id FROM ${matchingOf(teamId, filter, terms)} ORDER BY m.created_at, m.id LIMIT ${limit}`,
    )
    return rows.map(({ id }) => id)
  },
})

/** Returns the expression by which a list is sorted, of the membership `m` and its account `u`. */
function orderOf(sort: UserSort): { key: SQL; direction: string; readsUsers?: boolean } {
  const descends = sort.startsWith('-')
  // A user without a sign-in is the one who has not signed in for the longest time.
  const direction = descends ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'
  switch (sort.replace('-', '')) {
    case 'name':
      // The folded names as the team sees them, without names the email address.
      return { key: sql`m.search COLLATE "C"`, direction }
    case 'email':
      return { key: sql`u.email COLLATE "C"`, direction, readsUsers: true }
    case 'lastSignInAt':
      return { key: sql`m.last_used_at`, direction }
    default:
      // Not null, and in the order of the index.
      return { key: sql`m.created_at`, direction: descends ? 'DESC' : 'ASC' }
  }
}

const textArray = (values: readonly string[]): SQL => sql`${sql.param([...values])}::text[]`

/**
 * Returns the FROM and WHERE clauses of the memberships `m` that match.
 * @param readsUsers whether the statement reads their accounts `u`
 */
function matchingOf(teamId: TeamId, filter: UserFilter, terms: SearchTerms | undefined, readsUsers = false): SQL {
  const { roles, statuses, sources, factors, group, application, includeSuspended, lastLoginBefore } = filter
  const conditions = [
    sql`m.organization_id = ${teamId}`,
    ...(roles ? [sql`m.role = ANY(${textArray(roles)})`] : []),
    ...(statuses ? [sql`m.status = ANY(${textArray(statuses)})`] : []),
    ...(sources ? [sql`coalesce(m.source, 'local') = ANY(${textArray(sources)})`] : []),
    ...(terms ? [sql`search_keys(m.organization_id, m.search) @> ${textArray(terms.keys)}`] : []),
    // The keys of a part may match separately in the value; `strpos` decides, and has no wildcards.
    ...(terms?.parts ?? []).map((part) => sql`strpos(m.search, ${part}) > 0`),
    ...(lastLoginBefore
      ? [sql`coalesce(m.last_used_at, m.created_at) < ${lastLoginBefore.toISOString()}::timestamptz`]
      : []),
    ...(group ? [sql`m.user_id IN (SELECT gm.user_id FROM group_members gm WHERE gm.group_id = ${group})`] : []),
    ...(factors ? [factorCondition(factors)] : []),
    ...(application ? [applicationCondition(application, includeSuspended)] : []),
  ]
  const accounts = readsUsers || factors ? sql`JOIN ${users} u ON u.id = m.user_id` : sql``
  return sql`${memberships} m ${accounts} WHERE ${sql.join(conditions, sql` AND `)}`
}

/**
 * The members who may open the application, as `mayUse` of the OpenID provider decides; a pending one becomes active at the first sign-in.
 * With `includeSuspended` also the suspended members to whom it is assigned.
 */
function applicationCondition({ id, assignmentRequired }: FilterApplication, includeSuspended = false): SQL {
  const isAssigned = sql`m.user_id IN (${usersAssignedTo(id)})`
  const isNotSuspended = sql`m.status <> 'suspended'`
  if (includeSuspended) return assignmentRequired ? isAssigned : sql`(${isNotSuspended} OR ${isAssigned})`
  return assignmentRequired ? sql`${isNotSuspended} AND ${isAssigned}` : isNotSuspended
}

function factorCondition(factors: readonly string[]): SQL {
  const types = factors.filter((factor) => factor !== 'none').map((factor) => factor.toUpperCase())
  const hasOne = sql`EXISTS (SELECT ${sql.raw(validFactor)} AND f.type = ANY(${textArray(types)}))`
  const hasNone = sql.raw(`NOT EXISTS (SELECT ${validFactor} AND f.type <> 'BACKUP_CODE')`)
  if (types.length === 0) return hasNone
  return factors.includes('none') ? sql`(${hasOne} OR ${hasNone})` : hasOne
}

type Row = TeamUser & Record<string, unknown>

const dated = (row: Row): TeamUser => withDates(row, ['leaveAt', 'lastLoginAt', 'createdAt', 'updatedAt'])

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
