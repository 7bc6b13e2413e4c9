import type { Actor } from '../../platform/http/actor.js'
import type { ApplicationId } from '../../platform/ids.js'
import type { ApplicationDeps } from './deps.js'
import { refusal } from './errors.js'
import { applicationRepository } from './repository.js'

/** Deletes the application with its tokens, consents and configuration; the audit log keeps its name. @throws application_not_found */
export function deleteApplication({ db, audit }: ApplicationDeps, actor: Actor, id: string): Promise<ApplicationId> {
  return db.transaction(async (tx) => {
    const deleted = await applicationRepository(tx, actor.teamId).delete(id)
    if (!deleted) throw refusal('application_not_found')
    await audit.record(tx, actor, 'application.deleted', {
      resource: `application:${deleted.id}`,
      metadata: { name: deleted.name, type: deleted.type, clientId: deleted.clientId },
    })
    return deleted.id
  })
}
