import { timingSafeEqual } from 'node:crypto'
import { tokenHash } from '../../../platform/crypto/token-hash.js'

export interface SecretHashes {
  /** SHA-256; null for a client that has none. */
  secretHash: Buffer | null
  /** The secret before it, and until when both are good. */
  previousSecretHash: Buffer | null
  previousSecretUntil: Date | null
}

/** No secret has this hash. */
const NO_SECRET = Buffer.alloc(32)

/** Whether the secret is the client's, or the one before it while that lasts; in a time that does not tell which. */
export function isSecretOf(client: SecretHashes, secret: string, now: Date): boolean {
  const { secretHash, previousSecretHash, previousSecretUntil } = client
  const hash = tokenHash(secret)
  const overlaps = previousSecretUntil !== null && previousSecretUntil > now
  const isPresent = timingSafeEqual(hash, secretHash ?? NO_SECRET)
  const isPrevious = timingSafeEqual(hash, (overlaps && previousSecretHash) || NO_SECRET)
  return isPresent || isPrevious
}
