import type { Actor } from '../../../platform/http/actor.js'
import type { ApplicationDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { applicationRepository } from '../repository.js'

/**
 * Revokes the token with which a client manages its own registration (RFC 7592): only administrators can then change or delete it. The
 * secret and issued tokens stay valid. Idempotent.
 * @throws application_not_found
 */
export function endRegistrationToken({ db, clock, audit }: ApplicationDeps, actor: Actor, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    const repository = applicationRepository(tx, actor.teamId)
    const application = await repository.lock(id)
    if (!application) throw rejection('application_not_found')
    if (!application.registrationTokenHash) return
    await repository.update(application, { registrationTokenHash: null, updatedAt: clock.now() })
    await audit.record(tx, actor, 'application.registration_token_ended', {
      resource: `application:${application.id}`,
    })
  })
}
