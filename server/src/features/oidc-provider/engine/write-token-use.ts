import { fromNow, SECOND } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { GrantId } from '../../../platform/ids.js'
import { type CountedRefresh, extendingGrant, type GrantUse, refreshOrigin } from '../../sessions/index.js'
import { grantEndsAt } from '../model/grant-validity.js'
import type { EngineContext, PresentedToken } from './engine-context.js'

type Payload = Record<string, unknown>

/** Removes the token, which is never stored itself. */
export const withoutToken = ({ jti: _token, ...payload }: Payload): Payload => payload

const USE = { now: ':now', useId: ':useId' }
/** A refresh that is repeated within the reuse interval consumes nothing, and is not counted. */
const USES = ':refreshCount::integer * (SELECT count(*) FROM used)::integer'

// One statement consumes the presented token and inserts its successor.
const insertRefreshToken = namedQuery<
  CountedRefresh,
  GrantUse & {
    useId: string
    hash: Buffer
    grantId: GrantId
    payload: Payload
    now: Date
    expiresAt: Date
    usedHash: Buffer | null
    successorKeyId: string | null
  }
>(
  'oidc_provider.insert_refresh_token',
  `WITH used AS (UPDATE oauth_tokens SET consumed_at = :now, successor_key_id = :successorKeyId WHERE hash = :usedHash AND consumed_at IS NULL RETURNING 1),
     seen AS (${extendingGrant(USE, grantEndsAt('g'), 'WHERE g.id = :grantId', USES)}),
     inserted AS (INSERT INTO oauth_tokens (hash, kind, grant_id, payload, created_at, expires_at) VALUES (:hash, 'RefreshToken', :grantId, :payload, :now, :expiresAt)
       ON CONFLICT (hash) DO NOTHING)
   SELECT * FROM seen`,
)

const consumeToken = namedQuery<never, [Buffer, Date, string]>(
  'oidc_provider.consume_token',
  'UPDATE oauth_tokens SET consumed_at = $2, successor_key_id = $3 WHERE hash = $1 AND consumed_at IS NULL',
)

const recordRefresh = namedQuery<CountedRefresh, GrantUse & { useId: string; grantId: GrantId; now: Date }>(
  'oidc_provider.record_refresh',
  extendingGrant(USE, grantEndsAt('g'), 'WHERE g.id = :grantId'),
)

/** Returns how a token request uses the grant of the presented token. */
export const grantUseOf = (
  presented: PresentedToken | undefined,
  grantUntil: Date,
  origin: Pick<RequestOrigin, 'ip' | 'userAgent'>,
): GrantUse => ({
  grantUntil,
  refreshCount: presented?.kind === 'RefreshToken' ? 1 : 0,
  refreshOrigin: refreshOrigin(origin),
})

const UNKNOWN_ORIGIN = { ip: null, userAgent: null }

/**
 * Stores the result of a successful token request: the consumed token and the new refresh token. A rejected request consumes nothing, so
 * the client can repeat it.
 */
export async function writeTokenUse(context: EngineContext): Promise<void> {
  const { tx, clock, client, presented, outcome, origin = UNKNOWN_ORIGIN } = context
  const { refreshToken } = outcome
  const useId = uuidv7<string>(clock)
  // An access token can be issued just before the refresh token expires; its grant must be stored until both have expired.
  const accessTokenLifetime = client?.config.tokenPolicy.accessTokenLifetime ?? 0
  const used = outcome.isConsumed ? presented : undefined
  const grantUse = (seconds: number) => grantUseOf(presented, fromNow(clock, seconds * SECOND), origin)
  if (refreshToken) {
    const [counted] = await tx.run(insertRefreshToken, {
      useId,
      hash: tokenHash(refreshToken.token),
      grantId: refreshToken.payload.grantId as GrantId,
      payload: withoutToken(refreshToken.payload),
      now: clock.now(),
      expiresAt: fromNow(clock, refreshToken.ttl * SECOND),
      usedHash: used ? tokenHash(used.token) : null,
      successorKeyId: used?.successorKey.id ?? null,
      ...grantUse(refreshToken.ttl + accessTokenLifetime),
    })
    outcome.counted = counted
  }
  // Without rotation the token remains valid; only the use of its grant is recorded.
  else if (presented?.kind === 'RefreshToken') {
    const use = { useId, grantId: presented.grant.id, now: clock.now(), ...grantUse(accessTokenLifetime) }
    const [counted] = await tx.run(recordRefresh, use)
    outcome.counted = counted
  } else if (used) await tx.run(consumeToken, [tokenHash(used.token), clock.now(), used.successorKey.id])
}
