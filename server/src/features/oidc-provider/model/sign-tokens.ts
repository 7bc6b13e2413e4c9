import { createHash } from 'node:crypto'
import { signCompactJwt } from '../../../protocols/jws/index.js'
import { customClaims, type IssuerKeys, type UserAttributes } from '../../oidc-config/index.js'
import { issuedJti } from './access-token-seal.js'
import type { Client } from './client.js'

/** The input of an access token. */
export interface AccessTokenFacts {
  issuer: string
  client: Client
  /** Null for the client_credentials grant. */
  grant: { userId: string; id: string } | null
  /** The user whose configured claims are included. */
  userAttributes: UserAttributes | undefined
  audience: string
  scope: string | undefined
  /** A random ID: the first part of the `jti`. */
  id: string
  /** Seconds since the epoch; the lifetime in seconds. */
  issuedAt: number
  lifetime: number
  /** The stored claims parameter of the authorization request. */
  requestedClaims: unknown
  /** Thumbprint of the key that the token is bound to (RFC 9449 6.1). */
  jkt?: string | undefined
  /** The `act` claim of the exchanged token (RFC 8693 4.1); undefined without an exchange. */
  actedFor?: { before: unknown } | undefined
}

/**
 * Signs an access token (RFC 9068 2.2). Adds claims of this service: the grant (`gid`) or, for the client_credentials grant, the
 * generation of the client's secret (`gen`), and the names of claims requested from userinfo (`uic`).
 * @param seal the key of the service that proves that it issued the token
 */
export function signAccessToken(
  facts: AccessTokenFacts,
  { accessToken: key }: IssuerKeys,
  seal: Buffer,
): Promise<string> {
  const { client, grant, userAttributes, scope, issuedAt, jkt, actedFor } = facts
  const userinfo = Object.keys((facts.requestedClaims as { userinfo?: object } | undefined)?.userinfo ?? {})
  const claims = {
    ...(userAttributes && grant && customClaims(client.config, userAttributes, 'ACCESS_TOKEN')),
    iss: facts.issuer,
    sub: grant?.userId ?? client.clientId,
    aud: facts.audience,
    client_id: client.clientId,
    iat: issuedAt,
    exp: issuedAt + facts.lifetime,
    ...(scope && { scope }),
    ...(grant ? { gid: grant.id } : { gen: client.ownGeneration }),
    ...(userinfo.length > 0 && { uic: userinfo }),
    ...(jkt && { cnf: { jkt } }),
    // RFC 8693 4.1: the current actor is outermost and contains the previous actors.
    ...(actedFor && {
      act: { sub: client.clientId, ...(actedFor.before !== undefined && { act: actedFor.before }) },
    }),
  }
  return signCompactJwt('at+jwt', { ...claims, jti: issuedJti(seal, facts.id, claims) }, key)
}

/** The input of an ID token. */
export interface IdTokenFacts {
  issuer: string
  client: Client
  /** The user whose configured claims are included. */
  userAttributes: UserAttributes | undefined
  /** The standard claims, `nonce` and `sid`. */
  claims: Record<string, unknown>
  issuedAt: number
  /** The access token of the same response. */
  accessToken: string | undefined
}

/** Signs an ID token (OpenID Connect Core 2) with the hash of the access token of the same response. */
export function signIdToken(facts: IdTokenFacts, { idToken: key }: IssuerKeys): Promise<string> {
  const { issuer, client, userAttributes, issuedAt, accessToken } = facts
  const claims = {
    iss: issuer,
    ...facts.claims,
    ...(userAttributes && customClaims(client.config, userAttributes, 'ID_TOKEN')),
    aud: client.clientId,
    exp: issuedAt + client.config.tokenPolicy.idTokenLifetime,
    iat: issuedAt,
    ...(accessToken && { at_hash: halfHash(accessToken, key.algorithm) }),
  }
  return signCompactJwt('JWT', claims, key)
}

/** Returns `at_hash` (OpenID Connect Core 3.1.3.6): the left half of the algorithm's hash. */
function halfHash(text: string, algorithm: string): string {
  const digest = createHash(`sha${algorithm.slice(2)}`)
    .update(text)
    .digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}
