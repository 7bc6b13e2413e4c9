import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ServerKey } from '../../../platform/crypto/key-ring.js'
import { randomKey } from '../../../platform/crypto/random.js'
import { hashParts, tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { CEREMONY_TIMEOUT } from '../../../protocols/webauthn/index.js'
import type { FactorDeps } from '../deps.js'

/**
 * The action and the session or sign-in that a WebAuthn challenge is bound to. Challenges are signed instead of stored, because every load of
 * the sign-in page gets one. Only redeemed challenges are stored, until they expire.
 *
 * Format: base64url of key ID length (1) ‖ key ID ‖ nonce (16) ‖ expiry in milliseconds (8) ‖ HMAC-SHA-256 (32), which covers the preceding
 * bytes and `ChallengeBinding`.
 */
export interface ChallengeBinding {
  /** The action of the response. */
  purpose: 'enrol' | 'sign_in' | 'second_factor' | 'reauthenticate'
  /** User and session, or the pending sign-in; empty if the assertion identifies the account. */
  boundTo: readonly string[]
}

const NONCE = 16
const MAC = 32

const macOf = ({ key }: ServerKey, head: Buffer, { purpose, boundTo }: ChallengeBinding): Buffer =>
  createHmac('sha256', key)
    .update(hashParts(head, purpose, ...boundTo))
    .digest()

export function newChallenge({ keys, clock }: FactorDeps, use: ChallengeBinding): string {
  const key = keys.current('challenge')
  const end = Buffer.alloc(8)
  end.writeBigUInt64BE(BigInt(clock.ms() + CEREMONY_TIMEOUT))
  const id = Buffer.from(key.id)
  const head = Buffer.concat([Buffer.of(id.length), id, randomKey(NONCE), end])
  return Buffer.concat([head, macOf(key, head, use)]).toString('base64url')
}

const recordUsedChallenge = namedQuery<{ hash: Buffer }, [Buffer, Date]>(
  'mfa.record_answered_challenge',
  'INSERT INTO answered_challenges (hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING hash',
)

/**
 * Redeems the challenge, even if its response is invalid afterwards. Returns false if it was not issued for this use, has expired or was
 * redeemed before; one of several concurrent responses redeems it. Runs in the caller's transaction.
 */
export async function redeemChallenge(
  tx: Transaction,
  { keys, clock }: FactorDeps,
  use: ChallengeBinding,
  challenge: string,
): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  const idEnd = 1 + (bytes[0] ?? 0)
  // Rejects other encodings of the same bytes, which would have another hash in `answered_challenges`.
  if (bytes.length !== idEnd + NONCE + 8 + MAC || bytes.toString('base64url') !== challenge) return false
  const key = await keys.find('challenge', bytes.toString('utf8', 1, idEnd), tx)
  const head = bytes.subarray(0, -MAC)
  if (!key || !timingSafeEqual(macOf(key, head, use), bytes.subarray(-MAC))) return false
  const end = Number(head.readBigUInt64BE(head.length - 8))
  if (end <= clock.ms()) return false
  return (await tx.run(recordUsedChallenge, [tokenHash(challenge), new Date(end)])).length === 1
}
