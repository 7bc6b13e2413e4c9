import type { KeyObject } from 'node:crypto'
import type { ApplicationId } from '../../../platform/ids.js'

/** The public key in a JWKS (RFC 7517): `kty`, `kid`, `use`, `alg`, the parameters of the key, and its certificates. */
export type PublicJwk = Record<string, string | string[]>

export interface SigningKey {
  kid: string
  /** JWS algorithm, such as RS256 (RFC 7518 3.1). */
  algorithm: string
  /** Null for a key of the team itself. */
  applicationId: ApplicationId | null
  isDefault: boolean
  useForAccessTokens: boolean
  retired: boolean
  /** Until when the JWKS contains a retired key; null for a signing key. */
  publishedUntil: Date | null
  publicJwk: PublicJwk
  publicKey: KeyObject
  privateKey: KeyObject
}

/** The keys of one issuer: the signing keys, and all keys that verify. */
export interface IssuerKeys {
  /** Signs ID tokens, and access tokens unless another key is marked for them. */
  idToken: SigningKey
  accessToken: SigningKey
  all: SigningKey[]
}

/**
 * Returns the keys of an issuer. The issuers of an application use its own default key if it has one, otherwise that of the team. The issuer
 * of the team always uses that of the team.
 * @param now excludes keys whose last token has expired
 */
export function keysOfIssuer(keys: SigningKey[], applicationId: ApplicationId | null, now: Date): IssuerKeys {
  const own = applicationId ? keys.filter((key) => key.applicationId === applicationId) : []
  const team = keys.filter((key) => key.applicationId === null)
  const signs = (key: SigningKey) => !key.retired
  const idToken = own.find((key) => signs(key) && key.isDefault) ?? team.find((key) => signs(key) && key.isDefault)
  if (!idToken) throw new Error('The team has no signing key')
  const isPublished = ({ publishedUntil }: SigningKey) => publishedUntil === null || publishedUntil > now
  const accessToken = own.find((key) => signs(key) && key.useForAccessTokens) ?? idToken
  return { idToken, accessToken, all: [...own, ...team].filter(isPublished) }
}
