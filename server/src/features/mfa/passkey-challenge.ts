import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ServerKey } from '../../platform/crypto/key-ring.js'
import { randomKey } from '../../platform/crypto/random.js'
import { hashParts, tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { CEREMONY_TIMEOUT } from '../../protocols/webauthn/index.js'
import type { FactorDeps } from './deps.js'

/**
 * Challenges to passkeys. They are signed and not stored: whoever opens the sign-in page gets one, and nothing is written for it. What
 * is stored is that one was answered, for as long as it could be answered again.
 *
 * Format: base64url of key id length (1) ‖ key id ‖ nonce (16) ‖ end in milliseconds (8) ‖ HMAC-SHA-256 (32), the last over all before
 * it and over what the challenge is for.
 */
export interface ChallengeFor {
  /** What the answer does. */
  purpose: 'enrol' | 'sign_in' | 'second_factor' | 'reauthenticate'
  /** To whom it was put: user and session, or the sign-in that waits; nobody yet, where the answer says who it is. */
  boundTo: readonly string[]
}

const NONCE = 16
const MAC = 32

const macOf = ({ key }: ServerKey, head: Buffer, { purpose, boundTo }: ChallengeFor): Buffer =>
  createHmac('sha256', key)
    .update(hashParts(head, purpose, ...boundTo))
    .digest()

export function newChallenge({ keys, clock }: Pick<FactorDeps, 'keys' | 'clock'>, use: ChallengeFor): string {
  const key = keys.current('challenge')
  const end = Buffer.alloc(8)
  end.writeBigUInt64BE(BigInt(clock.ms() + CEREMONY_TIMEOUT))
  const id = Buffer.from(key.id)
  const head = Buffer.concat([Buffer.of(id.length), id, randomKey(NONCE), end])
  return Buffer.concat([head, macOf(key, head, use)]).toString('base64url')
}

const noteAnswered = namedQuery<{ hash: Buffer }, [Buffer, Date]>(
  'mfa.note_answered_challenge',
  'INSERT INTO answered_challenges (hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING hash',
)

/**
 * A step: uses the challenge up, whatever its answer is worth. False for one that we did not make for this, whose time is over, or that
 * was answered before: of many answers at once one gets it.
 */
export async function useChallenge(
  tx: Transaction,
  { keys, clock }: Pick<FactorDeps, 'keys' | 'clock'>,
  use: ChallengeFor,
  challenge: string,
): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  const idEnd = 1 + (bytes[0] ?? 0)
  // Another text of the same bytes would be another challenge to the memory of those that were answered.
  if (bytes.length !== idEnd + NONCE + 8 + MAC || bytes.toString('base64url') !== challenge) return false
  const key = await keys.find('challenge', bytes.toString('utf8', 1, idEnd), tx)
  const head = bytes.subarray(0, -MAC)
  if (!key || !timingSafeEqual(macOf(key, head, use), bytes.subarray(-MAC))) return false
  const end = Number(head.readBigUInt64BE(head.length - 8))
  if (end <= clock.ms()) return false
  return (await tx.run(noteAnswered, [tokenHash(challenge), new Date(end)])).length === 1
}
