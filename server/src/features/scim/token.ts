import { randomToken } from '../../platform/crypto/random.js'
import type { ScimTokenId, UserId } from '../../platform/ids.js'

/** How every SCIM token begins: people and secret scanners know it by that, and no other token of ours begins so. */
const MARK = 'kwscim_'

/** As many characters as let its owner find a token in the list: 42 of its 256 bits. */
const PREFIX_LENGTH = MARK.length + 7

export interface ScimToken {
  id: ScimTokenId
  name: string
  prefix: string
  createdBy: { id: UserId; email: string }
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
  /** Whoever made it is no active member any more, or may not make one now: it opens nothing. */
  orphaned: boolean
}

/** A fresh token of 256 bits. */
export const newScimToken = (): string => `${MARK}${randomToken()}`

export const prefixOf = (token: string): string => token.slice(0, PREFIX_LENGTH)

export function statusOf(token: ScimToken, now: Date): 'active' | 'expired' | 'revoked' | 'orphaned' {
  if (token.revokedAt) return 'revoked'
  if (token.expiresAt && token.expiresAt <= now) return 'expired'
  return token.orphaned ? 'orphaned' : 'active'
}
