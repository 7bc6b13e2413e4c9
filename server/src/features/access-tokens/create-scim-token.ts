import { uuidv7 } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { ScimTokenId } from '../../platform/ids.js'

import { permissionsOf } from '../permissions/index.js'
import { requireRecentAuthentication } from '../sessions/index.js'
import type { ApiTokenDeps } from './create-api-token.js'
import { requireActiveActor } from './require-active-actor.js'
import { newScimToken, prefixOf } from './scim-token.js'
import { type ScimToken, tokenRepository } from './scim-token-repository.js'
import { type RequestedExpiry, tokenExpiry } from './token-expiry.js'

export interface WantedToken extends RequestedExpiry {
  name?: string | undefined
}

/** The default name of a token. */
const UNNAMED = 'SCIM token'

/**
 * Creates a SCIM token of the caller's team. It has the caller's current permissions, as long as the caller keeps them. The token is
 * returned only once; the database stores its SHA-256.
 * @throws session_required, reauthentication_required, invalid_request
 */
export function createScimToken(
  { db, clock, audit }: ApiTokenDeps,
  actor: Actor,
  requested: WantedToken,
): Promise<{ scimToken: ScimToken; token: string }> {
  requireRecentAuthentication(clock, actor)
  const expiresAt = tokenExpiry(clock, requested)
  const name = requested.name?.trim() ?? UNNAMED
  const token = newScimToken()
  return db.transaction(async (tx) => {
    const tokens = tokenRepository(tx, actor.teamId)
    const creator = await tokens.lockCreator(actor.userId)
    if (!creator) throw invalidAccessToken()
    const { temporarySetBy } = await requireActiveActor(tx, clock, actor)
    const id = uuidv7<ScimTokenId>(clock)
    // Not before the membership began, even if another node's clock is ahead.
    const createdAt = new Date(Math.max(clock.ms(), creator.memberSince.getTime()))
    const created = { id, name, prefix: prefixOf(token), createdAt, expiresAt }
    const permissions = [...permissionsOf(creator.role)]
    await tokens.insert({ ...created, permissions, hash: tokenHash(token), createdBy: actor.userId, temporarySetBy })
    await audit.record(tx, actor, 'scim_token.created', {
      resource: `scim_token:${id}`,
      metadata: { name, prefix: created.prefix, expiresAt: expiresAt?.toISOString() ?? null },
    })
    const createdBy = { id: actor.userId, email: actor.user.email }
    return { scimToken: { ...created, createdBy, lastUsedAt: null, revokedAt: null, orphaned: false }, token }
  })
}
