import type { Clock } from '../../platform/clock.js'
import { DAY, fromNow, MINUTE } from '../../platform/clock.js'
import type { LdapEntry } from '../../protocols/ldap/index.js'
import type { Directory } from './directory.js'
import { MARK_ATTRIBUTES } from './presets.js'

/** How often everything is compared, whatever the marks say: what a server computes, such as `memberOf`, changes without one. */
const FULL_EVERY = DAY
/** A time has seconds: of an entry that was changed a moment ago it does not tell one change from the next. Clocks may differ by as much. */
const SETTLED_AFTER = 5 * MINUTE
const LONGEST_MARK = 200

/** Whether a reading of what has changed alone can follow the last one that compared everything. */
export const canBeIncremental = ({ lastFullSyncAt }: Pick<Directory, 'lastFullSyncAt'>, clock: Clock): boolean =>
  lastFullSyncAt !== null && lastFullSyncAt > fromNow(clock, -FULL_EVERY)

/** By what it is told whether an entry has changed since it was read; null where nothing tells. */
export function markOf(entry: LdapEntry, clock: Clock): string | null {
  const [csn, usn, usnTime, time] = Object.values(MARK_ATTRIBUTES).map((attribute) => entry.texts(attribute)[0])
  if (csn) return short(`csn ${csn}`)
  // Two servers may have the same number for an entry that they know differently, but hardly from the same second.
  if (usn && usnTime) return short(`usn ${usn} ${usnTime}`)
  const changed = time && readTime(time)
  return changed && changed < fromNow(clock, -SETTLED_AFTER) ? short(`time ${time}`) : null
}

const short = (mark: string): string | null => (mark.length > LONGEST_MARK || mark.includes('\0') ? null : mark)

/** A Generalized Time of UTC (RFC 4517 3.3.13), as servers write the times of changes, to the second. */
function readTime(text: string): Date | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:[.,]\d+)?Z$/.exec(text) ?? []
  if (year === undefined) return undefined
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time.getTime()) ? undefined : time
}
