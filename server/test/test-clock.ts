import type { Clock } from '../src/platform/clock.js'

/** The system's clock plus an offset that a test moves. */
export interface TestClock extends Clock {
  /** Moves time on (back, when negative) on every node. */
  advance(milliseconds: number): Promise<void>
}

export function createTestClock(onMove: (offset: number) => Promise<void> = async () => {}): TestClock {
  let offset = 0
  return {
    ms: () => Date.now() + offset,
    now: () => new Date(Date.now() + offset),
    async advance(milliseconds) {
      offset += milliseconds
      await onMove(offset)
    },
  }
}
