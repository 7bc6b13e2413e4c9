import { readPeerJwk } from '../../../platform/crypto/peer-key.js'
import type { Client } from '../model/client.js'
import { DEVICE_GRANT, TOKEN_EXCHANGE } from '../model/grant-types.js'

type Metadata = Record<string, unknown>

/** The grant types that the engine serves; the others of an application are not told to it. */
export const ENGINE_GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  DEVICE_GRANT,
  TOKEN_EXCHANGE,
]

/** No secret has this hash. */
const NO_SECRET = Buffer.alloc(32)

/**
 * The client as the engine knows it (RFC 7591 metadata). In the place of the secret stands its hash, which the engine's
 * comparison is replaced to fit. The algorithm of the ID token is that of the issuer's key.
 * @param trusted the client needs no credentials in this run
 */
export function metadataOf(client: Client, trusted: boolean, idTokenAlgorithm: string): Metadata {
  const method = trusted ? 'none' : client.tokenEndpointAuthMethod
  const grantTypes = client.grantTypes.filter((type) => ENGINE_GRANT_TYPES.includes(type))
  // Without an address to come back to nobody can be sent anywhere.
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
    // Other ways to bring an answer back are not offered.
    response_modes: ['query'],
    // It may have been registered when more kinds of keys were accepted.
    ...(method === 'private_key_jwt' &&
      client.jwks && { jwks: { keys: client.jwks.keys.filter((key) => !('fault' in readPeerJwk(key))) } }),
  }
}
