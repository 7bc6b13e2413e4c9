import type { Actor } from '../../../platform/http/actor.js'
import type { ApplicationDeps } from '../deps.js'
import { rejection } from '../errors.js'
import type { Application } from '../registration/registration.js'
import { applicationRepository } from '../repository.js'

/**
 * Revokes the previous secret before its overlap ends, because it may have leaked. It suffices for client_credentials, so all such tokens
 * are revoked too; tokens of user grants require more than the secret and stay valid. Idempotent.
 * @throws application_not_found
 */
export function endPreviousSecret(
  { db, clock, audit }: ApplicationDeps,
  actor: Actor,
  id: string,
): Promise<Application> {
  return db.transaction(async (tx) => {
    const repository = applicationRepository(tx, actor.teamId)
    const application = await repository.lock(id)
    if (!application) throw rejection('application_not_found')
    const now = clock.now()
    if (!application.previousSecretUntil || application.previousSecretUntil <= now) return application
    const after = await repository.update(application, {
      previousSecretHash: null,
      previousSecretUntil: null,
      secretsEnded: application.secretsEnded + 1,
      updatedAt: now,
    })
    await audit.record(tx, actor, 'application.previous_secret_ended', { resource: `application:${application.id}` })
    return after
  })
}
