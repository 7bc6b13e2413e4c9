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

/** An application as the OAuth engine needs it. */
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
  /** Resource servers, beside the issuer itself, for which it may ask access tokens. */
  resources: string[]
  dpopNonceEnabled: boolean
  version: number
  generation: number
  /** The same for tokens of its own credentials, which end with a previous secret that is ended by hand as well. */
  ownGeneration: number
  /** Its scopes with what is said of them, its claims and the lifetimes of its tokens. */
  config: ClientConfig
}

// Both only grow: the sum is the same only where neither has.
export const ownGeneration = (application: string): string => `${application}.generation + ${application}.secrets_ended`

type ClientRow = Omit<Client, 'config'> & { config: StoredClientConfig }

// A stopped application may do nothing; what it was given has ended with its generation.
const clientById = namedQuery<ClientRow, [ApplicationId]>(
  'oidc_provider.client',
  `SELECT id, organization_id AS "teamId", client_id AS "clientId", name, type, secret_hash AS "secretHash", previous_secret_hash AS "previousSecretHash", previous_secret_until AS "previousSecretUntil", redirect_uris AS "redirectUris",
     post_logout_redirect_uris AS "postLogoutRedirectUris", backchannel_logout_uri AS "backchannelLogoutUri", CASE WHEN stopped_at IS NULL THEN grant_types ELSE '{}' END AS "grantTypes",
     CASE WHEN stopped_at IS NULL THEN response_types ELSE '{}' END AS "responseTypes", ${allowedScopes('a')} AS scopes, token_endpoint_auth_method AS "tokenEndpointAuthMethod", is_public_client AS "isPublicClient", is_ai_agent AS "isAiAgent", require_dpop AS "requireDpop",
     jwks, resources, dpop_nonce_enabled AS "dpopNonceEnabled", version, generation, ${ownGeneration('a')} AS "ownGeneration", ${CLIENT_CONFIG_COLUMN} AS config
   FROM applications a WHERE id = $1`,
)

/** Clients that a node keeps in memory. */
const MAX_CACHED_CLIENTS = 1_000

export interface Clients {
  /** The client at a version that the caller has read in its own first query: from memory while that is the version held. */
  at(runner: Runner, id: ApplicationId, version: number): Promise<Client | undefined>
  /** The client as the database has it. */
  of(runner: Runner, id: ApplicationId): Promise<Client | undefined>
}

export function createClients(): Clients {
  const held = new Map<ApplicationId, Client>()
  const store: Clients = {
    async at(runner, id, version) {
      const known = held.get(id)
      return known?.version === version ? known : store.of(runner, id)
    },
    async of(runner, id) {
      const [row] = await runner.run(clientById, [id])
      const client = row && { ...row, config: clientConfigOf(row.config) }
      held.delete(id)
      if (client) held.set(id, client)
      const [oldest] = held.keys()
      if (held.size > MAX_CACHED_CLIENTS && oldest) held.delete(oldest)
      return client
    },
  }
  return store
}
