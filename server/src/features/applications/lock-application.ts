import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { rejection } from './errors.js'
import type { Application } from './registration.js'
import { applicationRepository } from './repository.js'

/** A step: as `findApplication`; whoever changes the application or what hangs on it takes turns until the transaction ends. */
export async function lockApplication(tx: Transaction, teamId: TeamId, id: string): Promise<Application> {
  const application = await applicationRepository(tx, teamId).lock(id)
  if (!application) throw rejection('application_not_found')
  return application
}

/** A step: the application may not ask for the scope any more, as far as its registration goes; counts no change. */
export async function removeScope(tx: Transaction, application: Application, scope: string): Promise<void> {
  await applicationRepository(tx, application.organizationId).removeScope(application, scope)
}

/** A step: counts a change of what hangs on the application, so that no node goes on with what it holds of it. */
export async function countChange(tx: Transaction, clock: Clock, application: Application): Promise<void> {
  await applicationRepository(tx, application.organizationId).update(application, { updatedAt: clock.now() })
}
