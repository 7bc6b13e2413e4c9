import { eq, isNotNull, or, sql } from 'drizzle-orm'
import type { FactorDeps } from './deps.js'
import { contextOfSecret } from './judge-code.js'
import { contextOfCodes } from './start-totp.js'
import { totpSecrets } from './tables.js'

const AT_A_TIME = 500

/** Wraps every secret under the first ENCRYPTION_KEY, some in each transaction. Run at the start. */
export async function rewrapTotpSecrets({ db, envelope }: Pick<FactorDeps, 'db' | 'envelope'>): Promise<void> {
  const current = `v1.${envelope.keyId}.%`
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const old = await tx
        .select()
        .from(totpSecrets)
        .where(
          or(
            sql`${totpSecrets.sealedSecret} NOT LIKE ${current}`,
            sql`${isNotNull(totpSecrets.sealedBackupCodes)} AND ${totpSecrets.sealedBackupCodes} NOT LIKE ${current}`,
          ),
        )
        .limit(AT_A_TIME)
        .for('update', { skipLocked: true })
      for (const { factorId, sealedSecret, sealedBackupCodes } of old) {
        const codes = sealedBackupCodes && envelope.rewrap(sealedBackupCodes, contextOfCodes(factorId))
        await tx
          .update(totpSecrets)
          .set({
            sealedSecret: envelope.rewrap(sealedSecret, contextOfSecret(factorId)) ?? sealedSecret,
            ...(codes && { sealedBackupCodes: codes }),
          })
          .where(eq(totpSecrets.factorId, factorId))
      }
      return old.length
    })
    if (count < AT_A_TIME) return
  }
}
