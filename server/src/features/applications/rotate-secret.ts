import { fromNow, SECOND } from '../../platform/clock.js'
import { randomToken } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Actor } from '../../platform/http/actor.js'
import type { ApplicationDeps } from './deps.js'
import { rejection } from './errors.js'
import { usesSecret } from './registration.js'
import { applicationRepository } from './repository.js'

/**
 * Gives the application a new secret, which is answered here and never again. The one before is dead at the commit with everything
 * that was handed out by it, or good for `keepPreviousFor` seconds more; whatever was the previous one until now is forgotten. A
 * client that became confidential and has none yet gets its first.
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
