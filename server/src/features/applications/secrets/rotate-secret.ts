import { fromNow, SECOND } from '../../../platform/clock.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { ApplicationDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { usesSecret } from '../registration/registration.js'
import { applicationRepository } from '../repository.js'

/**
 * Replaces the client secret and returns the new one, of which only the hash is stored. The previous one is revoked at once with all issued
 * tokens, or stays valid for `keepPreviousFor` seconds; an older previous one is revoked. Also issues the first secret of a client that
 * became confidential.
 * @throws application_not_found, no_client_secret
 */
export function rotateSecret(
  { db, clock, audit }: ApplicationDeps,
  actor: Actor,
  id: string,
  keepPreviousFor = 0,
): Promise<{ clientSecret: string; previousSecretUntil: Date | null }> {
  const clientSecret = randomToken()
  return db.transaction(async (tx) => {
    const repository = applicationRepository(tx, actor.teamId)
    const application = await repository.lock(id)
    if (!application) throw rejection('application_not_found')
    if (!usesSecret(application)) throw rejection('no_client_secret')
    const now = clock.now()
    const overlaps = keepPreviousFor > 0 && application.secretHash !== null
    const previousSecretUntil = overlaps ? fromNow(clock, keepPreviousFor * SECOND) : null
    await repository.update(application, {
      secretHash: tokenHash(clientSecret),
      secretRotatedAt: now,
      previousSecretHash: overlaps ? application.secretHash : null,
      previousSecretUntil,
      ...(!overlaps && { generation: application.generation + 1 }),
      updatedAt: now,
    })
    await audit.record(tx, actor, 'application.secret_rotated', {
      resource: `application:${application.id}`,
      metadata: previousSecretUntil ? { previousSecretExpiresAt: previousSecretUntil.toISOString() } : {},
    })
    return { clientSecret, previousSecretUntil }
  })
}
