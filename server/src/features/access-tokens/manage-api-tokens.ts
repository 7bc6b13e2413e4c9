import type { Actor } from '../../platform/http/actor.js'
import type { ApiToken } from './api-token.js'
import { apiTokenRepository } from './api-token-repository.js'
import type { ApiTokenDeps } from './create-api-token.js'
import { rejection } from './errors.js'

/** Returns a page of the team's API tokens, newest first, including revoked and expired ones. */
export const listApiTokens = (
  { db }: ApiTokenDeps,
  actor: Actor,
  page: { page: number; limit: number },
): Promise<{ tokens: ApiToken[]; total: number }> =>
  db.transaction((tx) => apiTokenRepository(tx, actor.teamId).page(page))

/** Revokes a token; it is rejected on the next request. Does nothing if it was already revoked. @throws api_token_not_found */
export function revokeApiToken({ db, clock, audit }: ApiTokenDeps, actor: Actor, id: string): Promise<ApiToken> {
  return db.transaction(async (tx) => {
    const tokens = apiTokenRepository(tx, actor.teamId)
    const token = await tokens.find(id)
    if (!token) throw rejection('api_token_not_found')
    const now = clock.now()
    if (await tokens.revoke(token.id, now))
      await audit.record(tx, actor, 'api_token.revoked', {
        resource: `api_token:${token.id}`,
        metadata: { name: token.name, prefix: token.prefix },
      })
    return { ...token, revokedAt: token.revokedAt ?? now }
  })
}
