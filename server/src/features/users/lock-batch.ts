import { sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import { lockUsersByEmail } from './repository.js'
import { users } from './tables.js'

/**
 * The limits of one batch of an import or a directory sync. A team can name accounts of other teams, whose owners' sign-ins wait while the
 * batch has them locked.
 */
export const BATCH_LIMITS = {
  /** Maximum number of existing accounts that one transaction locks. */
  accounts: 20,
  /** No further row is started after this time. */
  milliseconds: 250,
}

/**
 * Locks the existing accounts of the first items, in the order of their IDs, and stops before the item that would exceed
 * `BATCH_LIMITS.accounts`. Runs in the caller's transaction.
 * @param emailsOf returns the normalized email addresses of an item's accounts
 * @returns the items of the batch, at least one if there is any
 */
export async function lockBatch<T>(tx: Transaction, items: T[], emailsOf: (item: T) => string[]): Promise<T[]> {
  const emails = [...new Set(items.flatMap(emailsOf))]
  const rows = await tx
    .select({ email: users.email })
    .from(users)
    .where(sql`${users.email} = ANY(${sql.param(emails)}::text[])`)
  const existing = new Set(rows.map(({ email }) => email))
  const locked = new Set<string>()
  const batch: T[] = []
  for (const item of items) {
    const more = new Set(emailsOf(item).filter((email) => existing.has(email) && !locked.has(email)))
    if (batch.length > 0 && locked.size + more.size > BATCH_LIMITS.accounts) break
    for (const email of more) locked.add(email)
    batch.push(item)
  }
  await lockUsersByEmail(tx, [...locked])
  return batch
}
