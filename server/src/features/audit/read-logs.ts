import { type Clock, DAY, fromNow } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import { refusal } from '../../platform/errors.js'
import { parseId, type TeamId, type UserId } from '../../platform/ids.js'
import type { ChainedEntry } from './chain.js'
import { countsSince, type LogFilter, matchingCount, matchingEntries } from './repository.js'

interface LogQuery {
  userId?: string
  action?: string
  result?: string
  startDate?: string
  endDate?: string
  page: number
  limit: number
}

/** One page of a team's entries, newest first. Both dates are inclusive; a day without a time means the whole day, in UTC. */
export async function readLogs(
  { db }: { db: Database },
  teamId: TeamId,
  query: LogQuery,
): Promise<{ entries: ChainedEntry[]; total: number }> {
  const userId = query.userId === undefined ? null : parseId<UserId>(query.userId)
  // A user whose id cannot exist has no entries.
  if (userId === undefined) return { entries: [], total: 0 }
  const filter: LogFilter = [
    teamId,
    userId,
    query.action ?? null,
    query.result ?? null,
    momentOf('startDate', query.startDate, 'start'),
    momentOf('endDate', query.endDate, 'end'),
  ]
  // One after the other: with the embedded database there is one connection, and both read the same committed state anyway.
  const entries = await db.run(matchingEntries, [...filter, query.limit, (query.page - 1) * query.limit])
  const [count] = await db.run(matchingCount, filter)
  return { entries, total: count?.count ?? 0 }
}

const ISO_8601 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/

function momentOf(name: string, text: string | undefined, edge: 'start' | 'end'): Date | null {
  if (text === undefined) return null
  // In a query string a plus sign often arrives as a space.
  const plain = text.replace(/ (\d\d:?\d\d)$/, '+$1')
  const dayOnly = plain.length === 10
  const withTime = dayOnly ? `${plain}T${edge === 'start' ? '00:00:00.000' : '23:59:59.999'}Z` : plain
  const moment = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(withTime) ? withTime : `${withTime}Z`)
  const day = new Date(`${plain.slice(0, 10)}T00:00:00Z`)
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(plain.slice(0, 10))
  if (ISO_8601.test(plain) && isDay && !Number.isNaN(moment.getTime())) return moment
  throw refusal('invalid_request', {
    detail: `${name} must be a date or time in ISO 8601`,
    errors: [{ path: `query/${name}`, message: 'must be ISO 8601' }],
  })
}

const tally = (rows: { key: string; count: number }[]): { key: string; count: number }[] => {
  const sums = new Map<string, number>()
  for (const { key, count } of rows) sums.set(key, (sums.get(key) ?? 0) + count)
  return [...sums].map(([key, count]) => ({ key, count })).sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
}

/** Counts of the last `days` days, the most frequent first. */
export async function readStats({ db, clock }: { db: Database; clock: Clock }, teamId: TeamId, days: number) {
  const rows = await db.run(countsSince, [teamId, fromNow(clock, -days * DAY)])
  return {
    totalEvents: rows.reduce((sum, row) => sum + row.count, 0),
    byAction: tally(rows.map(({ action, count }) => ({ key: action, count }))).map(({ key, count }) => ({
      action: key,
      count,
    })),
    byResult: tally(rows.map(({ result, count }) => ({ key: result, count }))).map(({ key, count }) => ({
      result: key,
      count,
    })),
  }
}
