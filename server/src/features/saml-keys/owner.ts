import { eq } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { ApplicationId, TeamId } from '../../platform/ids.js'
import { applicationError, applicationNames, findApplication } from '../applications/index.js'
import { organizations } from '../teams/index.js'

/** The owner of SAML keys. */
export interface SamlKeyOwner {
  teamId: TeamId
  /** The application of the identity provider; null for the team as a service provider. */
  applicationId: ApplicationId | null
}

/**
 * Returns the name for an owner's certificates and locks the team against deletion; undefined if the team or the application was deleted.
 * Runs in the caller's transaction.
 */
export async function nameOfOwner(
  tx: Transaction,
  { teamId, applicationId }: SamlKeyOwner,
): Promise<string | undefined> {
  const [team] = await tx
    .select({ name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, teamId))
    .for('key share')
  if (!team || applicationId === null) return team?.name
  const found = await applicationNames(tx, teamId, [applicationId])
  return found.get(applicationId)
}

/** Returns the application as a key owner. Runs in the caller's transaction. @throws application_not_found, application_not_saml */
export async function findSamlOwner(tx: Transaction, teamId: TeamId, appId: string): Promise<SamlKeyOwner> {
  const { id, type } = await findApplication(tx, teamId, appId)
  if (type !== 'SAML') throw applicationError('application_not_saml')
  return { teamId, applicationId: id }
}
