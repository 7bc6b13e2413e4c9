import { hash, timingSafeEqual } from 'node:crypto'

/** Returns the SHA-256 of a random 256-bit secret, the stored form of tokens. Never use it for passwords, which can be guessed. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Returns the SHA-256 of several parts with length prefixes, so that different lists have different hashes. */
export function hashParts(...parts: (string | Buffer)[]): Buffer {
  // One buffer, because incremental hashing costs several times as much and directories have many entries.
  const lengths = parts.map((part) => Buffer.byteLength(part, 'utf8'))
  const whole = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, 0))
  let at = 0
  for (const [index, part] of parts.entries()) {
    at = whole.writeUInt32BE(lengths[index] ?? 0, at)
    at += typeof part === 'string' ? whole.write(part, at, 'utf8') : part.copy(whole, at)
  }
  return hash('sha256', whole, 'buffer')
}

/** Compares two secrets in constant time; both are hashed to the same length first. */
export const secretsEqual = (a: string, b: string): boolean => timingSafeEqual(tokenHash(a), tokenHash(b))
