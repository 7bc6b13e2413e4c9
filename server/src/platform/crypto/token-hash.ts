import { createHash, hash, timingSafeEqual } from 'node:crypto'

/** SHA-256 of a generated 256-bit secret: how tokens lie in the database. Never for passwords, which are guessable. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')

/** SHA-256 over several parts, each with its length in front, so that no two lists of parts read alike. */
export function hashParts(...parts: (string | Buffer)[]): Buffer {
  const digest = createHash('sha256')
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    digest.update(length).update(bytes)
  }
  return digest.digest()
}

/** Whether two secrets are equal, in a time that depends on neither: both are hashed to one length first. */
export const secretsEqual = (a: string, b: string): boolean => timingSafeEqual(tokenHash(a), tokenHash(b))
