import { and, desc, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { ApplicationId, SigningKeyId, TeamId } from '../../../platform/ids.js'
import { signingKeySets, signingKeys } from '../tables.js'

export type StoredKey = typeof signingKeys.$inferSelect

/**
 * The only SQL that changes keys. Every query is bound to the team and the owner.
 * @param applicationId null for the keys of the team itself
 */
export const keyRepository = (tx: Transaction, teamId: TeamId, applicationId: ApplicationId | null) => {
  const owned = and(
    eq(signingKeys.organizationId, teamId),
    applicationId === null ? isNull(signingKeys.applicationId) : eq(signingKeys.applicationId, applicationId),
  )
  const one = (id: SigningKeyId) => and(owned, eq(signingKeys.id, id))

  return {
    /** Increments the version of the team's keys and locks them until the commit. Returns false if the team has no keys. */
    async countChange(): Promise<boolean> {
      const rows = await tx
        .update(signingKeySets)
        .set({ version: sql`${signingKeySets.version} + 1` })
        .where(eq(signingKeySets.organizationId, teamId))
        .returning({ version: signingKeySets.version })
      return rows.length === 1
    },

    /** Returns the keys, newest first. */
    list: (): Promise<StoredKey[]> =>
      tx.select().from(signingKeys).where(owned).orderBy(desc(signingKeys.createdAt), desc(signingKeys.id)),

    /** Returns whether a key in the same JWKS, of the owner or the team, has this kid. */
    async isTaken(kid: string): Promise<boolean> {
      const inJwks = and(
        eq(signingKeys.organizationId, teamId),
        or(owned, isNull(signingKeys.applicationId)),
        eq(signingKeys.kid, kid),
      )
      return (await tx.select({ id: signingKeys.id }).from(signingKeys).where(inJwks).limit(1)).length > 0
    },

    /** Removes a mark from every other key of the owner, because only one key can have it. */
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
 * Deletes the signing keys of the team's applications, whose private keys may have been imported. The key of the team, which the service
 * generated, replaces them. Runs in the caller's transaction. @returns their number
 */
export async function deleteApplicationKeys(tx: Transaction, teamId: TeamId): Promise<number> {
  if (!(await keyRepository(tx, teamId, null).countChange())) return 0
  const deleted = await tx
    .delete(signingKeys)
    .where(and(eq(signingKeys.organizationId, teamId), isNotNull(signingKeys.applicationId)))
    .returning({ id: signingKeys.id })
  return deleted.length
}
