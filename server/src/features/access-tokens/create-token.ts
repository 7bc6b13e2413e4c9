import type { Clock } from '../../platform/clock.js'
import { randomToken, uuidv7 } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Database } from '../../platform/db/database.js'
import { invalidAccessToken, rejection as platformError } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { Audit } from '../audit/index.js'
import { PERMISSIONS, permissionsOf } from '../permissions/index.js'
import { requireRecentAuthentication } from '../sessions/index.js'
import { requireActiveActor } from './require-active-actor.js'
import { type AccessToken, API_TOKENS, SCIM_TOKENS, type TokenKind } from './token.js'
import { type RequestedExpiry, tokenExpiry } from './token-expiry.js'
import { tokenRepository } from './token-repository.js'

export interface TokenDeps {
  db: Database
  clock: Clock
  audit: Audit
}

interface CreatedToken {
  created: AccessToken
  /** The value, which only this result contains; the database stores its SHA-256. */
  token: string
}

/** The characters after the mark that identify a token in the list: 42 of its 256 bits. */
const PREFIX_LENGTH = 7

/**
 * Creates an API token that acts for the caller in the caller's team.
 * @throws session_required, reauthentication_required, invalid_request, forbidden for a scope that the caller does not have
 */
export function createApiToken(
  deps: TokenDeps,
  actor: Actor,
  requested: RequestedExpiry & { name: string; scopes: string[] },
): Promise<CreatedToken> {
  const scopes = PERMISSIONS.filter((permission) => requested.scopes.includes(permission))
  return createToken(API_TOKENS, deps, actor, requested, (held) => {
    const missing = scopes.find((scope) => !held.has(scope))
    if (missing)
      throw platformError('forbidden', {
        detail: `Your token cannot have the scope ${missing}: you do not have that permission`,
      })
    return scopes
  })
}

/**
 * Creates a SCIM token of the caller's team. It has the caller's current permissions, as long as the caller keeps them.
 * @throws session_required, reauthentication_required, invalid_request
 */
export const createScimToken = (
  deps: TokenDeps,
  actor: Actor,
  requested: RequestedExpiry & { name?: string | undefined },
): Promise<CreatedToken> => {
  const name = requested.name?.trim() ?? 'SCIM token'
  return createToken(SCIM_TOKENS, deps, actor, { ...requested, name }, (held) => [...held])
}

/** @param choosePermissions returns the permissions of the token, given those that its creator has */
function createToken(
  kind: TokenKind,
  { db, clock, audit }: TokenDeps,
  actor: Actor,
  { name, ...expiry }: RequestedExpiry & { name: string },
  choosePermissions: (held: ReadonlySet<string>) => string[],
): Promise<CreatedToken> {
  requireRecentAuthentication(clock, actor)
  const expiresAt = tokenExpiry(clock, expiry)
  const token = `${kind.mark}${randomToken()}`
  const prefix = token.slice(0, kind.mark.length + PREFIX_LENGTH)
  return db.transaction(async (tx) => {
    const tokens = tokenRepository(tx, kind, actor.teamId)
    const creator = await tokens.lockCreator(actor.userId)
    if (!creator) throw invalidAccessToken()
    const { temporarySetBy } = await requireActiveActor(tx, clock, actor)
    const permissions = choosePermissions(permissionsOf(creator.role))
    const id = uuidv7<AccessToken['id']>(clock)
    // Not before the membership, which another node with a different clock may have created.
    const createdAt = new Date(Math.max(clock.ms(), creator.memberSince.getTime()))
    const values = { id, name, prefix, permissions, createdAt, expiresAt }
    await tokens.insert({ ...values, hash: tokenHash(token), createdBy: actor.userId, temporarySetBy })
    const scopes = kind === API_TOKENS && { scopes: permissions }
    await audit.record(tx, actor, `${kind.resource}.created`, {
      resource: `${kind.resource}:${id}`,
      metadata: { name, prefix, ...scopes, expiresAt: expiresAt?.toISOString() ?? null },
    })
    const createdBy = { id: actor.userId, email: actor.user.email }
    const state = { lastUsedAt: null, revokedAt: null, creator: { isMember: true, isActive: true, role: creator.role } }
    return { created: { ...values, createdBy, ...state }, token }
  })
}
