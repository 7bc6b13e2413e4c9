import { type Clock, fromNow, MINUTE } from '../../../platform/clock.js'
import type { Directory } from './directory.js'

/**
 * Returns the time of the next sync, up to a tenth of the interval early, so that directories saved in the same hour do not all sync at
 * once. Returns null without a schedule.
 */
export function nextSync(
  clock: Clock,
  { enabled, scheduleMinutes }: Pick<Directory, 'enabled' | 'scheduleMinutes'>,
): Date | null {
  if (!enabled || scheduleMinutes === 0) return null
  return fromNow(clock, scheduleMinutes * MINUTE * (1 - Math.random() / 10))
}
