import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { SamlKeyId } from '../../platform/ids.js'
import type { SamlKeyOwner } from './owner.js'
import { samlKeys } from './tables.js'

export type StoredSamlKey = typeof samlKeys.$inferSelect

const ORDER: Record<StoredSamlKey['state'], number> = { active: 0, next: 1, retired: 2 }

/** All SQL that changes keys. The owner is bound once, so that no query can omit it. */
export const samlKeyRepository = (tx: Transaction, { teamId, applicationId }: SamlKeyOwner, now: Date) => {
  const owned = and(
    eq(samlKeys.organizationId, teamId),
    applicationId === null ? isNull(samlKeys.applicationId) : eq(samlKeys.applicationId, applicationId),
  )
  const one = (id: SamlKeyId) => and(owned, eq(samlKeys.id, id))

  return {
    /** Returns the keys that have not expired, the signing one first, then the next one. Locks them until the transaction ends. */
    async lock(): Promise<StoredSamlKey[]> {
      const keys = await tx
        .select()
        .from(samlKeys)
        .where(and(owned, sql`(${samlKeys.endsAt} IS NULL OR ${samlKeys.endsAt} > ${now.toISOString()})`))
        // In the order of the IDs, which never change: transactions that lock by state could deadlock while one changes the states.
        .orderBy(desc(samlKeys.id))
        .for('update')
      return keys.sort((a, b) => ORDER[a.state] - ORDER[b.state])
    },

    /** Returns false if a concurrent transaction inserted a key in this state first. */
    async insert(key: Omit<StoredSamlKey, 'organizationId' | 'applicationId' | 'endsAt'>): Promise<boolean> {
      const rows = await tx
        .insert(samlKeys)
        .values({ ...key, organizationId: teamId, applicationId, endsAt: null })
        .onConflictDoNothing()
        .returning({ id: samlKeys.id })
      return rows.length === 1
    },

    update: (id: SamlKeyId, change: Pick<StoredSamlKey, 'state' | 'endsAt'>) =>
      tx.update(samlKeys).set(change).where(one(id)),

    delete: (id: SamlKeyId) => tx.delete(samlKeys).where(one(id)),
  }
}
