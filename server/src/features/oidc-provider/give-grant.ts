import { type Clock, fromNow, SECOND } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { ApplicationId, GrantId, SessionId, TeamId, UserId } from '../../platform/ids.js'
import type { Client } from './client.js'
import type { EngineSession } from './engine-context.js'
import { grantLife } from './lifetimes.js'
import { withoutToken } from './write-use.js'

type Payload = Record<string, unknown>

// The consent is held until the commit, so that whoever takes it back finds what was given by it, or nothing is given.
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
  `WITH given AS (
     INSERT INTO sessions (id, kind, user_id, organization_id, parent_id, application_id, scopes, issuer, generation, method, amr, remember, authenticated_at, last_seen_at, expires_at, created_at, epoch, confined_team_id, temporary_set_by)
     SELECT $1, 'grant', $2, $3, $4, $5, $6, $7, $8, 'authorization', $9, false, $10, $11, $12, $11, parent.epoch, parent.confined_team_id, parent.temporary_set_by
     FROM sessions parent, (SELECT 1 FROM consents WHERE user_id = $2 AND application_id = $5 AND withdrawn_at IS NULL AND scopes @> $6 FOR SHARE) held
     WHERE parent.id = $4 RETURNING id)
   INSERT INTO oauth_tokens (hash, kind, grant_id, payload, created_at, expires_at)
   SELECT $13, $16, id, $14, $11, $15 FROM given RETURNING grant_id`,
)

export interface GivenGrant {
  id: GrantId
  client: Client
  session: EngineSession
  /** Path of the issuer that was asked. */
  issuer: string
  scopes: string[]
  /** What stands for it until it is exchanged: a code, or the code of a device. `lifetime` in seconds. */
  by: { kind: 'AuthorizationCode' | 'DeviceCode'; hash: Buffer; payload: Payload; lifetime: number }
}

/**
 * A step: writes what a user allows an application, with the one thing that can be exchanged for its tokens. Answers whether it was
 * given: not where the user has taken it back meanwhile.
 */
export async function giveGrant(
  tx: Transaction,
  clock: Clock,
  { id, client, session, issuer, scopes, by }: GivenGrant,
): Promise<boolean> {
  const given = await tx.run(insertGrant, [
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
    fromNow(clock, grantLife(client) * SECOND),
    by.hash,
    withoutToken(by.payload),
    fromNow(clock, by.lifetime * SECOND),
    by.kind,
  ])
  return given.length > 0
}
