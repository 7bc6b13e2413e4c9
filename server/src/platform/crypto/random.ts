import { randomBytes, randomFillSync } from 'node:crypto'
import type { Clock } from '../clock.js'

/** Returns a random 256-bit secret in base64url (43 characters), for one-time tokens, refresh tokens and client secrets. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

export const randomKey = (bytes = 32): Buffer => randomBytes(bytes)

// One call of the system's random generator serves many IDs.
const pool = Buffer.alloc(4096)
let used = pool.length

let lastTick = 0
let counter = 0
const COUNTER_END = 0x1000
/** Milliseconds up to which a backward jump of the clock is a correction that must not break the order of IDs. */
const CORRECTION = 10_000

/**
 * Returns a UUID version 7 (RFC 9562 5.7), which is sorted by time, so that indexes grow at one end. The IDs of a process are in order
 * of creation, also within a millisecond (6.2, method 1: a counter with a random start), so that the rows of a request are in order.
 */
export function uuidv7<T extends string>(clock: Clock): T {
  if (used + 10 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const now = clock.ms()
  const isSameTick = now <= lastTick && now > lastTick - CORRECTION && ++counter < COUNTER_END
  if (!isSameTick) {
    // When the counter of a millisecond overflows, the next millisecond is used.
    lastTick = counter === COUNTER_END ? lastTick + 1 : now
    counter = pool.readUInt16BE(used) & 0x7ff
  }
  const time = lastTick.toString(16).padStart(12, '0')
  const order = counter.toString(16).padStart(3, '0')
  const random = pool.toString('hex', used + 2, used + 10)
  used += 10
  const variant = ((Number.parseInt(random[0] as string, 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${variant}${random.slice(1, 4)}-${random.slice(4, 16)}` as T
}
