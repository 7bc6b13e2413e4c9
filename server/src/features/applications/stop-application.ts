import type { Actor } from '../../platform/http/actor.js'
import type { ApplicationDeps } from './deps.js'
import { rejection } from './errors.js'
import type { Application } from './registration/registration.js'
import { applicationRepository } from './repository.js'

/**
 * Stops an application, such as a misbehaving agent: at the commit its tokens, and those exchanged for them, are revoked on every node,
 * and it receives none until it is started again. Idempotent.
 * @throws application_not_found
 */
export const stopApplication = (deps: ApplicationDeps, actor: Actor, id: string): Promise<Application> =>
  setStopped(deps, actor, id, true)

/** Starts a stopped application. Its previous tokens stay revoked. @throws application_not_found */
export const startApplication = (deps: ApplicationDeps, actor: Actor, id: string): Promise<Application> =>
  setStopped(deps, actor, id, false)

function setStopped(
  { db, clock, audit }: ApplicationDeps,
  actor: Actor,
  id: string,
  stopped: boolean,
): Promise<Application> {
  return db.transaction(async (tx) => {
    const repository = applicationRepository(tx, actor.teamId)
    const before = await repository.lock(id)
    if (!before) throw rejection('application_not_found')
    if ((before.stoppedAt !== null) === stopped) return before
    const now = clock.now()
    const after = await repository.update(before, {
      stoppedAt: stopped ? now : null,
      // Invalidates everything issued before.
      ...(stopped && { generation: before.generation + 1 }),
      updatedAt: now,
    })
    await audit.record(tx, actor, stopped ? 'application.stopped' : 'application.started', {
      resource: `application:${before.id}`,
    })
    return after
  })
}
