import { DAY } from '../../../platform/clock.js'
import { rejection } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import { type LogQuery, MAX_DAYS, type Scope, type Stats } from '../schema.js'
import { dayOf, startOfDay } from './filter.js'
import { countByKind, type Tally } from './repository.js'
import { type LogDeps, rangeOf, searchLog } from './search-log.js'

/**
 * Returns the counts from `startDate`, or else of the last `days` days (UTC), up to `endDate` or now.
 * @throws forbidden for the log of the instance if the caller is not an instance administrator, invalid_request for an invalid date or a
 *   range of more than `MAX_DAYS`, search_too_wide
 */
export function readStats(
  deps: LogDeps,
  actor: Actor,
  { days = 30, ...query }: LogQuery & Scope & { days?: number },
): Promise<Stats> {
  return searchLog(deps, actor, query, async (tx, filter) => {
    // Not of the filter: a query that cannot match has a range, too.
    const range = rangeOf(query)
    const to = range.to ?? deps.clock.ms()
    const from = range.from ?? startOfDay(to) - (days - 1) * DAY
    if (to - from > MAX_DAYS * DAY) throw rangeTooLong()
    return summary(filter ? await countByKind(tx, { ...filter, from }) : [], from, to)
  })
}

const rangeTooLong = () =>
  rejection('invalid_request', {
    detail: `The range must not exceed ${MAX_DAYS} days`,
    errors: [{ path: 'query/startDate', message: `must be at most ${MAX_DAYS} days before the end` }],
  })

const sortByCount = <T extends { count: number }>(rows: T[], name: (row: T) => string): T[] =>
  rows.sort((a, b) => b.count - a.count || (name(a) < name(b) ? -1 : 1))

/** Groups the counts by action, result and day. Days without entries have zeros. */
function summary(rows: Tally[], from: number, to: number): Stats {
  const byAction = rows.flatMap(({ action, count }) => (action === null ? [] : [{ action, count }]))
  const byDay = new Map<string, Stats['byDay'][number]>()
  const results = new Map<string, number>()
  const dayCounts = (date: string) => {
    const known = byDay.get(date) ?? { date, success: 0, failure: 0, denied: 0 }
    byDay.set(date, known)
    return known
  }
  for (let timestamp = startOfDay(from); timestamp <= to; timestamp += DAY) dayCounts(dayOf(timestamp))
  for (const row of rows) {
    if (row.day === null || row.result === null) continue
    results.set(row.result, (results.get(row.result) ?? 0) + row.count)
    const name = row.result.toLowerCase()
    if (name === 'success' || name === 'failure' || name === 'denied') dayCounts(row.day)[name] += row.count
  }
  const byResult = [...results].map(([result, count]) => ({ result, count }))
  return {
    totalEvents: byAction.reduce((sum, { count }) => sum + count, 0),
    byAction: sortByCount(byAction, ({ action }) => action),
    byResult: sortByCount(byResult, ({ result }) => result),
    byDay: [...byDay.values()].sort((a, b) => (a.date < b.date ? -1 : 1)),
  }
}
