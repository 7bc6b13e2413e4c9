import { sql } from 'drizzle-orm'
import { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'

/**
 * Applies one row of an import or one entry of a directory in a savepoint, which is rolled back if it is rejected: then it leaves no trace.
 * Runs in the caller's transaction.
 * @returns the rejection, if any
 */
export async function inSavepoint(tx: Transaction, work: () => Promise<void>): Promise<AppError | undefined> {
  await tx.execute(sql`SAVEPOINT one_user`)
  try {
    await work()
    await tx.execute(sql`RELEASE SAVEPOINT one_user`)
    return undefined
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    await tx.execute(sql`ROLLBACK TO SAVEPOINT one_user`)
    return error
  }
}
