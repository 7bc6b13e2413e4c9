import { randomToken } from '../../platform/crypto/random.js'
import type { ApiTokenId, TeamId, UserId } from '../../platform/ids.js'

/** The prefix of API tokens alone, for users and secret scanners. */
const MARK = 'kw_'

/** The stored characters that identify a token in the list: 42 of its 256 bits. */
const PREFIX_LENGTH = MARK.length + 7

export interface ApiToken {
  id: ApiTokenId
  organizationId: TeamId
  name: string
  prefix: string
  scopes: string[]
  createdBy: { id: UserId; email: string }
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
  /** The creator's membership was removed. */
  creatorLeft: boolean
}

/** Returns a new token of 256 bits. */
export const newApiToken = (): string => `${MARK}${randomToken()}`

export const isApiToken = (token: string): boolean => token.startsWith(MARK)

export const prefixOf = (token: string): string => token.slice(0, PREFIX_LENGTH)

/** Returns the status; a token whose creator left is shown as revoked, because a new membership does not restore it. */
export function statusOf(token: ApiToken, now: Date): 'active' | 'expired' | 'revoked' {
  if (token.revokedAt || token.creatorLeft) return 'revoked'
  return token.expiresAt && token.expiresAt <= now ? 'expired' : 'active'
}
