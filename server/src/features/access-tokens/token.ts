import type { ApiTokenId, ScimTokenId, UserId } from '../../platform/ids.js'
import { permissionsOf } from '../permissions/index.js'

/** The differences between API tokens and SCIM tokens. */
export interface TokenKind {
  /** The resource in the audit log. */
  resource: 'api_token' | 'scim_token'
  /** The prefix of these tokens alone, for users and secret scanners. */
  mark: string
}

export const API_TOKENS: TokenKind = { resource: 'api_token', mark: 'kw_' }
export const SCIM_TOKENS: TokenKind = { resource: 'scim_token', mark: 'kwscim_' }

export interface AccessToken {
  id: ApiTokenId | ScimTokenId
  name: string
  prefix: string
  permissions: string[]
  createdBy: { id: UserId; email: string }
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
  creator: Creator
}

/** The creator of a token in its team now. A membership that is newer than the token is another one, which does not restore it. */
interface Creator {
  isMember: boolean
  /** The account and the membership are active, and the account is in the epoch of the token. */
  isActive: boolean
  role: string | null
}

/** Returns the permissions of a token: those that it was given and its creator's role still has. */
export function permissionsOfToken({ permissions, role }: { permissions: readonly string[]; role: string }) {
  const held = permissionsOf(role)
  return new Set(permissions.filter((permission) => held.has(permission)))
}

/** Returns whether a SCIM token is valid: its creator had the permission to create one, and still has it. */
export const isScimTokenAllowed = (token: { permissions: readonly string[]; role: string }): boolean =>
  permissionsOfToken(token).has('scim:token')

const statusOf = ({ revokedAt, expiresAt }: AccessToken, now: Date): 'active' | 'expired' | 'revoked' => {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt <= now ? 'expired' : 'active'
}

/** Returns the status of an API token; one whose creator left is shown as revoked. */
export const apiTokenStatus = (token: AccessToken, now: Date) =>
  token.creator.isMember ? statusOf(token, now) : 'revoked'

/** Returns the status of a SCIM token; `orphaned`: its creator is not active, or no longer allowed to create one. */
export function scimTokenStatus(token: AccessToken, now: Date) {
  const { isActive, role } = token.creator
  const isOrphaned = !isActive || !isScimTokenAllowed({ permissions: token.permissions, role: role ?? '' })
  const status = statusOf(token, now)
  return status === 'active' && isOrphaned ? 'orphaned' : status
}
