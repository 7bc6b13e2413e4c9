import { retryLater } from '../errors.js'

/** A queue for work with a concurrency limit. */
export interface FairQueue {
  /**
   * Runs the work when a slot is free. Keys are served round-robin; the callers of one key in order.
   * @param key such as a team
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Returns the number of waiting callers, in total or of one key. */
  waiting(key?: string): number
  /** Returns whether a caller with this key would wait. */
  wouldWait(key: string): boolean
}

/**
 * @param slots how much work runs concurrently
 * @param perKey how much of one key; default: all slots
 */
export function createFairQueue(slots: number, perKey = slots): FairQueue {
  /** The waiting callers by key; the order of the keys is the order in which they are served. */
  const waitingByKey = new Map<string, (() => void)[]>()
  const running = new Map<string, number>()
  let all = 0

  const wouldWait = (key: string): boolean => all >= slots || (running.get(key) ?? 0) >= perKey

  function count(key: string, change: 1 | -1): void {
    all += change
    const now = (running.get(key) ?? 0) + change
    if (now > 0) running.set(key, now)
    else running.delete(key)
  }

  /** Assigns the free slot to the first key that may use it, before any later caller. */
  function startNext(): void {
    for (const [key, line] of waitingByKey) {
      if (wouldWait(key)) continue
      const [start, ...rest] = line
      waitingByKey.delete(key)
      if (rest.length > 0) waitingByKey.set(key, rest)
      count(key, 1)
      start?.()
      return
    }
  }

  async function acquire(key: string): Promise<void> {
    if (!wouldWait(key)) return count(key, 1)
    await new Promise<void>((start) => waitingByKey.set(key, [...(waitingByKey.get(key) ?? []), start]))
  }

  return {
    wouldWait,
    async run(key, work) {
      await acquire(key)
      try {
        return await work()
      } finally {
        count(key, -1)
        startNext()
      }
    },
    waiting(key) {
      if (key !== undefined) return waitingByKey.get(key)?.length ?? 0
      return [...waitingByKey.values()].reduce((sum, line) => sum + line.length, 0)
    },
  }
}

/** A fair queue of bounded length. */
export interface BoundedQueue {
  /** Runs the work when a slot is free. @throws rate_limited if too many callers with this key wait */
  take<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** @param limits concurrent work in total and of one key, and the maximum number of waiting callers of one key */
export function createBoundedQueue(limits: { slots: number; perKey: number; waiting: number }): BoundedQueue {
  const queue = createFairQueue(limits.slots, limits.perKey)
  return {
    async take(key, work) {
      if (queue.wouldWait(key) && queue.waiting(key) >= limits.waiting) throw retryLater('rate_limited', 1)
      return queue.run(key, work)
    },
  }
}
