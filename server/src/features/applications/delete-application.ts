import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { ApplicationId, TeamId } from '../../platform/ids.js'
import type { Audit, AuditSubject } from '../audit/index.js'
import type { ApplicationDeps } from './deps.js'
import { rejection } from './errors.js'
import { applicationRepository } from './repository.js'

/** Deletes the application with its tokens, consents and configuration. @throws application_not_found */
export const deleteApplication = ({ db, audit }: ApplicationDeps, actor: Actor, id: string): Promise<ApplicationId> =>
  db.transaction((tx) => removeApplication(tx, { audit }, actor, id))

/**
 * Deletes the application with its audit entry. Runs in the caller's transaction.
 * @param about additional metadata of the audit entry
 * @throws application_not_found
 */
export async function removeApplication(
  tx: Transaction,
  { audit }: { audit: Audit },
  by: AuditSubject & { teamId: TeamId },
  id: string,
  about: Record<string, unknown> = {},
): Promise<ApplicationId> {
  const deleted = await applicationRepository(tx, by.teamId).delete(id)
  if (!deleted) throw rejection('application_not_found')
  await audit.record(tx, by, 'application.deleted', {
    resource: `application:${deleted.id}`,
    metadata: { name: deleted.name, type: deleted.type, clientId: deleted.clientId, ...about },
  })
  return deleted.id
}
