import { type Clock, fromNow, MINUTE } from '../../platform/clock.js'
import type { Directory } from './directory.js'

/**
 * When a directory is read next: after its minutes, and up to a tenth earlier, so that not all that were saved in one hour come at once.
 * Null without a schedule.
 */
export function nextSync(
  clock: Clock,
  { enabled, scheduleMinutes }: Pick<Directory, 'enabled' | 'scheduleMinutes'>,
): Date | null {
  if (!enabled || scheduleMinutes === 0) return null
  return fromNow(clock, scheduleMinutes * MINUTE * (1 - Math.random() / 10))
}
