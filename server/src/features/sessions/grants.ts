import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { ApplicationId, GrantId, SessionId, TeamId, UserId } from '../../platform/ids.js'
import { countedRefresh, countingRefresh } from './refresh-entries.js'

/** A new grant, as parameters of a query. */
export interface NewGrantValues {
  grantId: GrantId
  userId: UserId
  /** The team of the application. */
  teamId: TeamId
  applicationId: ApplicationId
  method: 'authorization' | 'token_exchange'
  scopes: string[]
  /** Path of the issuer. */
  issuer: string
  /** The configuration generation of the application. */
  generation: number
  amr: string[]
  authenticatedAt: Date
  now: Date
  expiresAt: Date
  /** The session in which the user authorized the application; null for a token exchange. */
  sessionId: SessionId | null
  /** The grants and tokens on which a token exchange depends. */
  delegatedFrom: GrantId[] | null
  delegatedTokens: Buffer[] | null
}

/**
 * SQL: inserts a grant from the parameters `NewGrantValues`. It inherits the epoch, the restriction and the temporary password of its origin,
 * the session or the grant that it is created from. A statement can create a grant together with its code, to save a round trip.
 * @param origin a FROM clause that contains the row of the origin as `origin`: the grant is created only if it has a row
 */
export const creatingGrant = (origin: string): string =>
  `INSERT INTO sessions (id, kind, user_id, organization_id, parent_id, application_id, scopes, issuer, generation, method, amr, remember, authenticated_at, last_seen_at, expires_at, created_at, delegated_from, delegated_tokens, epoch, confined_team_id, temporary_set_by)
   SELECT :grantId, 'grant', :userId, :teamId, :sessionId, :applicationId, :scopes, :issuer, :generation, :method, :amr, false, :authenticatedAt, :now, :expiresAt, :now, :delegatedFrom, :delegatedTokens, origin.epoch, origin.confined_team_id, origin.temporary_set_by
   ${origin} RETURNING id`

/**
 * SQL: records the use of the grant `g`, counts its refresh, and stores it at least until the parameter `grantUntil`, but not beyond its end. Returns
 * the columns of `CountedRefresh`. A statement can record the use together with the tokens, to save a round trip.
 * @param now placeholder of the current time
 * @param endsAt expression for the absolute end of `g`
 * @param which FROM and WHERE clauses that select `g`
 * @param useId placeholder of a UUID that no other request has
 * @param count expression of the number of refreshes
 */
export const extendingGrant = (
  { now, useId }: { now: string; useId: string },
  endsAt: string,
  which: string,
  count = ':refreshCount::integer',
): string =>
  `UPDATE sessions g SET last_seen_at = ${now}::timestamptz, expires_at = least(greatest(g.expires_at, :grantUntil), ${endsAt}),
     ${countingRefresh(now, useId, count)} ${which} RETURNING ${countedRefresh(useId)}`

/** Parameters of `extendingGrant`. */
export interface GrantUse {
  grantUntil: Date
  /** 1 for a refresh token, 0 for a code. */
  refreshCount: 0 | 1
  refreshOrigin: Buffer
}

const endById = namedQuery<{ id: GrantId }, [GrantId, Date, string]>(
  'sessions.end_grant',
  `UPDATE sessions SET ended_at = $2, end_reason = $3 WHERE id = $1 AND kind = 'grant' AND ended_at IS NULL RETURNING id`,
)

/** Revokes a grant with all its tokens. Runs in the caller's transaction. @returns whether it was active */
export async function revokeGrant(tx: Transaction, clock: Clock, grant: GrantId, why: string): Promise<boolean> {
  return (await tx.run(endById, [grant, clock.now(), why])).length > 0
}
