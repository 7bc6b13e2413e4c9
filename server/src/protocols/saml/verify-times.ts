import { distance, inWords, readInstant } from './xml/instants.js'

/** Now in milliseconds, and the accepted clock difference. */
export interface VerificationClock {
  now: number
  toleranceSeconds: number
}

/** The result of a time check, for a report. */
export interface TimeVerdict {
  fault: string | undefined
  expected: string
  found?: string
}

/** Verifies that no time is in the future; `found` is the latest one relative to now. Missing times are ignored. */
export function verifyStart(times: readonly (string | undefined)[], clock: VerificationClock): TimeVerdict {
  const { now, toleranceSeconds } = clock
  const expected = `at most +${toleranceSeconds} s`
  const read = readAll(times)
  if (!read) return { fault: 'it has a malformed time', expected }
  if (read.length === 0) return { fault: undefined, expected }
  const last = Math.max(...read)
  const late = last - now > toleranceSeconds * 1_000
  return {
    fault: late ? `it is not valid yet: its time is ${inWords(last - now)} in the future` : undefined,
    expected,
    found: distance(last, now),
  }
}

/** Verifies that all times are in the future; `found` is the earliest one relative to now. Missing times are ignored. */
export function verifyEnd(times: readonly (string | undefined)[], clock: VerificationClock): TimeVerdict {
  const { now, toleranceSeconds } = clock
  const expected = `later than -${toleranceSeconds} s`
  const read = readAll(times)
  if (!read) return { fault: 'it has a malformed time', expected }
  if (read.length === 0) return { fault: undefined, expected }
  const first = Math.min(...read)
  const over = now - first >= toleranceSeconds * 1_000
  return {
    fault: over ? `it is no longer valid: its time is ${inWords(now - first)} in the past` : undefined,
    expected,
    found: distance(first, now),
  }
}

/** Returns the earliest of the times that can be read. */
export const firstOf = (times: readonly (string | undefined)[]): number =>
  Math.min(...times.map(readInstant).filter((time) => time !== undefined))

function readAll(times: readonly (string | undefined)[]): number[] | undefined {
  const read = times.filter((time) => time !== undefined).map(readInstant)
  return read.every((time) => time !== undefined) ? read : undefined
}
