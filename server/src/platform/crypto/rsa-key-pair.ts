import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

/**
 * Every SAML and OpenID Connect product accepts 2,048 bits. A signature with 3,072 bits costs five times as much (3.1 instead of
 * 0.7 ms on one core), and a SAML sign-in needs two of them.
 */
const BITS = 2_048

export interface KeyPair {
  publicKey: KeyObject
  privateKey: KeyObject
}

/** Generates an RSA key pair. Takes a tenth of a second or more: never call it inside a transaction. */
export type GenerateRsaKeyPair = () => Promise<KeyPair>

const generate = promisify(generateKeyPair)

let last: Promise<unknown> = Promise.resolve()

/**
 * Generates a key pair of 2,048 bits in a thread of the pool, one after the other: passwords are hashed in the same threads, and
 * administrators who generate keys must not delay every sign-in.
 */
export const generateRsaKeyPair: GenerateRsaKeyPair = () => {
  const pair = last.then(() => generate('rsa', { modulusLength: BITS }))
  last = pair.catch(() => {})
  return pair
}
