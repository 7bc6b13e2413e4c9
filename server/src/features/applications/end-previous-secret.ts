import type { Actor } from '../../platform/http/actor.js'
import type { ApplicationDeps } from './deps.js'
import { rejection } from './errors.js'
import type { Application } from './registration.js'
import { applicationRepository } from './repository.js'

/**
 * Ends the secret before the present one now, instead of when its overlap is over: it may have leaked. Whoever has it had only to ask for
 * tokens of the application itself, so that all of those end with it; what users were asked for took more than the secret, and stays.
 * Without one nothing changes.
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
