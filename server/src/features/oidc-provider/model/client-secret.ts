import { timingSafeEqual } from 'node:crypto'
import { tokenHash } from '../../../platform/crypto/token-hash.js'

export interface SecretHashes {
  /** SHA-256; null for a client that has none. */
  secretHash: Buffer | null
  /** The secret before the last rotation, and the end of the period in which both are valid. */
  previousSecretHash: Buffer | null
  previousSecretUntil: Date | null
}

/** A hash that no secret has. */
export const NO_SECRET = Buffer.alloc(32)

/** Returns whether the secret is the client's current secret, or the previous one while it is valid. Runs in constant time. */
export function isSecretOf(client: SecretHashes, secret: string, now: Date): boolean {
  const { secretHash, previousSecretHash, previousSecretUntil } = client
  const hash = tokenHash(secret)
  const overlaps = previousSecretUntil !== null && previousSecretUntil > now
  const isPresent = timingSafeEqual(hash, secretHash ?? NO_SECRET)
  const isPrevious = timingSafeEqual(hash, (overlaps && previousSecretHash) || NO_SECRET)
  return isPresent || isPrevious
}

/** Returns whether the client authenticates with a secret, and this is a valid one. */
export const hasClientSecret = (
  client: SecretHashes & { tokenEndpointAuthMethod: string },
  secret: string,
  now: Date,
): boolean =>
  client.tokenEndpointAuthMethod.startsWith('client_secret_') &&
  client.secretHash !== null &&
  isSecretOf(client, secret, now)
