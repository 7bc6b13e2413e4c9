import { fromNow, SECOND } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { GrantId } from '../../../platform/ids.js'
import { grantEndsAt } from '../model/grant-validity.js'
import type { EngineContext } from './engine-context.js'

type Payload = Record<string, unknown>

/** Removes the token, which is never stored itself. */
export const withoutToken = ({ jti: _token, ...payload }: Payload): Payload => payload

// One statement consumes the presented token and inserts its successor.
const insertRefreshToken = namedQuery<
  never,
  [Buffer, GrantId, Payload, Date, Date, Buffer | null, string | null, Date]
>(
  'oidc_provider.insert_refresh_token',
  `WITH seen AS (UPDATE sessions g SET last_seen_at = $4, expires_at = least(greatest(expires_at, $8), ${grantEndsAt('g')}) WHERE id = $2),
     used AS (UPDATE oauth_tokens SET consumed_at = $4, successor_key_id = $7 WHERE hash = $6 AND consumed_at IS NULL)
   INSERT INTO oauth_tokens (hash, kind, grant_id, payload, created_at, expires_at) VALUES ($1, 'RefreshToken', $2, $3, $4, $5)
   ON CONFLICT (hash) DO NOTHING`,
)

const consumeToken = namedQuery<never, [Buffer, Date, string]>(
  'oidc_provider.consume_token',
  'UPDATE oauth_tokens SET consumed_at = $2, successor_key_id = $3 WHERE hash = $1 AND consumed_at IS NULL',
)

const noteRefresh = namedQuery<never, [GrantId, Date, Date]>(
  'oidc_provider.record_refresh',
  `UPDATE sessions g SET last_seen_at = $2, expires_at = least(greatest(expires_at, $3), ${grantEndsAt('g')}) WHERE id = $1`,
)

/**
 * Stores the result of a successful token request: the consumed token and the new refresh token. A rejected request consumes nothing, so
 * the client can repeat it.
 */
export async function writeTokenUse({ tx, clock, client, presented, outcome }: EngineContext): Promise<void> {
  const { refreshToken } = outcome
  // An access token can be issued just before the refresh token expires; its grant must be stored until both have expired.
  const effectiveAccessLifetime = client?.config.tokenPolicy.accessTokenLifetime ?? 0
  const used = outcome.used ? presented : undefined
  if (refreshToken)
    await tx.run(insertRefreshToken, [
      tokenHash(refreshToken.token),
      refreshToken.payload.grantId as GrantId,
      withoutToken(refreshToken.payload),
      clock.now(),
      fromNow(clock, refreshToken.ttl * SECOND),
      used ? tokenHash(used.token) : null,
      used?.successorKey.id ?? null,
      fromNow(clock, (refreshToken.ttl + effectiveAccessLifetime) * SECOND),
    ])
  // Without rotation the token remains valid; only the use of its grant is recorded.
  else if (presented?.kind === 'RefreshToken')
    await tx.run(noteRefresh, [presented.grant.id, clock.now(), fromNow(clock, effectiveAccessLifetime * SECOND)])
  else if (used) await tx.run(consumeToken, [tokenHash(used.token), clock.now(), used.successorKey.id])
}
