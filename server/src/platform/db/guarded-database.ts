import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, Transaction } from './database.js'

/** Runs before the first statement of a transaction. It throws to reject the request. */
export type Guard = (tx: Transaction) => Promise<void>

export interface GuardedDatabase {
  /** The database: its writing transactions begin with the guard of their request. */
  db: Database
  /** Runs the handler of a request; `guard` begins each of its transactions until the handler returns. */
  withGuard<T>(guard: Guard, handler: () => Promise<T>): Promise<T>
}

/**
 * Wraps a database so that each writing transaction of a request begins with a guard, in any use case. Work that a request only
 * triggers (jobs after the commit, work after the response) has no guard.
 */
export function guardDatabase(db: Database): GuardedDatabase {
  const requests = new AsyncLocalStorage<{ guard: Guard | undefined }>()
  const transaction: Database['transaction'] = (work, options = {}) => {
    const guard = requests.getStore()?.guard
    if (!guard || options.readsOneState) return db.transaction(work, options)
    return db.transaction(async (tx) => {
      await guard(tx)
      const afterCommit: Transaction['afterCommit'] = (act) =>
        tx.afterCommit(() => requests.run({ guard: undefined }, act))
      return work({ ...tx, afterCommit })
    }, options)
  }
  return {
    // A prototype instead of a copy, because some properties are getters.
    db: Object.create(db, { transaction: { value: transaction } }),
    withGuard: (guard, handler) => {
      const request: { guard: Guard | undefined } = { guard }
      return requests.run(request, async () => {
        try {
          return await handler()
        } finally {
          request.guard = undefined
        }
      })
    },
  }
}
