import { retryLater } from '../errors.js'

interface Waiter {
  resolve(): void
  reject(error: Error): void
}

export interface TransactionSlots {
  /** @throws unavailable after the timeout */
  acquire(): Promise<void>
  release(): void
  /** Rejects all waiting transactions. */
  rejectWaiting(error: Error): void
  readonly waiting: number
}

/**
 * Limits the number of concurrent transactions, first come, first served. The other connections of the pool are reserved for single
 * statements, such as session checks, so that a flood of sign-ins does not starve them.
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

/** Returns the connections that a pool of `max` reserves for single statements: a fifth, at least one, none of a single connection. */
export const reservedConnections = (max: number): number => (max > 1 ? Math.max(1, Math.floor(max / 5)) : 0)
