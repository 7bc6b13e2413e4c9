import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Database } from '../../platform/db/database.js'
import { invalidAccessToken, rejection as platformError } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import type { ApiTokenId } from '../../platform/ids.js'
import type { Audit } from '../audit/index.js'
import { PERMISSIONS, permissionsOf } from '../permissions/index.js'
import { requireRecentAuthentication } from '../sessions/index.js'
import { type ApiToken, newApiToken, prefixOf } from './api-token.js'
import { apiTokenRepository } from './api-token-repository.js'
import { requireActiveActor } from './require-active-actor.js'
import { type RequestedExpiry, tokenExpiry } from './token-expiry.js'

export interface ApiTokenDeps {
  db: Database
  clock: Clock
  audit: Audit
}

export interface WantedApiToken extends RequestedExpiry {
  name: string
  scopes: string[]
}

/**
 * Creates an API token that acts for the caller in the caller's team. Only this function returns its value; the database stores its SHA-256.
 * @throws session_required, reauthentication_required, invalid_request, forbidden for a scope that the caller does not have
 */
export function createApiToken(
  { db, clock, audit }: ApiTokenDeps,
  actor: Actor,
  wanted: WantedApiToken,
): Promise<{ apiToken: ApiToken; token: string }> {
  requireRecentAuthentication(clock, actor)
  const expiresAt = tokenExpiry(clock, wanted)
  const scopes: string[] = PERMISSIONS.filter((permission) => wanted.scopes.includes(permission))
  const token = newApiToken()
  return db.transaction(async (tx) => {
    const tokens = apiTokenRepository(tx, actor.teamId)
    const creator = await tokens.lockCreator(actor.userId)
    if (!creator) throw invalidAccessToken()
    const { temporarySetBy } = await requireActiveActor(tx, clock, actor)
    const missing = scopes.find((scope) => !permissionsOf(creator.role).has(scope))
    if (missing)
      throw platformError('forbidden', {
        detail: `Your token cannot have the scope ${missing}: you do not have that permission`,
      })
    const id = uuidv7<ApiTokenId>(clock)
    // Not before the membership, which another node with a different clock may have created.
    const createdAt = new Date(Math.max(clock.ms(), creator.memberSince.getTime()))
    const created = { id, name: wanted.name, prefix: prefixOf(token), scopes, createdAt, expiresAt }
    await tokens.insert({ ...created, hash: tokenHash(token), createdBy: actor.userId, temporarySetBy })
    await audit.record(tx, actor, 'api_token.created', {
      resource: `api_token:${id}`,
      metadata: { name: created.name, prefix: created.prefix, scopes, expiresAt: expiresAt?.toISOString() ?? null },
    })
    const createdBy = { id: actor.userId, email: actor.user.email }
    const fresh = { organizationId: actor.teamId, lastUsedAt: null, revokedAt: null, creatorLeft: false }
    return { apiToken: { ...created, ...fresh, createdBy }, token }
  })
}
