import type { Clock } from '../../src/platform/clock.js'

/** The system clock plus an offset that a test changes. */
export interface TestClock extends Clock {
  /** Moves the time of every node forward, or back if negative. */
  advance(milliseconds: number): Promise<void>
}

const systemNow = Date.now
let offset = 0

/** The longest time for which Node sets a timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1

// After a clock moved back, PostgreSQL in this process waits for times that are months ahead. Node would end such a timer at once, and PostgreSQL
// would set it again, each millisecond.
globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
  apply: (target, self, [act, milliseconds, ...values]) =>
    Reflect.apply(target, self, [act, Math.min(milliseconds ?? 0, LONGEST_TIMER), ...values]),
})

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
