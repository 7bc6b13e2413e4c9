import { createHmac, timingSafeEqual } from 'node:crypto'

const STEP = 60_000
/** A nonce is good for the step in which it was given and so many after it. */
const STEPS = 5

const nonceOf = (secret: Buffer, step: number): string =>
  createHmac('sha256', secret).update(`resource nonce ${step}`).digest('base64url')

/** The nonce to hand out at a time (RFC 9449 8): the same on every node that has the secret. */
export const dpopNonce = (secret: Buffer, now: number): string => nonceOf(secret, Math.floor(now / STEP))

/** Whether a nonce was handed out within the last minutes, by this node or another whose clock is a minute ahead. */
export function isRecentNonce(secret: Buffer, now: number, nonce: string): boolean {
  const given = Buffer.from(nonce)
  const present = Math.floor(now / STEP)
  let recent = false
  for (let step = present + 1; step >= present - STEPS; step -= 1) {
    const known = Buffer.from(nonceOf(secret, step))
    if (known.length === given.length && timingSafeEqual(known, given)) recent = true
  }
  return recent
}
