import { hash, timingSafeEqual } from 'node:crypto'

/** SHA-256 of a generated 256-bit secret: how tokens lie in the database. Never for passwords, which are guessable. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')

/** SHA-256 over several parts, each with its length in front, so that no two lists of parts read alike. */
export function hashParts(...parts: (string | Buffer)[]): Buffer {
  // In one piece: a hash that is fed piece by piece costs several times as much, and a directory has many entries.
  const lengths = parts.map((part) => Buffer.byteLength(part, 'utf8'))
  const whole = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, 0))
  let at = 0
  for (const [index, part] of parts.entries()) {
    at = whole.writeUInt32BE(lengths[index] ?? 0, at)
    at += typeof part === 'string' ? whole.write(part, at, 'utf8') : part.copy(whole, at)
  }
  return hash('sha256', whole, 'buffer')
}

/** Whether two secrets are equal, in a time that depends on neither: both are hashed to one length first. */
export const secretsEqual = (a: string, b: string): boolean => timingSafeEqual(tokenHash(a), tokenHash(b))
