import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { rejection } from './errors.js'
import type { Application } from './registration/registration.js'
import { applicationRepository } from './repository.js'

/** Like `findApplication`, and locks the application until the transaction ends. Runs in the caller's transaction. */
export async function lockApplication(tx: Transaction, teamId: TeamId, id: string): Promise<Application> {
  const application = await applicationRepository(tx, teamId).lock(id)
  if (!application) throw rejection('application_not_found')
  return application
}

/** Removes a scope from the registration, without incrementing the version. Runs in the caller's transaction. */
export async function removeScope(tx: Transaction, application: Application, scope: string): Promise<void> {
  await applicationRepository(tx, application.organizationId).removeScope(application, scope)
}

/** Increments the version after a change of dependent data, so that nodes discard what they cached. Runs in the caller's transaction. */
export async function countChange(tx: Transaction, clock: Clock, application: Application): Promise<void> {
  await applicationRepository(tx, application.organizationId).update(application, { updatedAt: clock.now() })
}
