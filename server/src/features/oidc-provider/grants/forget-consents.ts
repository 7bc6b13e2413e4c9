import { eq } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { UserId } from '../../../platform/ids.js'
import { consents } from '../tables.js'

/** Removes what the user has allowed applications, so that each asks for consent again. Runs in the caller's transaction. @returns how many */
export async function forgetConsents(tx: Transaction, userId: UserId): Promise<number> {
  const removed = await tx.delete(consents).where(eq(consents.userId, userId)).returning({ id: consents.applicationId })
  return removed.length
}
