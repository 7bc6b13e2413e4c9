import { LRUCache } from 'lru-cache'
import type { Runner } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, TeamId } from '../../../platform/ids.js'
import {
  allowedScopes,
  CLIENT_CONFIG_COLUMN,
  type ClientConfig,
  clientConfigOf,
  type StoredClientConfig,
} from '../../oidc-config/index.js'
import type { SecretHashes } from './client-secret.js'
import type { Issuer } from './issuer.js'

/** An application with all the data that the OAuth endpoints need. */
export interface Client extends SecretHashes {
  id: ApplicationId
  teamId: TeamId
  clientId: string
  name: string
  type: 'OIDC' | 'SAML'
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  backchannelLogoutUri: string | null
  grantTypes: string[]
  responseTypes: string[]
  scopes: string[]
  tokenEndpointAuthMethod: string
  isPublicClient: boolean
  isAiAgent: boolean
  requireDpop: boolean
  jwks: { keys: Record<string, unknown>[] } | null
  /** Resource servers, other than the issuer itself, for which the client may request access tokens. */
  resources: string[]
  dpopNonceEnabled: boolean
  version: number
  generation: number
  /** The generation of tokens for the client's own credentials. Revoking a previous secret increments this number too. */
  ownGeneration: number
  /** The client's scopes with their descriptions, its claims and the lifetimes of its tokens. */
  config: ClientConfig
}

/** SQL: the generation of tokens for the client's own credentials. Both columns only grow, so the sum changes if either does. */
export const ownGeneration = (application: string): string => `${application}.generation + ${application}.secrets_ended`

/**
 * SQL condition over `applications a`: nothing has revoked what the application was given since the request in `row` began.
 * @param row alias of the interaction, pushed request or device code
 */
export const isRequestCurrent = (row: string): string => `coalesce(${row}.generation, a.generation) = a.generation`

type ClientRow = Omit<Client, 'config'> & { config: StoredClientConfig }

// A stopped application has no grant types. Its tokens were revoked by the new generation.
const clientById = namedQuery<ClientRow, [ApplicationId]>(
  'oidc_provider.client',
  `SELECT id, organization_id AS "teamId", client_id AS "clientId", name, type, secret_hash AS "secretHash", previous_secret_hash AS "previousSecretHash", previous_secret_until AS "previousSecretUntil", redirect_uris AS "redirectUris",
     post_logout_redirect_uris AS "postLogoutRedirectUris", backchannel_logout_uri AS "backchannelLogoutUri", CASE WHEN stopped_at IS NULL THEN grant_types ELSE '{}' END AS "grantTypes",
     CASE WHEN stopped_at IS NULL THEN response_types ELSE '{}' END AS "responseTypes", ${allowedScopes('a')} AS scopes, token_endpoint_auth_method AS "tokenEndpointAuthMethod", is_public_client AS "isPublicClient", is_ai_agent AS "isAiAgent", require_dpop AS "requireDpop",
     jwks, resources, dpop_nonce_enabled AS "dpopNonceEnabled", version, generation, ${ownGeneration('a')} AS "ownGeneration", ${CLIENT_CONFIG_COLUMN} AS config
   FROM applications a WHERE id = $1`,
)

/** Clients that a node caches. */
const MAX_CACHED_CLIENTS = 1_000

export interface Clients {
  /** Returns the client at a version that the caller read in its own first query, from the cache if it has that version. */
  at(runner: Runner, id: ApplicationId, version: number): Promise<Client | undefined>
  /** Reads the client from the database. */
  of(runner: Runner, id: ApplicationId): Promise<Client | undefined>
}

export function createClients(): Clients {
  const cache = new LRUCache<ApplicationId, Client>({ max: MAX_CACHED_CLIENTS })
  const store: Clients = {
    async at(runner, id, version) {
      const known = cache.get(id)
      return known?.version === version ? known : store.of(runner, id)
    },
    async of(runner, id) {
      const [row] = await runner.run(clientById, [id])
      const client = row && { ...row, config: clientConfigOf(row.config) }
      if (client) cache.set(id, client)
      else cache.delete(id)
      return client
    },
  }
  return store
}

const versionOf = namedQuery<{ id: ApplicationId; version: number }, [string, TeamId, ApplicationId | null]>(
  'oidc_provider.client_version',
  `SELECT id, version FROM applications WHERE client_id = $1 AND organization_id = $2 AND type = 'OIDC' AND ($3::uuid IS NULL OR id = $3)`,
)

/** Returns the client of an issuer: any client of the team, or for the issuer of an application only that application. */
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
