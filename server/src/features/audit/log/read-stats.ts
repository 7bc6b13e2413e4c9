import { DAY } from '../../../platform/clock.js'
import { rejection } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import { type LogQuery, MAX_DAYS, type Scope, type Stats } from '../schema.js'
import { dayOf, startOfDay } from './filter.js'
import { countByKind, type Tally } from './repository.js'
import { type LogDeps, searchLog } from './search-log.js'

/**
 * Returns the counts of the last `days` days including today (UTC), or of the range of `startDate` and `endDate`.
 * @throws forbidden for the instance's log, invalid_request, search_too_wide
 */
export function readStats(
  deps: LogDeps,
  actor: Actor,
  { days = 30, ...query }: LogQuery & Scope & { days?: number },
): Promise<Stats> {
  return searchLog(deps, actor, query, async (tx, filter) => {
    const to = filter?.to ?? deps.clock.ms()
    const from = filter?.from ?? startOfDay(to) - (days - 1) * DAY
    if (to - from > MAX_DAYS * DAY) throw tooLong()
    return summary(filter ? await countByKind(tx, { ...filter, from }) : [], from, to)
  })
}

const tooLong = () =>
  rejection('invalid_request', {
    detail: `The range can have at most ${MAX_DAYS} days`,
    errors: [{ path: 'query/startDate', message: `must be at most ${MAX_DAYS} days before the end` }],
  })

const mostFirst = <T extends { count: number }>(rows: T[], name: (row: T) => string): T[] =>
  rows.sort((a, b) => b.count - a.count || (name(a) < name(b) ? -1 : 1))

function summary(rows: Tally[], from: number, to: number): Stats {
  const byAction = rows.flatMap(({ action, count }) => (action === null ? [] : [{ action, count }]))
  const byDay = new Map<string, Stats['byDay'][number]>()
  const results = new Map<string, number>()
  const day = (date: string) => {
    const known = byDay.get(date) ?? { date, success: 0, failure: 0, denied: 0 }
    byDay.set(date, known)
    return known
  }
  for (let timestamp = startOfDay(from); timestamp <= to; timestamp += DAY) day(dayOf(timestamp))
  for (const row of rows) {
    if (row.day === null || row.result === null) continue
    results.set(row.result, (results.get(row.result) ?? 0) + row.count)
    const name = row.result.toLowerCase()
    if (name === 'success' || name === 'failure' || name === 'denied') day(row.day)[name] += row.count
  }
  const byResult = [...results].map(([result, count]) => ({ result, count }))
  return {
    totalEvents: byAction.reduce((sum, { count }) => sum + count, 0),
    byAction: mostFirst(byAction, ({ action }) => action),
    byResult: mostFirst(byResult, ({ result }) => result),
    byDay: [...byDay.values()].sort((a, b) => (a.date < b.date ? -1 : 1)),
  }
}
