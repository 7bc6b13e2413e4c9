import type { Runner } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, TeamId } from '../../../platform/ids.js'
import type { Client, Clients } from './client.js'
import type { Issuer } from './issuer.js'

const versionOf = namedQuery<{ id: ApplicationId; version: number }, [string, TeamId, ApplicationId | null]>(
  'oidc_provider.client_version',
  `SELECT id, version FROM applications WHERE client_id = $1 AND organization_id = $2 AND type = 'OIDC' AND ($3::uuid IS NULL OR id = $3)`,
)

/** The client of an issuer: any of the team, or under an application's issuer that application alone. */
export async function findClientOf(
  runner: Runner,
  clients: Clients,
  issuer: Pick<Issuer, 'team' | 'applicationId'>,
  clientId: string | undefined,
): Promise<Client | undefined> {
  if (!clientId) return undefined
  const [row] = await runner.run(versionOf, [clientId, issuer.team.id, issuer.applicationId])
  return row && clients.at(runner, row.id, row.version)
}
