import { createHash } from 'node:crypto'
import { isJwsAlgorithm, signCompactJwt } from '../../../protocols/jws/index.js'
import { customClaims, type IssuerKeys, type Person, type SigningKey } from '../../oidc-config/index.js'
import { issuedJti } from './access-token-seal.js'
import type { Client } from './client.js'

/** What an access token is made of. */
export interface AccessTokenFacts {
  issuer: string
  client: Client
  /** What a user allowed; null for a token of an application's own credentials. */
  grant: { userId: string; id: string } | null
  /** Whose claims go into it. */
  person: Person | undefined
  audience: string
  scope: string | undefined
  /** A random ID: the first part of its `jti`. */
  id: string
  /** Seconds since the epoch, and how many it lives. */
  issuedAt: number
  lifetime: number
  /** The claims parameter of the authorize request, as it was kept. */
  requestedClaims: unknown
  /** The key that it is bound to (RFC 9449 6.1). */
  jkt?: string | undefined
  /** Who acted before, in the token that was exchanged; undefined where none was (RFC 8693 4.1). */
  actedFor?: { before: unknown } | undefined
}

const signed = (typ: string, claims: object, { kid, algorithm, privateKey }: SigningKey): Promise<string> => {
  if (!isJwsAlgorithm(algorithm)) throw new Error(`A key of ours has the algorithm ${algorithm}`)
  return signCompactJwt({ typ, kid, alg: algorithm }, claims, privateKey)
}

/**
 * RFC 9068 2.2, and what of ours stands behind the token: the grant, or for a token of an application's own credentials the
 * generation of its secret; and the claims that userinfo was asked for by name.
 * @param seal the service's key that shows that it issued the token
 */
export function signAccessToken(
  facts: AccessTokenFacts,
  { accessToken: key }: IssuerKeys,
  seal: Buffer,
): Promise<string> {
  const { client, grant, person, scope, issuedAt, jkt, actedFor } = facts
  const userinfo = Object.keys((facts.requestedClaims as { userinfo?: object } | undefined)?.userinfo ?? {})
  const claims = {
    ...(person && grant && customClaims(client.config, person, 'ACCESS_TOKEN')),
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
    // RFC 8693 4.1: who acts now stands outside, around those who acted before.
    ...(actedFor && {
      act: { sub: client.clientId, ...(actedFor.before !== undefined && { act: actedFor.before }) },
    }),
  }
  return signed('at+jwt', { ...claims, jti: issuedJti(seal, facts.id, claims) }, key)
}

/** What an ID token is made of, beside the claims about its user that were asked for. */
export interface IdTokenFacts {
  issuer: string
  client: Client
  /** Whose configured claims go into it. */
  person: Person | undefined
  /** The standard claims, `nonce` and `sid`. */
  claims: Record<string, unknown>
  issuedAt: number
  /** The access token that comes with it. */
  accessToken: string | undefined
}

/** OpenID Connect Core 2; it carries the hash of the access token that comes with it. */
export function signIdToken(facts: IdTokenFacts, { idToken: key }: IssuerKeys): Promise<string> {
  const { issuer, client, person, issuedAt, accessToken } = facts
  const claims = {
    iss: issuer,
    ...facts.claims,
    ...(person && customClaims(client.config, person, 'ID_TOKEN')),
    aud: client.clientId,
    exp: issuedAt + client.config.tokenPolicy.idTokenLifetime,
    iat: issuedAt,
    ...(accessToken && { at_hash: halfHash(accessToken, key.algorithm) }),
  }
  return signed('JWT', claims, key)
}

/** OpenID Connect Core 3.1.3.6: the left half of the hash that belongs to the algorithm. */
function halfHash(text: string, algorithm: string): string {
  const digest = createHash(`sha${algorithm.slice(2)}`)
    .update(text)
    .digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}
