import type { Clock } from '../../src/platform/clock.js'

/** The system clock plus an offset that a test changes. */
export interface TestClock extends Clock {
  /** Moves the time of every node forward, or back if negative. */
  advance(milliseconds: number): Promise<void>
}

const systemNow = Date.now
let offset = 0

/**
 * The clock of a test process, shared by its services. It changes `Date.now`, because libraries use that instead of Keyward's clock.
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

/** Resets the clock to the system time, before the services of another test file start. */
export function resetTestClock(): void {
  offset = 0
}
