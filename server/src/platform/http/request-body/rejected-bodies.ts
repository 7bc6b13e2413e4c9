import { LRUCache } from 'lru-cache'
import { type Clock, MINUTE, SECOND } from '../../clock.js'
import { retryLater } from '../../errors.js'

const WINDOW = 10 * MINUTE
/** The number of sources in memory. */
const MAX_SOURCES = 10_000

export interface RejectedBodies {
  /** Accepts one request with a body per second from a source with too many rejected bodies. @throws rate_limited */
  admit(source: () => string): void
  count(source: string): void
}

interface Counted {
  count: number
  windowEndsAt: number
  /** No further body is accepted before. */
  nextAt: number
}

/**
 * Counts rejected bodies by source, on this node only: a database write would cost more than the rejection.
 * @param most within ten minutes; 0 = no limit
 */
export function createRejectedBodies(clock: Clock, most: number): RejectedBodies {
  const sources = new LRUCache<string, Counted>({ max: MAX_SOURCES })
  const current = (source: string): Counted | undefined => {
    const counted = sources.get(source)
    if (counted && counted.windowEndsAt > clock.ms()) return counted
    sources.delete(source)
    return undefined
  }
  return {
    admit(source) {
      if (sources.size === 0) return
      const counted = current(source())
      if (!counted || counted.count < most) return
      if (counted.nextAt > clock.ms()) throw retryLater('rate_limited', 1)
      counted.nextAt = clock.ms() + SECOND
    },
    count(source) {
      if (most === 0) return
      const counted = current(source)
      if (counted) {
        counted.count++
        return
      }
      sources.set(source, { count: 1, windowEndsAt: clock.ms() + WINDOW, nextAt: 0 })
    },
  }
}
