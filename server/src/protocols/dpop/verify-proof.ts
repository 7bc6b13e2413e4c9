import { createHash, type JsonWebKey, type KeyObject } from 'node:crypto'
import { readPeerJwk } from '../../platform/crypto/peer-key.js'
import { isJwsAlgorithm, type JwsAlgorithm, verifyJws } from '../jws/algorithms.js'
import { readCompactJwt } from '../jws/index.js'

/** Milliseconds by which a proof without a nonce may be older or newer than now: the network and two clocks lie between. */
const RECENT = 300_000
const LONGEST_ID = 512

export interface DpopQuestion {
  /** The header as it was sent. */
  proof: string
  /** The request: its method, and its public address without query and fragment. */
  method: string
  url: string
  /** The access token that comes with it. */
  accessToken: string
  /** Thumbprint of the key that the token is bound to. */
  boundTo: string
  now: number
  algorithms: readonly string[]
}

/**
 * `nonce` as the proof carries it: whoever gives nonces judges it. Without one the proof is good only if its own time is `recent`. `jti`
 * must be seen once.
 */
export type DpopVerdict = { jti: string; nonce: string | undefined; recent: boolean } | { fault: string }

const fault = (text: string): DpopVerdict => ({ fault: text })

/** Judges the proof that comes with a token for a resource (RFC 9449 4.3, 7): made by the token's own key, for this very request, now. */
export function verifyDpopProof(question: DpopQuestion): DpopVerdict {
  const { proof, method, url, accessToken, boundTo, now, algorithms } = question
  const jwt = readCompactJwt(proof)
  if (!jwt) return fault('the proof is no JWT')
  const { header, claims, input, signature } = jwt
  const { alg, jwk, typ } = header
  if (typ !== 'dpop+jwt') return fault('the proof is no JWT of the type dpop+jwt')
  if (!isJwsAlgorithm(alg) || !algorithms.includes(alg))
    return fault('the proof is signed by an algorithm that is not served')
  if ('crit' in header) return fault('the proof demands an extension')
  const thumbprint = thumbprintOf(jwk)
  if (!thumbprint) return fault('the proof brings no public key')
  const key = readPeerJwk(jwk as JsonWebKey)
  if ('fault' in key) return fault(`the key of the proof ${key.fault}`)
  if (!isSignedBy(alg, key, input, signature)) return fault('the proof is not signed by its key')

  const { htm, htu, iat, jti, ath, nonce } = claims
  if (htm !== method) return fault('htm is not the method of the request')
  if (!isSameAddress(htu, url)) return fault('htu is not the address of the request')
  if (typeof jti !== 'string' || jti === '' || jti.length > LONGEST_ID) return fault('jti is missing')
  if (typeof iat !== 'number') return fault('iat is missing')
  if (nonce !== undefined && typeof nonce !== 'string') return fault('nonce is no text')
  if (ath !== createHash('sha256').update(accessToken).digest('base64url')) return fault('ath is not of this token')
  if (thumbprint !== boundTo) return fault('the token is bound to another key')
  return { jti, nonce, recent: Math.abs(now - iat * 1_000) <= RECENT }
}

/**
 * Returns why the key that a proof brings is rejected, before anything is verified by it; undefined for one that is accepted. For proofs that
 * others judge.
 */
export function proofKeyFault(proof: string): string | undefined {
  const jwt = readCompactJwt(proof)
  if (!jwt) return 'the proof is no JWT'
  const key = readPeerJwk((jwt.header.jwk ?? {}) as JsonWebKey)
  return 'fault' in key ? `the key of the proof ${key.fault}` : undefined
}

function isSignedBy(algorithm: JwsAlgorithm, key: KeyObject, input: string, signature: Buffer): boolean {
  try {
    return verifyJws(algorithm, key, input, signature)
  } catch {
    return false
  }
}

/** RFC 9449 4.3: query and fragment do not count; how else it is spelled is normalized (RFC 3986 6.2.2, 6.2.3). */
function isSameAddress(htu: unknown, url: string): boolean {
  if (typeof htu !== 'string' || !URL.canParse(htu)) return false
  const named = new URL(htu)
  named.hash = ''
  named.search = ''
  return named.href === new URL(url).href
}

/** The members of each kind of key that its thumbprint is made of, in their order (RFC 7638 3.2). */
const MEMBERS: Record<string, string[]> = { RSA: ['e', 'kty', 'n'], EC: ['crv', 'kty', 'x', 'y'] }

/** The thumbprint of a public key; undefined for anything that is none, and for a private one. */
function thumbprintOf(jwk: unknown): string | undefined {
  if (typeof jwk !== 'object' || jwk === null) return undefined
  const key = jwk as Record<string, unknown>
  const members = MEMBERS[String(key.kty)]
  if (!members || 'd' in key || members.some((name) => typeof key[name] !== 'string')) return undefined
  const canonical = JSON.stringify(Object.fromEntries(members.map((name) => [name, key[name]])))
  return createHash('sha256').update(canonical).digest('base64url')
}
