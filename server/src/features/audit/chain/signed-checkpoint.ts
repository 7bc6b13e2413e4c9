import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto'
import type { Clock } from '../../../platform/clock.js'
import type { KeyRing, ServerKey } from '../../../platform/crypto/key-ring.js'
import { encodeJwtPart, readCompactJwt, rejectedParametersIn, verifyJws } from '../../../protocols/jws/index.js'
import type { FileBase } from './archive/format.js'
import type { ChainHead } from './chain.js'

/** The `typ` header of a signed checkpoint. */
const TYPE = 'keyward-audit-checkpoint'

/** PKCS #8 around the 32 bytes of an Ed25519 private key (RFC 8410 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * The claims of a signed checkpoint, which is stored outside of the service: the head of one chain, or the number and hash of a checkpoint of all
 * chains, as in the log message 'audit checkpoint'. It is a compact JWS (RFC 7515) with Ed25519 (RFC 8037). The private key is derived from the
 * seal key of the service, so that only one permanent key has to be stored.
 */
export type CheckpointClaims = SignedChainHead | { checkpoint: number; hash: string }

/** The head of a chain; at the end of an export also where the file begins, without which the beginning could be cut off. */
export type SignedChainHead = ChainHead & { base?: FileBase }

const derived = new WeakMap<ServerKey, KeyObject>()

function privateKeyOf(sealKey: ServerKey): KeyObject {
  const known = derived.get(sealKey)
  if (known) return known
  const seed = Buffer.from(hkdfSync('sha256', sealKey.key, '', 'keyward audit checkpoint', 32))
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  derived.set(sealKey, key)
  return key
}

/** @returns a compact JWS with the claims and `iat`, in seconds */
export function signCheckpoint({ keys, clock }: { keys: KeyRing; clock: Clock }, claims: CheckpointClaims): string {
  const key = keys.current('seal')
  const header = { alg: 'EdDSA', kid: key.id, typ: TYPE }
  const input = `${encodeJwtPart(header)}.${encodeJwtPart({ ...claims, iat: Math.floor(clock.ms() / 1_000) })}`
  return `${input}.${sign(null, Buffer.from(input), privateKeyOf(key)).toString('base64url')}`
}

/** A parsed signed checkpoint. Do not trust its claims, whose types are not validated, before `isSignedBy`. */
export interface SignedCheckpoint {
  kid: string
  claims: Record<string, unknown>
  isSignedBy(publicKey: KeyObject): boolean
}

/** Parses a signed checkpoint without verifying it; returns undefined if it is malformed or a JWS of another type. */
export function readSignedCheckpoint(compact: string): SignedCheckpoint | undefined {
  const jws = readCompactJwt(compact)
  if (!jws || rejectedParametersIn(jws.header).length > 0) return undefined
  const { alg, typ, kid } = jws.header
  if (alg !== 'EdDSA' || typ !== TYPE || typeof kid !== 'string') return undefined
  return { kid, claims: jws.claims, isSignedBy: (key) => verifyJws('EdDSA', key, jws.input, jws.signature) }
}

/** Returns the claims if this service signed the checkpoint; undefined otherwise. */
export async function verifyCheckpoint(keys: KeyRing, compact: string): Promise<CheckpointClaims | undefined> {
  const signed = readSignedCheckpoint(compact)
  const key = signed && (await keys.find('seal', signed.kid))
  const genuine = key && signed.isSignedBy(createPublicKey(privateKeyOf(key)))
  return genuine ? (signed.claims as unknown as CheckpointClaims) : undefined
}

/** Returns the key that verifies signed checkpoints as a JSON Web Key (RFC 8037 2). */
export function publicKey(keys: KeyRing) {
  const key = keys.current('seal')
  const { x = '' } = createPublicKey(privateKeyOf(key)).export({ format: 'jwk' })
  return { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: key.id, x }
}
