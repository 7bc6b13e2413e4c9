import type { JsonWebKey, KeyObject } from 'node:crypto'
import { readPeerJwk } from '../../../../platform/crypto/peer-key.js'
import { type FileBase, isBase, isCount, isHash, isId, isObject } from '../archive/format.js'
import type { ChainHead } from '../chain.js'
import { readSignedCheckpoint } from '../signed-checkpoint.js'
import { InvalidFile, type Place } from './invalid-file.js'

/** Public keys by `kid`. */
export type PublicKeys = ReadonlyMap<string, KeyObject>

const MAX_KEYS = 50

/** Reads the keys of a JSON Web Key Set (RFC 7517 5) from `{ keys }` and ignores malformed ones; undefined if there is no list of keys. */
export function readPublicKeys(set: unknown): PublicKeys | undefined {
  const list = isObject(set) ? set.keys : undefined
  if (!Array.isArray(list)) return undefined
  const keys = new Map<string, KeyObject>()
  for (const jwk of list.slice(0, MAX_KEYS)) {
    const key = isObject(jwk) ? readPeerJwk(jwk as JsonWebKey) : undefined
    if (key && !('fault' in key) && typeof jwk.kid === 'string' && !keys.has(jwk.kid)) keys.set(jwk.kid, key)
  }
  return keys
}

/** The verified claims of a signed checkpoint of one chain. */
export interface SignedHead extends ChainHead {
  /** Where the export begins that the checkpoint ends; null for the first entry, and for checkpoints that are no end of an export. */
  base: FileBase | null
  kid: string
  /** ISO 8601, in seconds. */
  signedAt: string
}

/**
 * Verifies a signed checkpoint.
 * @param name what the checkpoint is, for the message, such as `The stored checkpoint`
 * @throws InvalidFile `key_unknown`, `signature_invalid`, or `malformed` if it is no checkpoint of one chain
 */
export function verifySignedHead(compact: unknown, keys: PublicKeys, name: string, place: Place = {}): SignedHead {
  const signed = typeof compact === 'string' ? readSignedCheckpoint(compact) : undefined
  if (!signed) throw new InvalidFile('malformed', `${name} is not a signed checkpoint.`, place)
  const key = keys.get(signed.kid)
  if (!key) throw new InvalidFile('key_unknown', `${name} is signed with the unknown key ${signed.kid}.`, place)
  if (!signed.isSignedBy(key)) throw new InvalidFile('signature_invalid', `${name} has an invalid signature.`, place)
  const { chain, seal, entries, head, iat, base = null } = signed.claims
  const isTimestamp = isCount(iat) && iat < 8.64e12
  if (!isId(chain) || !isCount(seal) || !isCount(entries) || !isHash(head) || !isTimestamp || !isBase(base))
    throw new InvalidFile('malformed', `${name} is not a checkpoint of one chain.`, place)
  const signedAt = new Date(iat * 1_000).toISOString()
  return { chain: chain as string, seal, entries, head, base, kid: signed.kid, signedAt }
}
