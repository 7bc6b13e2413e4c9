import { hkdfSync, timingSafeEqual } from 'node:crypto'

const STEP = 60_000
/** By so many steps the one in which a nonce is good may lie before or after now. */
const AROUND = 2

function nonceOf(secret: Buffer, step: number): string {
  const salt = Buffer.alloc(8)
  salt.writeBigUInt64BE(BigInt(step))
  return Buffer.from(hkdfSync('sha256', secret, salt, 'DPoP', 32)).toString('base64url')
}

const stepAt = (now: number): number => Math.floor(now / STEP)

/**
 * The nonce to hand out at a time (RFC 9449 8): the same on every node that has the secret, and the one that the OAuth engine hands out
 * at its endpoints. A client keeps one nonce for all that lies under one origin (RFC 9449 8.2); were there two kinds, each answer would
 * take from it the one that the next endpoint wants.
 */
export const dpopNonce = (secret: Buffer, now: number): string => nonceOf(secret, stepAt(now) + 1)

/** Whether a nonce was handed out within the last three minutes, by this node or another whose clock is a minute ahead. */
export function isRecentNonce(secret: Buffer, now: number, nonce: string): boolean {
  const given = Buffer.from(nonce)
  const present = stepAt(now)
  let recent = false
  for (let step = present - AROUND; step <= present + AROUND; step += 1) {
    const known = Buffer.from(nonceOf(secret, step))
    if (known.length === given.length && timingSafeEqual(known, given)) recent = true
  }
  return recent
}
