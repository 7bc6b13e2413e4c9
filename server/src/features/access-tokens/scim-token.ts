import { randomToken } from '../../platform/crypto/random.js'
import type { ScimToken } from './scim-token-repository.js'

/** The prefix of SCIM tokens, by which users and secret scanners recognize them. No other token has it. */
const MARK = 'kwscim_'

/** The length that lets the owner identify a token in the list: 42 of its 256 bits. */
const PREFIX_LENGTH = MARK.length + 7

/** Returns a new token with 256 bits of randomness. */
export const newScimToken = (): string => `${MARK}${randomToken()}`

export const prefixOf = (token: string): string => token.slice(0, PREFIX_LENGTH)

export function statusOf(token: ScimToken, now: Date): 'active' | 'expired' | 'revoked' | 'orphaned' {
  if (token.revokedAt) return 'revoked'
  if (token.expiresAt && token.expiresAt <= now) return 'expired'
  return token.orphaned ? 'orphaned' : 'active'
}
