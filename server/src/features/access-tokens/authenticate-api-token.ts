import type { Clock } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Database } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor, Authenticate, TokenActor } from '../../platform/http/actor.js'
import { type ApiTokenId, parseId, type TeamId } from '../../platform/ids.js'
import { memberError, showsOwnProfile } from '../members/index.js'
import { type CallerRow, callerOf } from '../sessions/index.js'
import { teamError } from '../teams/index.js'
import { API_TOKENS, permissionsOfToken } from './token.js'
import { IS_VALID, recordUse, withActiveCreator } from './token-repository.js'

interface TokenRow extends CallerRow {
  id: ApiTokenId
  permissions: string[]
  last_used_at: Date | null
  team_id: TeamId
}

// One query reads everything that can invalidate or restrict a token.
const findValid = namedQuery<TokenRow, [Buffer, Date]>(
  'access_tokens.authenticate_api_token',
  `SELECT t.id, t.scopes AS permissions, t.last_used_at, t.created_by AS user_id, u.email, u.email_verified_at IS NOT NULL AS email_verified,
     u.password_set_at IS NOT NULL AS has_password, o.id AS team_id, o.name AS team_name, o.slug AS team_slug, o.status AS team_status,
     o.policy_version, m.role, CASE WHEN ${showsOwnProfile('m', 'u')} THEN u.first_name END AS first_name,
     CASE WHEN ${showsOwnProfile('m', 'u')} THEN u.last_name END AS last_name, m.first_name AS team_first_name, m.last_name AS team_last_name
   FROM ${withActiveCreator('api_tokens')} JOIN organizations o ON o.id = t.organization_id AND o.status = 'ACTIVE'
   WHERE t.hash = $1 AND ${IS_VALID}`,
)

/** Creates the authentication hook of API tokens: resolves a token and the team of the request to the actor. */
export function authenticateApiToken({ db, clock }: { db: Database; clock: Clock }): Authenticate<TokenActor> {
  return async ({ token, teamInPath, teamInHeader, origin }) => {
    const receivedAt = clock.now()
    const [row] = await db.run(findValid, [tokenHash(token), receivedAt])
    if (!row) throw invalidAccessToken()
    const requestedTeam = teamInPath ?? teamInHeader
    // A path names a resource, so the error is 404 as for an unknown team. The header only selects one of the caller's teams.
    if (requestedTeam !== undefined && parseId<TeamId>(requestedTeam) !== row.team_id) {
      const rejected = teamInPath === undefined ? memberError('not_a_member') : teamError('organization_not_found')
      rejected.caller = { userId: row.user_id, teamId: row.team_id, apiTokenId: row.id }
      throw rejected
    }
    await recordUse({ db, clock }, API_TOKENS, row)
    return {
      ...callerOf(row),
      via: 'api-token',
      apiTokenId: row.id,
      teamId: row.team_id,
      permissions: permissionsOfToken(row),
      instanceAdmin: false,
      restrictedToTeam: row.team_id,
      origin: { ...origin, apiTokenId: row.id },
      receivedAt,
    }
  }
}

/** Creates the authentication hook. Authenticates API tokens and delegates all other bearer tokens to `sessions`. */
export function withApiTokens(deps: { db: Database; clock: Clock }, sessions: Authenticate): Authenticate<Actor> {
  const tokens = authenticateApiToken(deps)
  return (credentials) =>
    credentials.header === 'x-api-token' || credentials.token.startsWith(API_TOKENS.mark)
      ? tokens(credentials)
      : sessions(credentials)
}
