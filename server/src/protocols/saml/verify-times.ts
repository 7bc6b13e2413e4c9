import { distance, inWords, readInstant } from './xml/instants.js'

/** Now in milliseconds, and the accepted clock difference. */
export interface VerificationClock {
  now: number
  toleranceSeconds: number
}

/** The result of a time check, for a report. */
export interface TimeVerdict {
  violation: string | undefined
  expected: string
  found?: string
}

type Times = readonly (string | undefined)[]

/** Verifies that no time is in the future; `found` is the latest one relative to now. Missing times are ignored. */
export const verifyStart = (times: Times, { now, toleranceSeconds }: VerificationClock): TimeVerdict =>
  verifyTime(times, now, `at most +${toleranceSeconds} s`, Math.max, (ahead) =>
    ahead > toleranceSeconds * 1_000 ? `it is not valid yet: its time is ${inWords(ahead)} in the future` : undefined,
  )

/** Verifies that all times are in the future; `found` is the earliest one relative to now. Missing times are ignored. */
export const verifyEnd = (times: Times, { now, toleranceSeconds }: VerificationClock): TimeVerdict =>
  verifyTime(times, now, `later than -${toleranceSeconds} s`, Math.min, (ahead) =>
    -ahead >= toleranceSeconds * 1_000 ? `it is no longer valid: its time is ${inWords(ahead)} in the past` : undefined,
  )

/** @param violationOf returns why a time is rejected that is so many milliseconds in the future */
function verifyTime(
  times: Times,
  now: number,
  expected: string,
  select: (...times: number[]) => number,
  violationOf: (ahead: number) => string | undefined,
): TimeVerdict {
  const read = times.filter((time) => time !== undefined).map(readInstant)
  if (!read.every((time) => time !== undefined)) return { violation: 'it has a malformed time', expected }
  if (read.length === 0) return { violation: undefined, expected }
  const time = select(...read)
  return { violation: violationOf(time - now), expected, found: distance(time, now) }
}

/** Returns the earliest of the times that can be read. */
export const firstOf = (times: Times): number =>
  Math.min(...times.map(readInstant).filter((time) => time !== undefined))
