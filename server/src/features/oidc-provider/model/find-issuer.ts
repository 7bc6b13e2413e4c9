import type { Database, Runner } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { ApplicationId, TeamId } from '../../../platform/ids.js'
import { keysOfIssuer } from '../../oidc-config/index.js'
import type { OidcProviderDeps } from './deps.js'
import { rejection } from './errors.js'
import { type Issuer, type IssuerPath, issuerUrl } from './issuer.js'

interface IssuerRow {
  team_id: TeamId
  team_name: string
  team_slug: string
  team_status: string
  application_id: ApplicationId | null
  key_version: number | null
}

// A single ID is that of an application or team. With two, the application must belong to the team.
const findByPath = namedQuery<IssuerRow, [string, ApplicationId | null]>(
  'oidc_provider.issuer',
  `SELECT o.id AS team_id, o.name AS team_name, o.slug AS team_slug, o.status AS team_status, a.id AS application_id, k.version AS key_version
   FROM (SELECT $1::uuid AS first, $2::uuid AS second) i
   LEFT JOIN applications a ON a.id = coalesce(i.second, i.first) AND a.type = 'OIDC'
   JOIN organizations o ON o.id = coalesce(a.organization_id, i.first)
   LEFT JOIN signing_key_sets k ON k.organization_id = o.id
   WHERE i.second IS NULL OR a.organization_id = i.first`,
)

/**
 * Returns the issuer of a path with its keys. Creates the team's first key if it has none.
 * @param options.ofTeam accepts only the issuer of a team
 * @throws issuer_not_found
 */
export async function findIssuer(
  deps: OidcProviderDeps,
  path: IssuerPath | undefined,
  origin: RequestOrigin,
  { ofTeam = false } = {},
): Promise<Issuer> {
  const row = path && (await readIssuer(deps.db, path))
  if (!path || !row || (ofTeam && row.application_id)) throw rejection('issuer_not_found')
  if (row.key_version !== null) return issuerOf(deps.db, deps, path.path, row, row.key_version)
  await deps.signingKeys.ensure(row.team_id, origin)
  const made = await readIssuer(deps.db, path)
  if (!made?.key_version) throw rejection('issuer_not_found')
  return issuerOf(deps.db, deps, path.path, made, made.key_version)
}

const readIssuer = async (db: Database, { first, second }: IssuerPath): Promise<IssuerRow | undefined> =>
  (await db.run(findByPath, [first, second]))[0]

/**
 * Returns the issuer of a path whose row was already read.
 * @param row its team and application; the application is ignored at the issuer of the team
 */
export async function issuerOf(
  runner: Runner,
  { clock, config, signingKeys }: OidcProviderDeps,
  path: string,
  row: Omit<IssuerRow, 'key_version'>,
  keyVersion: number,
): Promise<Issuer> {
  const applicationId = path === row.team_id ? null : row.application_id
  const keys = await signingKeys.at(runner, row.team_id, keyVersion)
  return {
    path,
    url: issuerUrl(config.baseUrl, path),
    team: { id: row.team_id, name: row.team_name, slug: row.team_slug, isActive: row.team_status === 'ACTIVE' },
    applicationId,
    keyVersion,
    keys: keysOfIssuer(keys, applicationId, clock.now()),
    keysFor: (application) => keysOfIssuer(keys, application, clock.now()),
  }
}
