import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { type Application, applicationError, findApplication, lockApplication } from '../applications/index.js'

const requireOidc = (application: Application): Application => {
  if (application.type !== 'OIDC') throw applicationError('application_not_oidc')
  return application
}

/** Returns the OpenID Connect application. Runs in the caller's transaction. @throws application_not_found, application_not_oidc */
export const findOidcApplication = async (tx: Transaction, teamId: TeamId, id: string): Promise<Application> =>
  requireOidc(await findApplication(tx, teamId, id))

/** Locks the application, so that changes of its configuration are serialized. Runs in the caller's transaction. @throws application_not_found, application_not_oidc */
export const lockOidcApplication = async (tx: Transaction, teamId: TeamId, id: string): Promise<Application> =>
  requireOidc(await lockApplication(tx, teamId, id))
