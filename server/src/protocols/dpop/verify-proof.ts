import { createHash, hkdfSync, type JsonWebKey, timingSafeEqual } from 'node:crypto'
import { readPeerJwk } from '../../platform/crypto/peer-key.js'
import { isJwsAlgorithm, readCompactJwt, verifyJws } from '../jws/index.js'

/** Accepted difference between now and `iat` of a proof without a nonce, in milliseconds. */
const RECENT = 300_000
const MAX_ID_LENGTH = 512

export interface DpopRequest {
  /** The DPoP header. */
  proof: string
  /** The method of the request, and its public URL without query and fragment. */
  method: string
  url: string
  accessToken: string
  /** Thumbprint of the key that the token is bound to. */
  boundTo: string
  now: number
  algorithms: readonly string[]
}

/**
 * The caller must verify `nonce`, and must accept each `jti` only once. A proof without a nonce is valid only if its `iat` is `recent`.
 */
export type DpopVerdict = { jti: string; nonce: string | undefined; recent: boolean } | { violation: string }

const reject = (violation: string): DpopVerdict => ({ violation })

/** Verifies the DPoP proof of a resource request (RFC 9449 4.3, 7): signed by the token's key, for this request. */
export function verifyDpopProof(request: DpopRequest): DpopVerdict {
  const { proof, method, url, accessToken, boundTo, now, algorithms } = request
  const jwt = readCompactJwt(proof)
  if (!jwt) return reject('the proof is not a JWT')
  const { header, claims, input, signature } = jwt
  const { alg, jwk, typ } = header
  if (typ !== 'dpop+jwt') return reject('the typ of the proof is not dpop+jwt')
  if (!isJwsAlgorithm(alg) || !algorithms.includes(alg)) return reject('the algorithm of the proof is not supported')
  if ('crit' in header) return reject('the proof requires an unsupported extension')
  const thumbprint = thumbprintOf(jwk)
  if (!thumbprint) return reject('the jwk of the proof is not a public RSA or EC key')
  const key = readPeerJwk(jwk as JsonWebKey)
  if ('fault' in key) return reject(`the key of the proof ${key.fault}`)
  if (!verifyJws(alg, key, input, signature)) return reject('the signature of the proof is not valid')

  const { htm, htu, iat, jti, ath, nonce } = claims
  if (htm !== method) return reject('htm is not the method of the request')
  if (!isSameUrl(htu, url)) return reject('htu is not the URL of the request')
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_ID_LENGTH) return reject('jti is missing or too long')
  if (typeof iat !== 'number') return reject('iat is missing')
  if (nonce !== undefined && typeof nonce !== 'string') return reject('nonce is not a string')
  if (ath !== createHash('sha256').update(accessToken).digest('base64url'))
    return reject('ath is not the hash of this token')
  if (thumbprint !== boundTo) return reject('the token is bound to another key')
  return { jti, nonce, recent: Math.abs(now - iat * 1_000) <= RECENT }
}

/**
 * Returns why the key in a proof is rejected; undefined if it is accepted. For proofs that the OAuth engine verifies.
 */
export function proofKeyError(proof: string): string | undefined {
  const jwt = readCompactJwt(proof)
  if (!jwt) return 'the proof is not a JWT'
  const key = readPeerJwk((jwt.header.jwk ?? {}) as JsonWebKey)
  return 'fault' in key ? `the key of the proof ${key.fault}` : undefined
}

/** Compares URLs without query and fragment (RFC 9449 4.3), normalized (RFC 3986 6.2.2, 6.2.3). */
function isSameUrl(htu: unknown, url: string): boolean {
  if (typeof htu !== 'string' || !URL.canParse(htu)) return false
  const named = new URL(htu)
  named.hash = ''
  named.search = ''
  return named.href === new URL(url).href
}

/** The members of the thumbprint of each key type, in order (RFC 7638 3.2). */
const MEMBERS: Record<string, string[]> = { RSA: ['e', 'kty', 'n'], EC: ['crv', 'kty', 'x', 'y'] }

/** Returns the thumbprint of a public key; undefined for a private key and for malformed values. */
function thumbprintOf(jwk: unknown): string | undefined {
  if (typeof jwk !== 'object' || jwk === null) return undefined
  const key = jwk as Record<string, unknown>
  const members = MEMBERS[String(key.kty)]
  if (!members || 'd' in key || members.some((name) => typeof key[name] !== 'string')) return undefined
  const canonical = JSON.stringify(Object.fromEntries(members.map((name) => [name, key[name]])))
  return createHash('sha256').update(canonical).digest('base64url')
}

const STEP_MS = 60_000
/** Number of steps before and after the current one whose nonces are accepted. */
const TOLERATED_STEPS = 2

function nonceOf(secret: Buffer, step: number): string {
  const salt = Buffer.alloc(8)
  salt.writeBigUInt64BE(BigInt(step))
  return Buffer.from(hkdfSync('sha256', secret, salt, 'DPoP', 32)).toString('base64url')
}

const stepAt = (now: number): number => Math.floor(now / STEP_MS)

/**
 * Returns the nonce to issue at a time (RFC 9449 8): the same on every node with the secret, and the same as that of the OAuth engine. A
 * client stores one nonce for each origin (RFC 9449 8.2), so two kinds of nonces would overwrite each other.
 */
export const dpopNonce = (secret: Buffer, now: number): string => nonceOf(secret, stepAt(now) + 1)

/** Returns whether a nonce was issued within at least the last three minutes, by this node or by one whose clock is a minute ahead. */
export function isRecentNonce(secret: Buffer, now: number, nonce: string): boolean {
  const given = Buffer.from(nonce)
  const present = stepAt(now)
  let recent = false
  for (let step = present - TOLERATED_STEPS; step <= present + TOLERATED_STEPS; step += 1) {
    const known = Buffer.from(nonceOf(secret, step))
    if (known.length === given.length && timingSafeEqual(known, given)) recent = true
  }
  return recent
}
