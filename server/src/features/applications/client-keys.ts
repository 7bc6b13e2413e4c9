import type { JsonWebKey } from 'node:crypto'
import { readPeerJwk } from '../../platform/crypto/peer-key.js'

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** Why a JSON Web Key (RFC 7517) cannot prove a client to us; undefined for a public key that can. */
export function keyFault(key: JsonWebKey): string | undefined {
  if (PRIVATE_MEMBERS.some((member) => Object.hasOwn(key, member)))
    return 'must be a public key: leave the private members out, and do not use this key any more'
  const read = readPeerJwk(key)
  return 'fault' in read ? read.fault : undefined
}
