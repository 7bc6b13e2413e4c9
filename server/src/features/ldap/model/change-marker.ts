import type { Clock } from '../../../platform/clock.js'
import { DAY, fromNow, MINUTE } from '../../../platform/clock.js'
import type { LdapEntry } from '../../../protocols/ldap/index.js'
import type { Directory } from './directory.js'
import { CHANGE_MARKER_ATTRIBUTES } from './ldap-attributes.js'

/**
 * The interval of full syncs, which are needed because values that a server computes, such as `memberOf`, change without a new change
 * marker.
 */
export const FULL_SYNC_INTERVAL = DAY
/** Timestamps have a resolution of one second, so a recent one does not distinguish two changes. Clocks may differ by this time too. */
const MIN_MARKER_AGE = 5 * MINUTE
const MAX_MARKER_LENGTH = 200

/** Returns whether an incremental sync is possible, given the time of the last full sync. */
export const canBeIncremental = ({ lastFullSyncAt }: Pick<Directory, 'lastFullSyncAt'>, clock: Clock): boolean =>
  lastFullSyncAt !== null && lastFullSyncAt > fromNow(clock, -FULL_SYNC_INTERVAL)

/** Returns the change marker of an entry; null if it has none. */
export function changeMarkerOf(entry: LdapEntry, clock: Clock): string | null {
  const [csn, usn, usnTime, time] = Object.values(CHANGE_MARKER_ATTRIBUTES).map(
    (attribute) => entry.strings(attribute)[0],
  )
  if (csn) return short(`csn ${csn}`)
  // Two servers may have the same number for different versions of an entry, but hardly with the same timestamp.
  if (usn && usnTime) return short(`usn ${usn} ${usnTime}`)
  const changed = time && readTime(time)
  return changed && changed < fromNow(clock, -MIN_MARKER_AGE) ? short(`time ${time}`) : null
}

const short = (marker: string): string | null =>
  marker.length > MAX_MARKER_LENGTH || marker.includes('\0') ? null : marker

/** Parses a Generalized Time in UTC (RFC 4517 section 3.3.13), with a resolution of one second. */
function readTime(text: string): Date | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:[.,]\d+)?Z$/.exec(text) ?? []
  if (year === undefined) return undefined
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time.getTime()) ? undefined : time
}
