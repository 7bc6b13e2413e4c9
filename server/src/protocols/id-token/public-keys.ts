import type { JsonWebKey, KeyObject } from 'node:crypto'
import { readPeerJwk } from '../../platform/crypto/peer-key.js'
import type { JwsAlgorithm } from '../jws/index.js'

/** A signature key of a published JWK set. */
export interface PublishedKey {
  kid: string | undefined
  /** Optional: a key without it may use any algorithm of its type. */
  algorithm: string | undefined
  kind: string
  publicKey: KeyObject
}

const MAX_KEYS = 50
const CURVES: Record<string, string> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }

/** Returns the signature keys of a JWK set (RFC 7517 5) and ignores others; undefined for a malformed set. */
export function readPublishedKeys(body: unknown): PublishedKey[] | undefined {
  const keys = (body as { keys?: unknown } | null)?.keys
  if (!Array.isArray(keys)) return undefined
  return keys.slice(0, MAX_KEYS).flatMap((jwk) => readKey(jwk) ?? [])
}

function readKey(jwk: unknown): PublishedKey | undefined {
  if (typeof jwk !== 'object' || jwk === null) return undefined
  const { kty, kid, alg, use, crv, key_ops: operations } = jwk as Record<string, unknown>
  if (use !== undefined && use !== 'sig') return undefined
  if (Array.isArray(operations) && !operations.includes('verify')) return undefined
  if (kty !== 'RSA' && kty !== 'EC') return undefined
  const publicKey = readPeerJwk(jwk as JsonWebKey)
  if ('fault' in publicKey) return undefined
  return {
    kid: typeof kid === 'string' ? kid : undefined,
    algorithm: typeof alg === 'string' ? alg : undefined,
    kind: kty === 'RSA' ? 'RSA' : String(crv),
    publicKey,
  }
}

/** Returns the keys for an algorithm and, if the header contains one, a `kid`. */
export function keysFor(keys: readonly PublishedKey[], algorithm: JwsAlgorithm, kid: unknown): PublishedKey[] {
  const kind = CURVES[algorithm] ?? 'RSA'
  return keys.filter(
    (key) =>
      key.kind === kind &&
      (key.algorithm === undefined || key.algorithm === algorithm) &&
      (kid === undefined || key.kid === kid),
  )
}
