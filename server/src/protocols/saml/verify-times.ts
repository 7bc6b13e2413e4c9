import { distance, inWords, readInstant } from './instants.js'

/** Now in milliseconds, and by how many seconds two clocks may differ. */
export interface VerificationClock {
  now: number
  toleranceSeconds: number
}

/** What to say of times in a report. */
export interface TimeVerdict {
  fault: string | undefined
  expected: string
  found?: string
}

/** That none of the times lies in the future; `found` says how far the last of them lies from now. Absent ones do not count. */
export function verifyStart(times: readonly (string | undefined)[], clock: VerificationClock): TimeVerdict {
  const { now, toleranceSeconds } = clock
  const expected = `at most +${toleranceSeconds} s`
  const read = readAll(times)
  if (!read) return { fault: 'a time that cannot be read', expected }
  if (read.length === 0) return { fault: undefined, expected }
  const last = Math.max(...read)
  const late = last - now > toleranceSeconds * 1_000
  return {
    fault: late ? `it is not valid yet: it lies ${inWords(last - now)} in the future` : undefined,
    expected,
    found: distance(last, now),
  }
}

/** That all of the times are yet to come; `found` says how far the first of them lies from now. Absent ones do not count. */
export function verifyEnd(times: readonly (string | undefined)[], clock: VerificationClock): TimeVerdict {
  const { now, toleranceSeconds } = clock
  const expected = `later than -${toleranceSeconds} s`
  const read = readAll(times)
  if (!read) return { fault: 'a time that cannot be read', expected }
  if (read.length === 0) return { fault: undefined, expected }
  const first = Math.min(...read)
  const over = now - first >= toleranceSeconds * 1_000
  return {
    fault: over ? `it is no longer valid: it lies ${inWords(now - first)} in the past` : undefined,
    expected,
    found: distance(first, now),
  }
}

/** The first of the times that can be read. */
export const firstOf = (times: readonly (string | undefined)[]): number =>
  Math.min(...times.map(readInstant).filter((time) => time !== undefined))

function readAll(times: readonly (string | undefined)[]): number[] | undefined {
  const read = times.filter((time) => time !== undefined).map(readInstant)
  return read.every((time) => time !== undefined) ? read : undefined
}
