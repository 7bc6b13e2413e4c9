import { createHash } from 'node:crypto'
import type { RequestOrigin } from '../../platform/http/actor.js'
import { networkOf } from '../../protocols/sign-in-risk/index.js'
import { recordingWith } from '../audit/index.js'

/** Origins with an entry in a period. Later ones replace the oldest. */
const MAX_ORIGINS = 8

/** Returns the first 16 bytes of the SHA-256 of the network and the user agent of a request, as the parameter `refreshOrigin`. */
export const refreshOrigin = ({ ip, userAgent }: Pick<RequestOrigin, 'ip' | 'userAgent'>): Buffer =>
  createHash('sha256')
    .update(`${networkOf(ip) ?? ''}\n${userAgent ?? ''}`)
    .digest()
    .subarray(0, 16)

/** The result of an update with `countingRefresh`. */
export interface CountedRefresh {
  /** Whether this use has an audit entry. */
  isRecorded: boolean
  /** The number of refreshes of the grant, or of the session in its team. */
  refreshes: number
}

/**
 * SQL: assignments of an update of the session or grant `g`, which count a refresh and decide whether it has an audit entry (decision 0029). An
 * entry begins a period of 24 hours, in which each other origin (`refreshOrigin`) has one more.
 * @param now placeholder of the current time
 * @param useId placeholder of a UUID that no other request has: the update shows by it whether this request has an entry
 * @param count expression of the number to add: 0 for a code, and for a refresh that is repeated
 */
export function countingRefresh(now: string, useId: string, count: string): string {
  const origin = ':refreshOrigin::bytea'
  const isOver = `(g.refresh_period_start IS NULL OR g.refresh_period_start <= ${now}::timestamptz - interval '24 hours')`
  const isNew = `(${origin} <> ALL (g.refresh_origins))`
  return `refreshes = g.refreshes + ${count},
     recorded_use = CASE WHEN ${isOver} OR ${isNew} THEN ${useId}::uuid ELSE g.recorded_use END,
     refresh_period_start = CASE WHEN ${isOver} THEN ${now}::timestamptz ELSE g.refresh_period_start END,
     refresh_origins = CASE WHEN ${isOver} THEN ARRAY[${origin}] WHEN ${isNew} THEN (ARRAY[${origin}] || g.refresh_origins)[1:${MAX_ORIGINS}] ELSE g.refresh_origins END`
}

/** SQL: the columns of `CountedRefresh`, for the RETURNING clause of the update. */
export const countedRefresh = (useId: string): string =>
  `g.refreshes, coalesce(g.recorded_use = ${useId}::uuid, false) AS "isRecorded"`

/**
 * SQL: parts of a WITH clause that write the entry of a refresh or code exchange if it has one, with the number of refreshes in its metadata.
 * @param counted the part with the columns of `CountedRefresh`
 */
export const recordingRefresh = (counted: string): string =>
  recordingWith(
    `FROM ${counted} c WHERE c."isRecorded"`,
    "CASE WHEN c.refreshes > 0 THEN jsonb_build_object('refreshes', c.refreshes) ELSE '{}' END",
  )
