import { eq, sql } from 'drizzle-orm'
import type { DirectoryDeps } from './deps.js'
import { contextOfPassword } from './directory.js'
import { directories } from './tables.js'

const AT_A_TIME = 500

/** Wraps every bind password under the first ENCRYPTION_KEY, some in each transaction. Run at the start. */
export async function rewrapBindPasswords({ db, envelope }: Pick<DirectoryDeps, 'db' | 'envelope'>): Promise<void> {
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const old = await tx
        .select({ id: directories.id, password: directories.bindPassword })
        .from(directories)
        .where(sql`${directories.bindPassword} NOT LIKE ${`v1.${envelope.keyId}.%`}`)
        .limit(AT_A_TIME)
        .for('update', { skipLocked: true })
      for (const { id, password } of old)
        await tx
          .update(directories)
          .set({ bindPassword: envelope.rewrap(password, contextOfPassword({ id })) ?? password })
          .where(eq(directories.id, id))
      return old.length
    })
    if (count < AT_A_TIME) return
  }
}
