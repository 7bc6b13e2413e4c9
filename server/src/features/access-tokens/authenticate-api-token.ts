import { type Clock, fromNow, MINUTE } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Database } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor, Authenticate, TokenActor } from '../../platform/http/actor.js'
import { type ApiTokenId, parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { memberError, showsOwnProfile } from '../members/index.js'
import { permissionsOf } from '../permissions/index.js'
import { teamError } from '../teams/index.js'
import { isApiToken } from './api-token.js'

interface TokenRow {
  id: ApiTokenId
  scopes: string[]
  last_used_at: Date | null
  user_id: UserId
  email: string
  email_verified: boolean
  has_password: boolean
  team_id: TeamId
  team_name: string
  team_slug: string
  team_status: string
  policy_version: number
  role: string
  first_name: string | null
  last_name: string | null
  team_first_name: string | null
  team_last_name: string | null
}

// One query reads everything that can end or limit a token. The membership must not be newer than the token: a user who left and rejoined
// creates new tokens.
const liveToken = namedQuery<TokenRow, [Buffer, Date]>(
  'access_tokens.authenticate_api_token',
  `SELECT t.id, t.scopes, t.last_used_at, t.created_by AS user_id, u.email, u.email_verified_at IS NOT NULL AS email_verified,
     u.password_set_at IS NOT NULL AS has_password, o.id AS team_id, o.name AS team_name, o.slug AS team_slug, o.status AS team_status,
     o.policy_version, m.role, CASE WHEN ${showsOwnProfile('m', 'u')} THEN u.first_name END AS first_name,
     CASE WHEN ${showsOwnProfile('m', 'u')} THEN u.last_name END AS last_name, m.first_name AS team_first_name, m.last_name AS team_last_name
   FROM api_tokens t
   JOIN users u ON u.id = t.created_by AND u.status = 'active' AND u.epoch = t.epoch
   JOIN memberships m ON m.user_id = t.created_by AND m.organization_id = t.organization_id AND m.status = 'active'
     AND m.created_at <= t.created_at
   JOIN organizations o ON o.id = t.organization_id AND o.status = 'ACTIVE'
   WHERE t.hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)`,
)

// Skips a locked row, because the concurrent request records the use. So no request waits for a lock here.
const recordUse = namedQuery<never, [ApiTokenId, Date, Date]>(
  'access_tokens.record_token_use',
  `UPDATE api_tokens SET last_used_at = $2 WHERE id = (
     SELECT id FROM api_tokens WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3) FOR NO KEY UPDATE SKIP LOCKED)`,
)

/** Creates the authentication hook of API tokens: resolves a token and the team of the request to the actor. */
export function authenticateApiToken({ db, clock }: { db: Database; clock: Clock }): Authenticate<TokenActor> {
  return async ({ token, teamInPath, teamInHeader, origin }) => {
    const [row] = await db.run(liveToken, [tokenHash(token), clock.now()])
    if (!row) throw invalidAccessToken()
    const named = teamInPath ?? teamInHeader
    if (named !== undefined && parseId<TeamId>(named) !== row.team_id) {
      const rejected = teamInPath === undefined ? memberError('not_a_member') : teamError('organization_not_found')
      rejected.caller = { userId: row.user_id, teamId: row.team_id, apiTokenId: row.id }
      throw rejected
    }
    const aMinuteAgo = fromNow(clock, -MINUTE)
    if (!row.last_used_at || row.last_used_at <= aMinuteAgo) await db.run(recordUse, [row.id, clock.now(), aMinuteAgo])
    const held = permissionsOf(row.role)
    return {
      via: 'api-token',
      apiTokenId: row.id,
      userId: row.user_id,
      teamId: row.team_id,
      role: row.role,
      permissions: new Set(row.scopes.filter((scope) => held.has(scope))),
      instanceAdmin: false,
      restrictedToTeam: row.team_id,
      user: {
        email: row.email,
        firstName: row.team_first_name ?? row.first_name,
        lastName: row.team_last_name ?? row.last_name,
        own: { firstName: row.first_name, lastName: row.last_name },
        emailVerified: row.email_verified,
        hasPassword: row.has_password,
      },
      team: { name: row.team_name, slug: row.team_slug, status: row.team_status, policyVersion: row.policy_version },
      origin: { ...origin, apiTokenId: row.id },
    }
  }
}

/** Creates the authentication hook of both kinds: API tokens here, other tokens in `Authorization` by `sessions`. */
export function withApiTokens(deps: { db: Database; clock: Clock }, sessions: Authenticate): Authenticate<Actor> {
  const tokens = authenticateApiToken(deps)
  return (credentials) =>
    credentials.header === 'x-api-token' || isApiToken(credentials.token) ? tokens(credentials) : sessions(credentials)
}
