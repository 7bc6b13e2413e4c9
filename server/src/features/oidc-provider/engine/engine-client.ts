import { readPeerJwk } from '../../../platform/crypto/peer-key.js'
import type { Client } from '../model/client.js'
import { NO_SECRET } from '../model/client-secret.js'
import { DEVICE_GRANT, TOKEN_EXCHANGE } from '../model/grant-types.js'
import { RESPONSE_MODES } from '../model/response-modes.js'

type Metadata = Record<string, unknown>

/** The grant types of the token endpoint. An application has those of its registration (`applications/schema.ts`). */
export const ENGINE_GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  DEVICE_GRANT,
  TOKEN_EXCHANGE,
]

/**
 * Returns the metadata of a client for the engine (RFC 7591). `client_secret` contains the hash of the secret, which the replaced
 * comparison expects. The algorithm of the ID token is that of the issuer's key.
 * @param trusted the client needs no credentials in this run
 */
export function metadataOf(client: Client, trusted: boolean, idTokenAlgorithm: string): Metadata {
  const method = trusted ? 'none' : client.tokenEndpointAuthMethod
  const grantTypes = client.grantTypes.filter((type) => ENGINE_GRANT_TYPES.includes(type))
  // Without a redirect URI there is no authorization.
  const mayAuthorize = client.redirectUris.length > 0 && grantTypes.includes('authorization_code')
  return {
    client_id: client.clientId,
    client_name: client.name,
    ...(method.startsWith('client_secret') && {
      client_secret: (client.secretHash ?? NO_SECRET).toString('base64url'),
    }),
    redirect_uris: client.redirectUris,
    grant_types: grantTypes.filter((type) => type !== 'authorization_code' || mayAuthorize),
    response_types: mayAuthorize && client.responseTypes.includes('code') ? ['code'] : [],
    token_endpoint_auth_method: method,
    id_token_signed_response_alg: idTokenAlgorithm,
    dpop_bound_access_tokens: client.requireDpop,
    response_modes: [...RESPONSE_MODES],
    // Drop keys that an earlier release accepted at registration and this one does not.
    ...(method === 'private_key_jwt' &&
      client.jwks && { jwks: { keys: client.jwks.keys.filter((key) => !('fault' in readPeerJwk(key))) } }),
  }
}
