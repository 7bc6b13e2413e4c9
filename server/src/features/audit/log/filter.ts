import { DAY } from '../../../platform/clock.js'
import type { TeamId, UserId } from '../../../platform/ids.js'

/** An IP address: entries with a user have its keyed hash, and others the plain address. */
export interface AddressFilter {
  plain: string
  hash: Buffer
}

/** The values of a search string: an entry with one of them matches. */
export interface Search {
  /** Actions and kinds of resources that contain the string. */
  actions: string[]
  kinds: string[]
  /** Resources with this ID, or with this name. */
  resources: string[]
  /** Members whose email address contains the string, and the user with this ID. */
  users: string[]
  /** If the string is an IP address. */
  address: AddressFilter | undefined
  requestId: string
  /** If the string is a UUID: a session or an agent. */
  id: string | undefined
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
  address?: AddressFilter | undefined
  requestId?: string | undefined
  sessionId?: string | undefined
  search?: Search | undefined
  /** 1–100. */
  minRisk?: number | undefined
  /** Both inclusive, in milliseconds since the epoch, the precision of entries. */
  from?: number | undefined
  to?: number | undefined
}

/** The range of dates: from the epoch to the last year with four digits. */
export const EARLIEST = 0
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

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
