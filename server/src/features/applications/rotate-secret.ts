import { randomToken } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Actor } from '../../platform/http/actor.js'
import type { ApplicationDeps } from './deps.js'
import { refusal } from './errors.js'
import { usesSecret } from './registration.js'
import { applicationRepository } from './repository.js'

/**
 * Gives the application a new secret, which is answered here and never again; the one before is dead at the commit. A client that
 * became confidential and has none yet gets its first.
 * @throws application_not_found, no_client_secret
 */
export function rotateSecret({ db, clock, audit }: ApplicationDeps, actor: Actor, id: string): Promise<string> {
  const clientSecret = randomToken()
  return db.transaction(async (tx) => {
    const repository = applicationRepository(tx, actor.teamId)
    const application = await repository.lock(id)
    if (!application) throw refusal('application_not_found')
    if (!usesSecret(application)) throw refusal('no_client_secret')
    const now = clock.now()
    await repository.update(application, {
      secretHash: tokenHash(clientSecret),
      secretRotatedAt: now,
      generation: application.generation + 1,
      updatedAt: now,
    })
    await audit.record(tx, actor, 'application.secret_rotated', { resource: `application:${application.id}` })
    return clientSecret
  })
}
