import { DAY } from '../../../platform/clock.js'
import { rejection } from '../../../platform/errors.js'
import { parseId, type TeamId, type UserId } from '../../../platform/ids.js'
import { parseTimestamp } from '../../../platform/timestamps.js'

/** The filters of a request. */
export interface LogQuery {
  userId?: string
  agentId?: string
  action?: string
  result?: string
  resource?: string
  ipAddress?: string
  requestId?: string
  q?: string
  minRisk?: number
  startDate?: string
  endDate?: string
}

/** Returns whether a query has a filter. */
export const isFiltered = (query: LogQuery): boolean => {
  const { userId, agentId, action, result, resource, ipAddress, requestId, q, minRisk, startDate, endDate } = query
  const filters = [userId, agentId, action, result, resource, ipAddress, requestId, q, minRisk, startDate, endDate]
  return filters.some((value) => value !== undefined)
}

/** The parsed filters; undefined matches everything. */
export interface LogFilter {
  /** Null for the log of the instance. */
  teamId: TeamId | null
  userId?: UserId | undefined
  agentId?: string | undefined
  action?: string | undefined
  result?: string | undefined
  /** `kind:id`, or `kind:` for all resources of a kind. */
  resource?: string | undefined
  ipAddress?: string | undefined
  requestId?: string | undefined
  /** A case-insensitive search string, and the members whose email address contains it. */
  search?: { text: string; actors: UserId[] } | undefined
  /** 1–100. */
  minRisk?: number | undefined
  /** Both inclusive, in milliseconds since the epoch, the precision of entries. */
  from?: number | undefined
  to?: number | undefined
}

/** The range of dates: from the epoch to the last year with four digits. */
const EARLIEST = 0
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Parses a query. Both dates are inclusive; a day without a time is the whole day in UTC.
 * @param actorsMatching returns the members whose email address contains a string
 * @returns undefined if nothing can match: a malformed ID, or an end before the start
 * @throws invalid_request for an invalid date
 */
export async function parseLogFilter(
  teamId: TeamId | null,
  query: LogQuery,
  actorsMatching: (search: string) => Promise<UserId[]>,
): Promise<LogFilter | undefined> {
  const { userId, agentId, q, minRisk, action, result, resource, ipAddress, requestId } = query
  const from = timestampOf('startDate', query.startDate, 'start')
  const to = timestampOf('endDate', query.endDate, 'end')
  const user = userId === undefined ? undefined : parseId<UserId>(userId)
  const agent = agentId === undefined ? undefined : parseId<UserId>(agentId)
  if ((userId !== undefined && !user) || (agentId !== undefined && !agent)) return undefined
  if (from !== undefined && to !== undefined && from > to) return undefined
  return {
    teamId,
    userId: user,
    agentId: agent,
    action,
    result,
    resource,
    ipAddress: ipAddress?.toLowerCase(),
    requestId,
    search: q ? { text: q, actors: await actorsMatching(q) } : undefined,
    // Entries without a risk score count as 0.
    minRisk: minRisk || undefined,
    from,
    to,
  }
}

function timestampOf(name: string, value: string | undefined, edge: 'start' | 'end'): number | undefined {
  if (value === undefined) return undefined
  // A plus sign in a query string often arrives as a space.
  const plain = value.replace(/ (\d\d:?\d\d)$/, '+$1')
  const isDay = plain.length === 10
  const timestamp = parseTimestamp(isDay && edge === 'end' ? `${plain}T23:59:59.999Z` : plain)
  if (timestamp === undefined)
    throw rejection('invalid_request', {
      detail: `${name} must be a date or time in ISO 8601`,
      errors: [{ path: `query/${name}`, message: 'must be ISO 8601' }],
    })
  return Math.min(Math.max(timestamp, edge === 'start' ? EARLIEST : EARLIEST - 1), LATEST)
}

/** Returns the day (UTC) of a timestamp, as `2026-03-01`. */
export const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)

export const startOfDay = (milliseconds: number): number => Math.floor(milliseconds / DAY) * DAY
export const endOfDay = (milliseconds: number): number => startOfDay(milliseconds) + DAY - 1

/** A time range, divided into whole days and the partial days at its ends. */
export interface DayRange {
  /** First and last whole day, inclusive; an end is undefined if the range is open there. */
  whole: { first: string | undefined; last: string | undefined } | undefined
  /** Partial days, both ends inclusive, in milliseconds. */
  parts: { from: number; to: number }[]
}

export function daysOf({ from, to }: Pick<LogFilter, 'from' | 'to'>): DayRange {
  const parts: DayRange['parts'] = []
  let first = from
  let last = to
  if (first !== undefined && first !== startOfDay(first)) {
    parts.push({ from: first, to: Math.min(endOfDay(first), to ?? LATEST) })
    first = endOfDay(first) + 1
  }
  if (last !== undefined && last !== endOfDay(last) && (first === undefined || first <= last)) {
    parts.push({ from: startOfDay(last), to: last })
    last = startOfDay(last) - 1
  }
  const isEmpty = first !== undefined && (first > LATEST || (last !== undefined && first > last))
  const day = (timestamp: number | undefined) => (timestamp === undefined ? undefined : dayOf(timestamp))
  return { whole: isEmpty ? undefined : { first: day(first), last: day(last) }, parts }
}
