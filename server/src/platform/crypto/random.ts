import { randomBytes, randomFillSync } from 'node:crypto'
import type { Clock } from '../clock.js'

/** A fresh 256-bit secret in base64url (43 characters): one-time tokens, refresh tokens, client secrets. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

export const randomKey = (bytes = 32): Buffer => randomBytes(bytes)

// One call into the system's generator serves many ids.
const pool = Buffer.alloc(4096)
let used = pool.length

let lastTick = 0
let counter = 0
const COUNTER_END = 0x1000
/** A clock that goes back further than this, in ms, was set anew; less is a correction, which the order of ids survives. */
const CORRECTION = 10_000

/**
 * A UUID version 7 (RFC 9562 5.7): sorted by time, so that indexes grow at one end. Those of one process come in the order in which
 * they were made, within a millisecond too (6.2, method 1: a counter with a random start), so that what one act writes is listed as
 * it happened.
 */
export function uuidv7<T extends string>(clock: Clock): T {
  if (used + 10 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const now = clock.ms()
  const goesOn = now <= lastTick && now > lastTick - CORRECTION && ++counter < COUNTER_END
  if (!goesOn) {
    // A millisecond whose numbers are used up borrows the next one.
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
