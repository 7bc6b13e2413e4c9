import { and, desc, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { ApplicationId, SigningKeyId, TeamId } from '../../../platform/ids.js'
import { signingKeySets, signingKeys } from '../tables.js'

export type StoredKey = typeof signingKeys.$inferSelect

/**
 * The only SQL that changes keys. Team and owner are bound once, so that no query can forget them.
 * @param applicationId null for the keys of the team itself
 */
export const keyRepository = (tx: Transaction, teamId: TeamId, applicationId: ApplicationId | null) => {
  const owned = and(
    eq(signingKeys.organizationId, teamId),
    applicationId === null ? isNull(signingKeys.applicationId) : eq(signingKeys.applicationId, applicationId),
  )
  const one = (id: SigningKeyId) => and(owned, eq(signingKeys.id, id))

  return {
    /** Counts a change of the team's keys, and makes others who change any of them wait; false while the team has none. */
    async countChange(): Promise<boolean> {
      const rows = await tx
        .update(signingKeySets)
        .set({ version: sql`${signingKeySets.version} + 1` })
        .where(eq(signingKeySets.organizationId, teamId))
        .returning({ version: signingKeySets.version })
      return rows.length === 1
    },

    /** Newest first. */
    list: (): Promise<StoredKey[]> =>
      tx.select().from(signingKeys).where(owned).orderBy(desc(signingKeys.createdAt), desc(signingKeys.id)),

    /** Whether a key in the same JWKS has this kid: one of the owner's, or one of the team's. */
    async isTaken(kid: string): Promise<boolean> {
      const inJwks = and(
        eq(signingKeys.organizationId, teamId),
        or(owned, isNull(signingKeys.applicationId)),
        eq(signingKeys.kid, kid),
      )
      return (await tx.select({ id: signingKeys.id }).from(signingKeys).where(inJwks).limit(1)).length > 0
    },

    /** Takes a mark from every other key of the owner: one at a time has it. */
    unmarkOthers: (id: SigningKeyId, mark: 'isDefault' | 'useForAccessTokens') =>
      tx
        .update(signingKeys)
        .set({ [mark]: false })
        .where(and(owned, ne(signingKeys.id, id), eq(signingKeys[mark], true))),

    insert: (key: StoredKey) => tx.insert(signingKeys).values(key),

    update: (
      id: SigningKeyId,
      change: Partial<Pick<StoredKey, 'isDefault' | 'useForAccessTokens' | 'retiredAt' | 'publishedUntil'>>,
    ) => tx.update(signingKeys).set(change).where(one(id)),

    delete: (id: SigningKeyId) => tx.delete(signingKeys).where(one(id)),
  }
}

/**
 * Deletes the signing keys of the team's applications, whose private halves may have been imported; the key of the team, which the service
 * generated, signs in their place. Runs in the caller's transaction. @returns how many there were
 */
export async function deleteApplicationKeys(tx: Transaction, teamId: TeamId): Promise<number> {
  if (!(await keyRepository(tx, teamId, null).countChange())) return 0
  const deleted = await tx
    .delete(signingKeys)
    .where(and(eq(signingKeys.organizationId, teamId), isNotNull(signingKeys.applicationId)))
    .returning({ id: signingKeys.id })
  return deleted.length
}
