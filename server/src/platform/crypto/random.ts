import { randomBytes, randomFillSync } from 'node:crypto'
import type { Clock } from '../clock.js'

/** A fresh 256-bit secret in base64url (43 characters): one-time tokens, refresh tokens, client secrets. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

export const randomKey = (bytes = 32): Buffer => randomBytes(bytes)

// One call into the system's generator serves many ids.
const pool = Buffer.alloc(4096)
let used = pool.length

/** A UUID version 7 (RFC 9562 5.7): sorted by time, so that indexes grow at one end. */
export function uuidv7<T extends string>(clock: Clock): T {
  if (used + 10 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const time = clock.ms().toString(16).padStart(12, '0')
  const random = pool.toString('hex', used, used + 10)
  used += 10
  const variant = ((Number.parseInt(random[3] as string, 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}` as T
}
