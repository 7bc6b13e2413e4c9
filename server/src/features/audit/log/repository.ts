import { and, desc, eq, gte, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { AuditEntryId, SessionId, TeamId } from '../../../platform/ids.js'
import { INSTANCE_CHAIN } from '../chain/chain.js'
import { auditDaily, auditEntries, auditPending, KIND_OF_RESOURCE } from '../tables.js'
import { type AddressFilter, daysOf, type LogFilter, type Search } from './filter.js'

export type AuditEntry = typeof auditEntries.$inferSelect

const e = auditEntries

/** The highest risk score. */
const MOST_RISK = 100

const ofLog = (teamId: TeamId | null): SQL | undefined => (teamId ? eq(e.teamId, teamId) : isNull(e.teamId))

/** Returns the condition on the resource: `kind:id`, or `kind:` for a kind. */
function ofResource(resource: string): SQL {
  const [kind = '', ...others] = resource.split(':')
  return others.length === 1 && others[0] === '' ? eq(KIND_OF_RESOURCE, kind) : eq(e.resource, resource)
}

/**
 * An alternative of a filter whose entries one index has in the order of time, for each value of a list. The entries of one alternative are
 * not those of another.
 */
interface Alternative {
  /** The expression that has one of the values. */
  of: SQL
  values: SQL
  /** Repeats the condition of a partial index, or the planner can't use it. */
  index?: SQL | undefined
  /** The list is so long that a scan by time finds the newest entries earlier than one search per value. */
  isLong?: boolean
}

const MANY_VALUES = 500

const list = (values: readonly unknown[], type: string): SQL => sql`${sql.param(values)}::${sql.raw(type)}[]`

const addressAlternatives = ({ plain, hash }: AddressFilter): Alternative[] => [
  { of: sql`${e.ipHash}`, values: list([hash], 'bytea'), index: sql`${e.ipHash} IS NOT NULL` },
  { of: sql`${e.ipAddress}`, values: list([plain], 'text'), index: sql`${e.ipAddress} IS NOT NULL` },
]

const searchAlternatives = ({ actions, kinds, resources, users, address, requestId, id }: Search): Alternative[] => [
  { of: sql`${e.requestId}`, values: list([requestId], 'text') },
  ...(actions.length > 0 ? [{ of: sql`${e.action}`, values: list(actions, 'text') }] : []),
  ...(users.length > 0
    ? [{ of: sql`${e.userId}`, values: list(users, 'uuid'), isLong: users.length > MANY_VALUES }]
    : []),
  ...(id ? [{ of: sql`${e.sessionId}`, values: list([id], 'uuid'), index: sql`${e.sessionId} IS NOT NULL` }] : []),
  ...(id ? [{ of: sql`${e.agentId}`, values: list([id], 'uuid'), index: sql`${e.agentId} IS NOT NULL` }] : []),
  ...(address ? addressAlternatives(address) : []),
  ...(kinds.length > 0 ? [{ of: sql`${KIND_OF_RESOURCE}`, values: list(kinds, 'text') }] : []),
  { of: sql`${e.resource}`, values: list(resources, 'text') },
]

const isAnyOf = ({ of, values }: Alternative): SQL => sql`${of} = ANY(${values})`

/** Returns the alternatives of a filter, apart from `remaining`; undefined if one index has all of its entries in the order of time. */
function alternativesOf(filter: LogFilter): { alternatives: Alternative[]; remaining: LogFilter } | undefined {
  const { search, address, minRisk, ...others } = filter
  if (search) return { alternatives: searchAlternatives(search), remaining: { ...others, address, minRisk } }
  if (address) return { alternatives: addressAlternatives(address), remaining: { ...others, minRisk } }
  if (!minRisk) return undefined
  // An index on a range of scores is not in the order of time.
  const scores = Array.from({ length: MOST_RISK - minRisk + 1 }, (_, above) => minRisk + above)
  const byScore = { of: sql`${e.riskScore}`, values: list(scores, 'int'), index: sql`${e.riskScore} > 0` }
  return { alternatives: [byScore], remaining: others }
}

/** Returns the condition of a filter without its dates. Repeats the conditions of partial indexes, or the planner can't use them. */
function matching({ teamId, search, address, resource, minRisk, result, ...filter }: LogFilter): SQL | undefined {
  return and(
    ofLog(teamId),
    filter.userId ? eq(e.userId, filter.userId) : undefined,
    filter.agentId ? eq(e.agentId, filter.agentId) : undefined,
    filter.sessionId ? eq(e.sessionId, filter.sessionId as SessionId) : undefined,
    filter.action !== undefined ? eq(e.action, filter.action) : undefined,
    result !== undefined ? eq(e.result, result) : undefined,
    result !== undefined && result !== 'SUCCESS' ? sql`${e.result} <> 'SUCCESS'` : undefined,
    resource !== undefined ? ofResource(resource) : undefined,
    filter.requestId !== undefined ? eq(e.requestId, filter.requestId) : undefined,
    minRisk ? and(gte(e.riskScore, minRisk), sql`${e.riskScore} > 0`) : undefined,
    address && or(...addressAlternatives(address).map(isAnyOf)),
    search && or(...searchAlternatives(search).map(isAnyOf)),
  )
}

const between = (from: number | undefined, to: number | undefined): SQL | undefined =>
  and(
    from === undefined ? undefined : gte(e.createdAt, new Date(from)),
    to === undefined ? undefined : lte(e.createdAt, new Date(to)),
  )

/** Returns whether the entries of the filter are counted by day: only a filter by action, result and dates is. */
export const hasStoredCounts = ({ teamId: _, action, result, from, to, ...others }: LogFilter): boolean =>
  Object.values(others).every((value) => value === undefined)

const DAY_OF_ENTRY = sql`(${e.createdAt} AT TIME ZONE 'UTC')::date`

/**
 * Returns a table expression (day, action, result, count) of the matching entries. Whole days use the counts that were written with the
 * seals, plus pending entries. Partial days, and filters without stored counts, are counted entry by entry.
 */
function tallied(filter: LogFilter): SQL {
  const one = (from: SQL, where: SQL | undefined) =>
    sql`SELECT ${DAY_OF_ENTRY} AS day, ${e.action} AS action, ${e.result} AS result, 1 AS count FROM ${from} WHERE ${where}`
  const { teamId, action, result, from, to } = filter
  if (!hasStoredCounts(filter)) return sql`(${one(sql`${e}`, and(matching(filter), between(from, to)))}) tally`
  const chain = teamId ?? INSTANCE_CHAIN
  const { whole, parts } = daysOf(filter)
  const selects = parts.map((part) => one(sql`${e}`, and(matching(filter), between(part.from, part.to))))
  if (whole) {
    const days = and(
      whole.first === undefined ? undefined : sql`day >= ${whole.first}::date`,
      whole.last === undefined ? undefined : sql`day <= ${whole.last}::date`,
    )
    const counted = and(
      eq(auditDaily.chain, chain),
      action === undefined ? undefined : eq(auditDaily.action, action),
      result === undefined ? undefined : eq(auditDaily.result, result),
      days,
    )
    // OFFSET 0 finds each entry by its ID. Without statistics, the planner may read all entries of the team for each pending one.
    const waiting = sql`${auditPending} CROSS JOIN LATERAL (SELECT * FROM ${e} WHERE ${e.id} = ${auditPending.entryId} OFFSET 0) ${e}`
    selects.push(
      sql`SELECT ${auditDaily.day}, ${auditDaily.action}, ${auditDaily.result}, ${auditDaily.count} FROM ${auditDaily} WHERE ${counted}`,
      sql`SELECT * FROM (${one(waiting, and(eq(auditPending.chain, chain), matching(filter)))}) waiting ${days ? sql`WHERE ${days}` : sql``}`,
    )
  }
  return sql`(${sql.join(selects, sql` UNION ALL `)}) tally`
}

export interface DayCount {
  day: string
  count: number
}

/** Returns the number of matching entries per day, latest first, without days that have none. */
export async function countByDay(tx: Transaction, filter: LogFilter): Promise<DayCount[]> {
  const { rows } = await tx.execute<{ day: string; count: number }>(
    sql`SELECT day::text AS day, sum(count)::int AS count FROM ${tallied(filter)} GROUP BY day ORDER BY day DESC`,
  )
  return rows
}

/** A count by `day` and `result`, or by `action`. */
export interface Tally {
  day: string | null
  result: string | null
  action: string | null
  count: number
}

/** Counts matching entries by day and result, and by action, in one query. */
export async function countByKind(tx: Transaction, filter: LogFilter): Promise<Tally[]> {
  const { rows } = await tx.execute<Tally & Record<string, unknown>>(
    sql`SELECT day::text AS day, result, action, sum(count)::int AS count FROM ${tallied(filter)} GROUP BY GROUPING SETS ((day, result), (action))`,
  )
  return rows
}

/** The columns of a query for the newest entries, and their order. The index of a filter has no ID. */
const ID_AND_TIME = { columns: sql`${e.id}, ${e.createdAt}`, order: sql`${e.createdAt} DESC, ${e.id} DESC` }
const TIME = { columns: sql`${e.createdAt}`, order: sql`${e.createdAt} DESC` }

/**
 * Returns a query for the newest `most` entries of each alternative of a filter, or of each value of one. The whole result contains the
 * newest `most` entries of the filter.
 */
function newestOf(filter: LogFilter, most: number, { columns, order } = ID_AND_TIME): SQL {
  const newest = (where: SQL | undefined) =>
    sql`(SELECT ${columns} FROM ${e} WHERE ${and(where, between(filter.from, filter.to))} ORDER BY ${order} LIMIT ${most})`
  const divided = alternativesOf(filter)
  if (!divided) return newest(matching(filter))
  const { alternatives, remaining } = divided
  const queries = alternatives.map((alternative, position) => {
    const { of, values, index, isLong } = alternative
    const earlier = alternatives.slice(0, position).map((other) => sql`(${isAnyOf(other)}) IS NOT TRUE`)
    if (isLong) return newest(and(matching(remaining), isAnyOf(alternative), index, ...earlier))
    const where = and(matching(remaining), sql`${of} = value`, index, ...earlier)
    return sql`SELECT one.* FROM unnest(${values}) value CROSS JOIN LATERAL ${newest(where)} one`
  })
  return sql.join(queries, sql` UNION ALL `)
}

/** Returns the number of matching entries, or `most` if there are more. */
export async function countUpTo(tx: Transaction, filter: LogFilter, most: number): Promise<number> {
  // An index suffices for the time alone. The order makes the database choose it, and that of the alternatives does not matter.
  const one = sql`SELECT 1 FROM (${newestOf(filter, most, TIME)}) newest LIMIT ${most}`
  const { rows } = await tx.execute<{ count: number }>(sql`SELECT count(*)::int AS count FROM (${one}) counted`)
  return rows[0]?.count ?? 0
}

/** Returns matching entries, newest first. The rows before `offset` are only scanned by ID. */
export async function entriesAt(
  tx: Transaction,
  filter: LogFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<AuditEntry[]> {
  const page = sql`(SELECT c.id FROM (${newestOf(filter, offset + limit)}) c ORDER BY c.created_at DESC, c.id DESC OFFSET ${offset} LIMIT ${limit})`
  return tx.select().from(e).where(sql`${e.id} IN ${page}`).orderBy(desc(e.createdAt), desc(e.id))
}

/** Returns the next matching entries older than `before`, newest first. */
export async function entriesBefore(
  tx: Transaction,
  filter: LogFilter,
  before: Pick<AuditEntry, 'id' | 'createdAt'> | undefined,
  limit: number,
): Promise<AuditEntry[]> {
  const older =
    before && sql`(${e.createdAt}, ${e.id}) < (${before.createdAt.toISOString()}::timestamptz, ${before.id}::uuid)`
  return tx
    .select()
    .from(e)
    .where(and(matching(filter), between(filter.from, filter.to), older))
    .orderBy(desc(e.createdAt), desc(e.id))
    .limit(limit)
}

export async function findEntry(
  tx: Transaction,
  teamId: TeamId | null,
  id: AuditEntryId,
): Promise<AuditEntry | undefined> {
  return (
    await tx
      .select()
      .from(e)
      .where(and(eq(e.id, id), ofLog(teamId)))
  )[0]
}
