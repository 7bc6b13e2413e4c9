import { DAY } from '../../platform/clock.js'
import { rejection } from '../../platform/errors.js'
import { parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { parseTimestamp } from '../../platform/timestamps.js'

/** What a caller may ask for, as it arrives. */
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

/** Whether a query asks for less than the whole log. */
export const isFiltered = (query: LogQuery): boolean => {
  const { userId, agentId, action, result, resource, ipAddress, requestId, q, minRisk, startDate, endDate } = query
  const filters = [userId, agentId, action, result, resource, ipAddress, requestId, q, minRisk, startDate, endDate]
  return filters.some((value) => value !== undefined)
}

/** Which entries are meant. What is undefined limits nothing. */
export interface LogFilter {
  /** Null for the instance's. */
  teamId: TeamId | null
  userId?: UserId | undefined
  agentId?: string | undefined
  action?: string | undefined
  result?: string | undefined
  /** `kind:id`, or `kind:` for all of a kind. */
  resource?: string | undefined
  ipAddress?: string | undefined
  requestId?: string | undefined
  /** Text to be found, whatever the case, and the members whose address holds it. */
  search?: { text: string; actors: UserId[] } | undefined
  /** 1–100. */
  minRisk?: number | undefined
  /** Both included, in milliseconds since the epoch; entries have no finer time. */
  from?: number | undefined
  to?: number | undefined
}

/** Entries are made by a clock that began here, and no date is longer than four digits of a year. */
const EARLIEST = 0
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Reads a query. Both dates are inclusive; a day without a time means the whole day, in UTC.
 * @param actorsMatching finds the members whose address holds a text
 * @returns undefined when nothing can match: an id of no possible form, or an end before the start
 * @throws invalid_request for a date that is none
 */
export async function readFilter(
  teamId: TeamId | null,
  query: LogQuery,
  actorsMatching: (text: string) => Promise<UserId[]>,
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
    // Entries without a risk count as 0.
    minRisk: minRisk || undefined,
    from,
    to,
  }
}

function timestampOf(name: string, text: string | undefined, edge: 'start' | 'end'): number | undefined {
  if (text === undefined) return undefined
  // In a query string a plus sign often arrives as a space.
  const plain = text.replace(/ (\d\d:?\d\d)$/, '+$1')
  const isDay = plain.length === 10
  const timestamp = parseTimestamp(isDay && edge === 'end' ? `${plain}T23:59:59.999Z` : plain)
  if (timestamp === undefined)
    throw rejection('invalid_request', {
      detail: `${name} must be a date or time in ISO 8601`,
      errors: [{ path: `query/${name}`, message: 'must be ISO 8601' }],
    })
  return Math.min(Math.max(timestamp, edge === 'start' ? EARLIEST : EARLIEST - 1), LATEST)
}

/** The day (UTC) of a moment, as `2026-03-01`. */
export const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)

export const startOfDay = (milliseconds: number): number => Math.floor(milliseconds / DAY) * DAY
export const endOfDay = (milliseconds: number): number => startOfDay(milliseconds) + DAY - 1

/** A time range as the whole days in it and what is over at its ends; a part that is not there is undefined. */
export interface DayRange {
  /** First and last whole day, included; undefined where the range is open. */
  whole: { first: string | undefined; last: string | undefined } | undefined
  /** Parts of days, both ends included, in milliseconds. */
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
