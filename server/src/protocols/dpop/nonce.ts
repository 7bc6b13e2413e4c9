import { hkdfSync, timingSafeEqual } from 'node:crypto'

const STEP = 60_000
/** Number of steps before and after the current one whose nonces are accepted. */
const TOLERATED_STEPS = 2

function nonceOf(secret: Buffer, step: number): string {
  const salt = Buffer.alloc(8)
  salt.writeBigUInt64BE(BigInt(step))
  return Buffer.from(hkdfSync('sha256', secret, salt, 'DPoP', 32)).toString('base64url')
}

const stepAt = (now: number): number => Math.floor(now / STEP)

/**
 * Returns the nonce to issue at a time (RFC 9449 8): the same on every node with the secret, and the same as that of the OAuth engine. A
 * client stores one nonce for each origin (RFC 9449 8.2), so two kinds of nonces would overwrite each other.
 */
export const dpopNonce = (secret: Buffer, now: number): string => nonceOf(secret, stepAt(now) + 1)

/** Returns whether a nonce was issued within the last three minutes, by this node or by one whose clock is a minute ahead. */
export function isRecentNonce(secret: Buffer, now: number, nonce: string): boolean {
  const given = Buffer.from(nonce)
  const present = stepAt(now)
  let recent = false
  for (let step = present - TOLERATED_STEPS; step <= present + TOLERATED_STEPS; step += 1) {
    const known = Buffer.from(nonceOf(secret, step))
    if (known.length === given.length && timingSafeEqual(known, given)) recent = true
  }
  return recent
}
