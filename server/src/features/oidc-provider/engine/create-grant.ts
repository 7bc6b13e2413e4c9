import { type Clock, fromNow, SECOND } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { GrantId, SessionId } from '../../../platform/ids.js'
import { creatingGrant, type NewGrantValues } from '../../sessions/index.js'
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
  NewGrantValues & { sessionId: SessionId; codeHash: Buffer; codeKind: string; payload: Payload; codeExpiresAt: Date }
>(
  'oidc_provider.insert_grant',
  `WITH new_grant AS (${creatingGrant(`FROM sessions origin CROSS JOIN LATERAL (
       SELECT 1 FROM consents c WHERE c.user_id = :userId AND c.application_id = :applicationId AND c.restricted = (origin.confined_team_id IS NOT NULL)
         AND c.withdrawn_at IS NULL AND c.scopes @> :scopes FOR SHARE) held
     WHERE origin.id = :sessionId AND origin.ended_at IS NULL AND origin.epoch = (SELECT epoch FROM users WHERE id = :userId)
       AND EXISTS (SELECT 1 FROM memberships WHERE user_id = :userId AND organization_id = :teamId AND status = 'active')`)})
   INSERT INTO oauth_tokens (hash, kind, grant_id, payload, created_at, expires_at)
   SELECT :codeHash, :codeKind, id, :payload, :now, :codeExpiresAt FROM new_grant RETURNING grant_id`,
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
  const inserted = await tx.run(insertGrant, {
    grantId: id,
    userId: session.userId,
    teamId: client.teamId,
    applicationId: client.id,
    method: 'authorization',
    scopes,
    issuer,
    generation: client.generation,
    amr: session.amr,
    authenticatedAt: session.authenticatedAt,
    now: clock.now(),
    expiresAt: fromNow(clock, grantLifetime(client) * SECOND),
    sessionId: session.id,
    delegatedFrom: null,
    delegatedTokens: null,
    codeHash: code.hash,
    codeKind: code.kind,
    payload: withoutToken(code.payload),
    codeExpiresAt: fromNow(clock, code.lifetime * SECOND),
  })
  return inserted.length > 0
}
