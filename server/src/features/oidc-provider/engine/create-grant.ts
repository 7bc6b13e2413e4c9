import { type Clock, fromNow, SECOND } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, GrantId, SessionId, TeamId, UserId } from '../../../platform/ids.js'
import { lockUser } from '../../users/index.js'
import type { Client } from '../model/client.js'
import { grantLifetime } from '../model/lifetimes.js'
import type { EngineSession } from './engine-context.js'
import { withoutToken } from './write-token-use.js'

type Payload = Record<string, unknown>

// The consent is locked until the commit, so that a concurrent withdrawal either revokes this grant or prevents it. The session and the
// membership are read again on the locked account: they may have ended since the request was verified.
const insertGrant = namedQuery<
  { grant_id: GrantId },
  [
    GrantId,
    UserId,
    TeamId,
    SessionId,
    ApplicationId,
    string[],
    string,
    number,
    string[],
    Date,
    Date,
    Date,
    Buffer,
    Payload,
    Date,
    string,
  ]
>(
  'oidc_provider.insert_grant',
  `WITH new_grant AS (
     INSERT INTO sessions (id, kind, user_id, organization_id, parent_id, application_id, scopes, issuer, generation, method, amr, remember, authenticated_at, last_seen_at, expires_at, created_at, epoch, confined_team_id, temporary_set_by)
     SELECT $1, 'grant', $2, $3, $4, $5, $6, $7, $8, 'authorization', $9, false, $10, $11, $12, $11, parent.epoch, parent.confined_team_id, parent.temporary_set_by
     FROM sessions parent CROSS JOIN LATERAL (
       SELECT 1 FROM consents c WHERE c.user_id = $2 AND c.application_id = $5 AND c.restricted = (parent.confined_team_id IS NOT NULL)
         AND c.withdrawn_at IS NULL AND c.scopes @> $6 FOR SHARE) held
     WHERE parent.id = $4 AND parent.ended_at IS NULL AND parent.epoch = (SELECT epoch FROM users WHERE id = $2)
       AND EXISTS (SELECT 1 FROM memberships WHERE user_id = $2 AND organization_id = $3 AND status = 'active') RETURNING id)
   INSERT INTO oauth_tokens (hash, kind, grant_id, payload, created_at, expires_at)
   SELECT $13, $16, id, $14, $11, $15 FROM new_grant RETURNING grant_id`,
)

export interface NewGrant {
  id: GrantId
  client: Client
  session: EngineSession
  /** Path of the requested issuer. */
  issuer: string
  scopes: string[]
  /** The authorization code or device code that can be exchanged for the tokens. `lifetime` in seconds. */
  code: { kind: 'AuthorizationCode' | 'DeviceCode'; hash: Buffer; payload: Payload; lifetime: number }
}

/**
 * Creates a grant with the code that can be exchanged for its tokens. Runs in the caller's transaction, which must have locked the account,
 * or no row that depends on it.
 * @returns false if the consent, the session or the membership has ended since the request was verified
 */
export async function createGrant(
  tx: Transaction,
  clock: Clock,
  { id, client, session, issuer, scopes, code }: NewGrant,
): Promise<boolean> {
  await lockUser(tx, session.userId)
  const inserted = await tx.run(insertGrant, [
    id,
    session.userId,
    client.teamId,
    session.id,
    client.id,
    scopes,
    issuer,
    client.generation,
    session.amr,
    session.authenticatedAt,
    clock.now(),
    fromNow(clock, grantLifetime(client) * SECOND),
    code.hash,
    withoutToken(code.payload),
    fromNow(clock, code.lifetime * SECOND),
    code.kind,
  ])
  return inserted.length > 0
}
