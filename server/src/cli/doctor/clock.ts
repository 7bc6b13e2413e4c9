import { SECOND } from '../../platform/clock.js'
import { type Found, ok, problem, warning } from './check.js'

const TOLERATED = 2 * SECOND
const PROBLEM_FROM = 30 * SECOND

/**
 * Returns the finding about the difference between two clocks.
 * @param name of the check
 * @param aheadMs milliseconds by which the other clock is ahead of that of this machine
 * @param other the owner of the other clock, such as `the database server`
 * @param errorMs the most by which the measurement can be wrong
 */
export function assessClock(name: string, aheadMs: number, other: string, errorMs = 0): Found {
  const distance = Math.max(0, Math.abs(aheadMs) - errorMs)
  const seconds = (Math.abs(aheadMs) / SECOND).toFixed(1)
  const finding =
    distance <= TOLERATED
      ? `The clock of this machine agrees with that of ${other} within ${seconds} s`
      : `The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} that of ${other}`
  const solution = 'Synchronize both clocks by NTP: one-time codes, tokens and SAML assertions depend on the time'
  const status = distance > PROBLEM_FROM ? problem : warning
  return { area: 'clock', name, ...(distance > TOLERATED ? status(finding, solution) : ok(finding)) }
}
