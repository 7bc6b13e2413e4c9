import { randomToken } from '../../platform/crypto/random.js'
import type { ApiTokenId, TeamId, UserId } from '../../platform/ids.js'

/** How every API token begins: people and secret scanners know it by that, and no other token of ours begins so. */
const MARK = 'kw_'

/** As many characters as let its owner find a token in the list: 42 of its 256 bits. */
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
  /** The membership by whose rights it acted is gone. */
  creatorLeft: boolean
}

/** A fresh token of 256 bits. */
export const newApiToken = (): string => `${MARK}${randomToken()}`

export const isApiToken = (token: string): boolean => token.startsWith(MARK)

export const prefixOf = (token: string): string => token.slice(0, PREFIX_LENGTH)

/** Who has left never comes back into a token: that is as good as revoked. */
export function statusOf(token: ApiToken, now: Date): 'active' | 'expired' | 'revoked' {
  if (token.revokedAt || token.creatorLeft) return 'revoked'
  return token.expiresAt && token.expiresAt <= now ? 'expired' : 'active'
}
