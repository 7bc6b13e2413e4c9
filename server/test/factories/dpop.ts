import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  randomUUID,
  sign,
} from 'node:crypto'
import type { TestService } from '../harness/service.js'

/** A client's DPoP key (RFC 9449). */
export interface DpopKey {
  privateKey: KeyObject
  jwk: Record<string, unknown>
  /** The JWK thumbprint (RFC 7638). */
  thumbprint: string
}

/** @param pair default: a new P-256 key pair */
export function dpopKey(pair: KeyPairKeyObjectResult = generateKeyPairSync('ec', { namedCurve: 'P-256' })): DpopKey {
  const jwk = Object.fromEntries(Object.entries(pair.publicKey.export({ format: 'jwk' })).sort())
  const thumbprint = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url')
  return { privateKey: pair.privateKey, jwk, thumbprint }
}

export interface ProofOptions {
  method?: string
  accessToken?: string
  nonce?: string | undefined
  /** Changes to the claims and the header. undefined removes an entry. */
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  jti?: string
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Creates a DPoP proof for one request to a URL. */
export function dpopProof(
  { clock }: Pick<TestService, 'clock'>,
  key: DpopKey,
  url: string,
  { method = 'POST', accessToken, nonce, claims = {}, header = {}, jti = randomUUID() }: ProofOptions = {},
): string {
  const input = `${part({ typ: 'dpop+jwt', alg: 'ES256', jwk: key.jwk, ...header })}.${part({
    htm: method,
    htu: url,
    iat: Math.floor(clock.ms() / 1_000),
    jti,
    ...(accessToken && { ath: createHash('sha256').update(accessToken).digest('base64url') }),
    ...(nonce !== undefined && { nonce }),
    ...claims,
  })}`
  const signature = sign('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}
