import { createHash } from 'node:crypto'
import type { RequestOrigin } from '../../platform/http/actor.js'
import { networkOf } from '../../protocols/sign-in-risk/index.js'
import { recordingWith } from '../audit/index.js'

/** Origins that a session remembers, the last ones of its entries. */
const MAX_ORIGINS = 8

/** Returns the first 8 bytes of the SHA-256 of the network and the user agent of a request, as the parameter `refreshOrigin`. */
export const refreshOrigin = ({ ip, userAgent }: Pick<RequestOrigin, 'ip' | 'userAgent'>): Buffer =>
  createHash('sha256')
    .update(`${networkOf(ip) ?? ''}\n${userAgent ?? ''}`)
    .digest()
    .subarray(0, 8)

/** The count of refreshes, as the result of a statement with `countingRefresh`. */
export interface CountedRefresh {
  isRecorded: boolean
  /** The number of refreshes of the session in its team, or of the grant, with this one. */
  refreshes: number
}

/**
 * SQL: assignments of an update of the session or grant `g`, which count a refresh and decide whether it gets an audit entry (decision 0029): the
 * first one from an origin (`refreshOrigin`), and the first one that is at least 24 hours later than the last entry.
 * @param now placeholder of the current time
 * @param count placeholder of the number of refreshes: 1, or 0 for the exchange of a code, which is always recorded
 */
export function countingRefresh(now: string, count = '1'): string {
  const origin = ':refreshOrigin::bytea'
  const due = `(${count}::integer = 0 OR g.recorded_at IS NULL OR g.recorded_at <= ${now}::timestamptz - interval '24 hours' OR ${origin} <> ALL (g.recorded_origins))`
  const ifDue = (value: string, column: string) => `CASE WHEN ${due} THEN ${value} ELSE g.${column} END`
  return `refreshes = g.refreshes + ${count}::integer,
     recorded_refreshes = ${ifDue(`g.refreshes + ${count}::integer`, 'recorded_refreshes')},
     recorded_at = ${ifDue(`${now}::timestamptz`, 'recorded_at')},
     recorded_origins = ${ifDue(`(ARRAY[${origin}] || array_remove(g.recorded_origins, ${origin}))[1:${MAX_ORIGINS}]`, 'recorded_origins')}`
}

/** SQL: the columns of `CountedRefresh`, in the RETURNING clause of the update. */
export const COUNTED_REFRESH = 'g.refreshes, g.recorded_refreshes = g.refreshes AS "isRecorded"'

/**
 * SQL: parts of a WITH clause that write the entry of a counted refresh if it is due, with `refreshes` in its metadata.
 * @param source the part with the columns `COUNTED_REFRESH`
 */
export const recordingRefresh = (source: string): string =>
  recordingWith(
    `FROM ${source} r WHERE r."isRecorded"`,
    "CASE WHEN r.refreshes > 0 THEN jsonb_build_object('refreshes', r.refreshes) ELSE '{}' END",
  )
