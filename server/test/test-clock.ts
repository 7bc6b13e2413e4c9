import type { Clock } from '../src/platform/clock.js'

/** The system's clock plus an offset that a test moves. */
export interface TestClock extends Clock {
  /** Moves time on (back, when negative) on every node. */
  advance(milliseconds: number): Promise<void>
}

const systemNow = Date.now
let offset = 0

/**
 * The clock of a test's process. Libraries that know no clock of ours ask `Date.now`, and so that is what moves; it is shared by
 * every service of the process.
 */
export function createTestClock(onMove: (offset: number) => Promise<void> = async () => {}): TestClock {
  Date.now = () => systemNow() + offset
  return {
    ms: () => Date.now(),
    now: () => new Date(Date.now()),
    async advance(milliseconds) {
      offset += milliseconds
      await onMove(offset)
    },
  }
}

/** Back to the system's time, before the services of another test file start. */
export function resetTestClock(): void {
  offset = 0
}
