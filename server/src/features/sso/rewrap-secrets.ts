import { eq, sql } from 'drizzle-orm'
import type { ProviderDeps } from './deps.js'
import { contextOfSecret } from './provider.js'
import { ssoProviders } from './tables.js'

const AT_A_TIME = 500

/** Wraps every client secret under the first ENCRYPTION_KEY, some in each transaction. Run at the start. */
export async function rewrapClientSecrets({ db, envelope }: Pick<ProviderDeps, 'db' | 'envelope'>): Promise<void> {
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const old = await tx
        .select({ id: ssoProviders.id, secret: ssoProviders.oidcClientSecret })
        .from(ssoProviders)
        .where(sql`${ssoProviders.oidcClientSecret} NOT LIKE ${`v1.${envelope.keyId}.%`}`)
        .limit(AT_A_TIME)
        .for('update', { skipLocked: true })
      for (const { id, secret } of old)
        if (secret)
          await tx
            .update(ssoProviders)
            .set({ oidcClientSecret: envelope.rewrap(secret, contextOfSecret({ id })) ?? secret })
            .where(eq(ssoProviders.id, id))
      return old.length
    })
    if (count < AT_A_TIME) return
  }
}
