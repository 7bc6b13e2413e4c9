import type { Clock } from '../src/platform/clock.js'

/** The system's clock plus an offset that a test moves. */
export interface TestClock extends Clock {
  /** Moves time on (back, when negative) on every node. */
  advance(milliseconds: number): Promise<void>
  /** How far time has been moved, in milliseconds. */
  readonly offset: number
}

export function createTestClock(onMove: (offset: number) => Promise<void> = async () => {}): TestClock {
  let offset = 0
  return {
    ms: () => Date.now() + offset,
    now: () => new Date(Date.now() + offset),
    get offset() {
      return offset
    },
    async advance(milliseconds) {
      offset += milliseconds
      await onMove(offset)
    },
  }
}
