import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, Transaction } from './database.js'

/** What a transaction does before its first statement. It throws to reject the request. */
export type Guard = (tx: Transaction) => Promise<void>

export interface GuardedDatabase {
  /** The database, whose transactions that write begin with the guard of the request in which they are opened. */
  db: Database
  /** Runs the handler of a request: `guard` begins each of its transactions, until the handler returns. */
  withGuard<T>(guard: Guard, handler: () => Promise<T>): Promise<T>
}

/**
 * Adds to a database that each writing transaction of a request begins with a guard, whichever use-case opens it. What a request only
 * sets off (jobs after the commit, work behind the response) has none.
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
    // Not a copy: some of its properties are read anew each time.
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
