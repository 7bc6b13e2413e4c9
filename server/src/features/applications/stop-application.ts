import type { Actor } from '../../platform/http/actor.js'
import type { ApplicationDeps } from './deps.js'
import { rejection } from './errors.js'
import type { Application } from './registration.js'
import { applicationRepository } from './repository.js'

/**
 * Stops an application, such as an agent that does what it should not: at the commit everything that it was given is dead on every node,
 * what others were given for its tokens too, and it gets nothing until it is started again. Stopping one that is stopped changes nothing.
 * @throws application_not_found
 */
export const stopApplication = (deps: ApplicationDeps, actor: Actor, id: string): Promise<Application> =>
  setStopped(deps, actor, id, true)

/** Lets a stopped application ask again; what it was given before stays dead. @throws as `stopApplication` */
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
      // Nothing that was given before outlives the generation.
      ...(stopped && { generation: before.generation + 1 }),
      updatedAt: now,
    })
    await audit.record(tx, actor, stopped ? 'application.stopped' : 'application.started', {
      resource: `application:${before.id}`,
    })
    return after
  })
}
