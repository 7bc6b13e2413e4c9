import { retryLater } from '../errors.js'

interface Waiter {
  resolve(): void
  reject(error: Error): void
}

export interface TransactionSlots {
  /** @throws unavailable after the time that a transaction may wait */
  acquire(): Promise<void>
  release(): void
  /** Rejects every transaction that waits. */
  rejectWaiting(error: Error): void
  readonly waiting: number
}

/**
 * Limits how many transactions are open at once, in the order in which they came. The other connections of the pool are for single
 * statements, such as the check of a session, so that a flood of sign-ins does not starve them.
 */
export function createTransactionSlots(slots: number, timeoutMs: number): TransactionSlots {
  const waiting = new Set<Waiter>()
  let free = slots
  return {
    acquire() {
      if (free > 0) {
        free--
        return Promise.resolve()
      }
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          resolve: () => {
            clearTimeout(timer)
            resolve()
          },
          reject: (error) => {
            clearTimeout(timer)
            reject(error)
          },
        }
        const timer = setTimeout(() => {
          waiting.delete(waiter)
          reject(retryLater('unavailable', 2, new Error('Too many transactions wait for a connection')))
        }, timeoutMs)
        waiting.add(waiter)
      })
    },
    release() {
      const [next] = waiting
      if (!next) {
        free++
        return
      }
      waiting.delete(next)
      next.resolve()
    },
    rejectWaiting(error) {
      for (const waiter of waiting) waiter.reject(error)
      waiting.clear()
    },
    get waiting() {
      return waiting.size
    },
  }
}

/** Connections that a pool of `max` keeps for single statements: a fifth, one at least, none of a single connection. */
export const reservedConnections = (max: number): number => (max > 1 ? Math.max(1, Math.floor(max / 5)) : 0)
