import { eq } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { ApplicationId, TeamId } from '../../platform/ids.js'
import { applicationError, applicationNames, findApplication } from '../applications/index.js'
import { organizations } from '../teams/index.js'

/** Whose keys they are. */
export interface SamlKeyOwner {
  teamId: TeamId
  /** The application whose identity provider they are of; null for the team itself, as a service provider. */
  applicationId: ApplicationId | null
}

/**
 * A step: what the certificates of an owner are named after; the team stays until the transaction ends. Undefined when the team or the
 * application is gone.
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

/** A step: the application as an owner. @throws application_not_found, application_not_saml */
export async function findSamlOwner(tx: Transaction, teamId: TeamId, appId: string): Promise<SamlKeyOwner> {
  const { id, type } = await findApplication(tx, teamId, appId)
  if (type !== 'SAML') throw applicationError('application_not_saml')
  return { teamId, applicationId: id }
}
