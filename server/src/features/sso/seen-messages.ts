import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import type { SsoProviderId } from '../../platform/ids.js'
import { ssoSeenMessages } from './tables.js'

/**
 * A step: takes a message of a provider, which counts once: a `jti`, the id of an assertion. Of many at once one is true.
 * @param until when it would be refused by its own time
 */
export async function takeMessage(
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
