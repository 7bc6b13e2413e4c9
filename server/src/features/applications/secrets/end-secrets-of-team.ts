import { eq, sql } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { TeamId } from '../../../platform/ids.js'
import { applications } from '../tables.js'

/**
 * Stops every application of the team and revokes what a third party may hold of it: client secrets, assertion keys, registration tokens
 * and all issued tokens. Administrators review each application and start it again. Runs in the caller's transaction.
 * @returns the number of applications
 */
export async function endApplicationSecrets(tx: Transaction, clock: Clock, teamId: TeamId): Promise<number> {
  const now = clock.now()
  const stopped = await tx
    .update(applications)
    .set({
      stoppedAt: sql`coalesce(${applications.stoppedAt}, ${now.toISOString()}::timestamptz)`,
      // The hash of a discarded token: an administrator must rotate the secret.
      secretHash: sql`CASE WHEN ${applications.secretHash} IS NOT NULL THEN ${tokenHash(randomToken())}::bytea END`,
      previousSecretHash: null,
      previousSecretUntil: null,
      registrationTokenHash: null,
      jwks: null,
      generation: sql`${applications.generation} + 1`,
      version: sql`${applications.version} + 1`,
      updatedAt: now,
    })
    .where(eq(applications.organizationId, teamId))
    .returning({ id: applications.id })
  return stopped.length
}
