import type { Actor } from '../../platform/http/actor.js'
import type { ApiTokenDeps } from './create-api-token.js'
import { rejection } from './errors.js'
import { type ScimToken, tokenRepository } from './scim-token-repository.js'

/** Revokes a token, effective on the next request. Idempotent. @throws scim_token_not_found */
export function revokeScimToken({ db, clock, audit }: ApiTokenDeps, actor: Actor, id: string): Promise<ScimToken> {
  return db.transaction(async (tx) => {
    const tokens = tokenRepository(tx, actor.teamId)
    const token = await tokens.find(id)
    if (!token) throw rejection('scim_token_not_found')
    const now = clock.now()
    if (await tokens.revoke(token.id, now))
      await audit.record(tx, actor, 'scim_token.revoked', {
        resource: `scim_token:${token.id}`,
        metadata: { name: token.name, prefix: token.prefix },
      })
    return { ...token, revokedAt: token.revokedAt ?? now }
  })
}
