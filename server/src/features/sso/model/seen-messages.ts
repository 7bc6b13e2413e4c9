import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { SsoProviderId } from '../../../platform/ids.js'
import { ssoSeenMessages } from '../tables.js'

/**
 * Marks a provider's message as used: the `jti` of a token, or the ID of an assertion. Exactly one of several concurrent calls returns true. Runs
 * in the caller's transaction.
 * @param until when the message itself expires
 */
export async function consumeMessage(
  tx: Transaction,
  { providerId, id, until }: { providerId: SsoProviderId; id: string; until: Date },
): Promise<boolean> {
  const taken = await tx
    .insert(ssoSeenMessages)
    .values({ providerId, hash: tokenHash(id), expiresAt: until })
    .onConflictDoNothing()
    .returning({ hash: ssoSeenMessages.hash })
  return taken.length === 1
}
