import type { Actor } from '../../platform/http/actor.js'
import type { TokenDeps } from './create-token.js'
import { rejection } from './errors.js'
import { type AccessToken, API_TOKENS, type TokenKind } from './token.js'
import { tokenRepository } from './token-repository.js'

/** Returns a page of the team's API tokens, newest first, including revoked and expired ones. */
export const listApiTokens = (
  { db }: TokenDeps,
  actor: Actor,
  page: { page: number; limit: number },
): Promise<{ tokens: AccessToken[]; total: number }> =>
  db.transaction((tx) => tokenRepository(tx, API_TOKENS, actor.teamId).page(page))

/**
 * Revokes a token; it is rejected on the next request. Does nothing if it was already revoked.
 * @throws api_token_not_found, scim_token_not_found
 */
export function revokeToken(
  kind: TokenKind,
  { db, clock, audit }: TokenDeps,
  actor: Actor,
  id: string,
): Promise<AccessToken> {
  return db.transaction(async (tx) => {
    const tokens = tokenRepository(tx, kind, actor.teamId)
    const token = await tokens.find(id)
    if (!token) throw rejection(`${kind.resource}_not_found`)
    const now = clock.now()
    if (await tokens.revoke(token.id, now))
      await audit.record(tx, actor, `${kind.resource}.revoked`, {
        resource: `${kind.resource}:${token.id}`,
        metadata: { name: token.name, prefix: token.prefix },
      })
    return { ...token, revokedAt: token.revokedAt ?? now }
  })
}
