import { randomKey, randomToken, uuidv7 } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Actor } from '../../platform/http/actor.js'
import type { ApplicationId } from '../../platform/ids.js'
import type { ApplicationDeps } from './deps.js'
import { type Application, newRegistration, type Registration, usesSecret } from './registration.js'
import { applicationRepository } from './repository.js'
import { settleRegistration } from './settle-registration.js'

/**
 * Registers an application. Its secret is answered here and never again: the database keeps its hash.
 * @throws invalid_request, limit_reached
 */
export function createApplication(
  { db, clock, audit, config }: ApplicationDeps,
  actor: Actor,
  wanted: Partial<Registration> & Pick<Registration, 'name' | 'type'>,
): Promise<{ application: Application; clientSecret: string | undefined }> {
  const registration = settleRegistration(newRegistration(wanted.name, wanted.type), wanted, {
    httpAnywhere: !config.secure,
  })
  const clientSecret = usesSecret(registration) ? randomToken() : undefined
  return db.transaction(async (tx) => {
    const now = clock.now()
    const application = await applicationRepository(tx, actor.teamId).insert({
      ...registration,
      id: uuidv7<ApplicationId>(clock),
      clientId: randomKey(16).toString('hex'),
      secretHash: clientSecret === undefined ? null : tokenHash(clientSecret),
      secretRotatedAt: null,
      previousSecretHash: null,
      previousSecretUntil: null,
      registrationTokenHash: null,
      stoppedAt: null,
      version: 1,
      generation: 1,
      createdAt: now,
      updatedAt: now,
    })
    await audit.record(tx, actor, 'application.created', {
      resource: `application:${application.id}`,
      metadata: { name: application.name, type: application.type, clientId: application.clientId },
    })
    return { application, clientSecret }
  })
}
