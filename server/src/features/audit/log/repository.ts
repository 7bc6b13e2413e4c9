import { and, desc, eq, gte, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { anyOf } from '../../../platform/db/any-of.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { AuditEntryId, TeamId } from '../../../platform/ids.js'
import { INSTANCE_CHAIN } from '../chain/chain.js'
import { auditDaily, auditEntries, auditPending, KIND_OF_RESOURCE } from '../tables.js'
import { daysOf, type LogFilter } from './filter.js'

export type AuditEntry = typeof auditEntries.$inferSelect

const e = auditEntries

/** The highest risk score. */
const MOST_RISK = 100

/** Escapes `%`, `_` and `\` of a search string for LIKE. */
const literally = (search: string): string => search.replace(/[\\%_]/g, '\\$&')

const ofLog = (teamId: TeamId | null): SQL | undefined => (teamId ? eq(e.teamId, teamId) : isNull(e.teamId))

/** Returns the condition on the resource: `kind:id`, or `kind:` for a kind. */
function ofResource(resource: string): SQL {
  const [kind = '', ...others] = resource.split(':')
  return others.length === 1 && others[0] === '' ? eq(KIND_OF_RESOURCE, kind) : eq(e.resource, resource)
}

/** Returns the condition of a filter without its dates. Repeats the conditions of partial indexes, or the planner can't use them. */
function matching({ teamId, search, resource, minRisk, result, ...filter }: LogFilter): SQL | undefined {
  const anywhere = search && `%${literally(search.text)}%`
  // Collation C: the columns are ASCII except the user agent, and Unicode case folding costs five times as much.
  const holds = (column: AnyPgColumn) => sql`${column} ILIKE ${anywhere} COLLATE "C"`
  return and(
    ofLog(teamId),
    filter.userId ? eq(e.userId, filter.userId) : undefined,
    filter.agentId ? eq(e.agentId, filter.agentId) : undefined,
    filter.action !== undefined ? eq(e.action, filter.action) : undefined,
    result !== undefined ? eq(e.result, result) : undefined,
    result !== undefined && result !== 'SUCCESS' ? sql`${e.result} <> 'SUCCESS'` : undefined,
    resource !== undefined ? ofResource(resource) : undefined,
    filter.ipAddress !== undefined ? eq(e.ipAddress, filter.ipAddress) : undefined,
    filter.requestId !== undefined ? eq(e.requestId, filter.requestId) : undefined,
    minRisk ? and(gte(e.riskScore, minRisk), sql`${e.riskScore} > 0`) : undefined,
    search &&
      or(
        holds(e.action),
        holds(e.resource),
        holds(e.ipAddress),
        holds(e.userAgent),
        search.actors.length > 0 ? anyOf(e.userId, search.actors) : undefined,
      ),
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
    const waiting = sql`${auditPending} JOIN ${e} ON ${e.id} = ${auditPending.entryId}`
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

/** Returns the number of matching entries, or `most` if there are more. */
export async function countUpTo(tx: Transaction, filter: LogFilter, most: number): Promise<number> {
  // Selects no column, so that an index suffices.
  const counted = tx
    .select({ one: sql`1`.as('one') })
    .from(e)
    .where(and(matching(filter), between(filter.from, filter.to)))
    .limit(most)
  const { rows } = await tx.execute<{ count: number }>(sql`SELECT count(*)::int AS count FROM ${counted} counted`)
  return rows[0]?.count ?? 0
}

/** Returns matching entries, newest first. The rows before `offset` are only scanned by ID. */
export async function entriesAt(
  tx: Transaction,
  filter: LogFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<AuditEntry[]> {
  const { minRisk, ...others } = filter
  const newest = (where: SQL | undefined, count: number) =>
    sql`SELECT ${e.id}, ${e.createdAt} FROM ${e} WHERE ${and(where, between(filter.from, filter.to))}
      ORDER BY ${e.createdAt} DESC, ${e.id} DESC LIMIT ${count}`
  // The newest of each score: an index on a range of scores is not in the order of time.
  const candidates = minRisk
    ? sql`SELECT one.id, one.created_at FROM generate_series(${minRisk}::int, ${MOST_RISK}) score CROSS JOIN LATERAL (
        ${newest(and(matching(others), sql`${e.riskScore} = score AND ${e.riskScore} > 0`), offset + limit)}) one`
    : newest(matching(filter), offset + limit)
  const page = sql`(SELECT c.id FROM (${candidates}) c ORDER BY c.created_at DESC, c.id DESC OFFSET ${offset} LIMIT ${limit})`
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
