import type { Database, Transaction } from './database.js'

/** A transaction that reads: each of its statements sees the database as the first one did, and none may write. */
export const readOneState = <T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  db.transaction(work, { readsOneState: true })
