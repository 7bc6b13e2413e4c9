import { eq, sql } from 'drizzle-orm'
import type { Envelope } from '../../platform/crypto/envelope.js'
import type { Database } from '../../platform/db/database.js'
import { contextOf } from './make-key.js'
import { samlKeys } from './tables.js'

const AT_A_TIME = 500

/** Wraps every private key under the first ENCRYPTION_KEY, some in each transaction. */
export async function rewrapSamlKeys({ db, envelope }: { db: Database; envelope: Envelope }): Promise<void> {
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const old = await tx
        .select({ id: samlKeys.id, sealed: samlKeys.sealedPrivateKey })
        .from(samlKeys)
        .where(sql`${samlKeys.sealedPrivateKey} NOT LIKE ${`v1.${envelope.keyId}.%`}`)
        .limit(AT_A_TIME)
        .for('update', { skipLocked: true })
      for (const { id, sealed } of old) {
        const sealedPrivateKey = envelope.rewrap(sealed, contextOf(id)) ?? sealed
        await tx.update(samlKeys).set({ sealedPrivateKey }).where(eq(samlKeys.id, id))
      }
      return old.length
    })
    if (count < AT_A_TIME) return
  }
}
