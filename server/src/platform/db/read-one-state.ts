import type { Database, Transaction } from './database.js'

/** Runs a read-only transaction whose statements all see the same snapshot. */
export const readSnapshot = <T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  db.transaction(work, { readsOneState: true })
