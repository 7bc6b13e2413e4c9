import { uuidv7 } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { ScimTokenId } from '../../platform/ids.js'
import { endOfToken, requireLiveActor, type WantedEnd } from '../credentials/index.js'
import { permissionsOf } from '../permissions/index.js'
import { requireRecentAuthentication } from '../sessions/index.js'
import type { ScimDeps } from './deps.js'
import { newScimToken, prefixOf, type ScimToken } from './token.js'
import { tokenRepository } from './token-repository.js'

export interface WantedToken extends WantedEnd {
  name?: string | undefined
}

/** What a token is called that nobody named. */
const UNNAMED = 'SCIM token'

/**
 * Makes one more SCIM token of the caller's team, which acts with the caller's permissions of this moment, as far as they still have
 * them. The token itself is answered here and never again: the database keeps its SHA-256.
 * @throws session_required, reauthentication_required, invalid_request
 */
export function createScimToken(
  { db, clock, audit }: Pick<ScimDeps, 'db' | 'clock' | 'audit'>,
  actor: Actor,
  wanted: WantedToken,
): Promise<{ scimToken: ScimToken; token: string }> {
  requireRecentAuthentication(clock, actor)
  const expiresAt = endOfToken(clock, wanted)
  const name = wanted.name?.trim() ?? UNNAMED
  const token = newScimToken()
  return db.transaction(async (tx) => {
    const tokens = tokenRepository(tx, actor.teamId)
    const creator = await tokens.lockCreator(actor.userId)
    if (!creator) throw invalidAccessToken()
    const { temporarySetBy } = await requireLiveActor(tx, clock, actor)
    const id = uuidv7<ScimTokenId>(clock)
    // Never before the membership that it stands on, whichever node's clock that was told by.
    const createdAt = new Date(Math.max(clock.ms(), creator.memberSince.getTime()))
    const made = { id, name, prefix: prefixOf(token), createdAt, expiresAt }
    const permissions = [...permissionsOf(creator.role)]
    await tokens.insert({ ...made, permissions, hash: tokenHash(token), createdBy: actor.userId, temporarySetBy })
    await audit.record(tx, actor, 'scim_token.created', {
      resource: `scim_token:${id}`,
      metadata: { name, prefix: made.prefix, expiresAt: expiresAt?.toISOString() ?? null },
    })
    const createdBy = { id: actor.userId, email: actor.user.email }
    return { scimToken: { ...made, createdBy, lastUsedAt: null, revokedAt: null, orphaned: false }, token }
  })
}
