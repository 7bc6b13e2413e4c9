import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, GrantId, TeamId, UserId } from '../../../platform/ids.js'
import { allowedScopes } from '../../oidc-config/index.js'
import { GRANT_JOINS, grantEndsAt, grantIsValid } from '../model/grant-validity.js'

interface RefreshTokenRow {
  clientId: string
  applicationId: ApplicationId
  isAiAgent: boolean
  teamId: TeamId
  userId: UserId
  grantId: GrantId
  scopes: string[]
  issuer: string
  expiresAt: Date
  createdAt: Date
}

const find = (name: string, more: string) =>
  namedQuery<RefreshTokenRow, [Buffer, Date]>(
    name,
    `SELECT a.client_id AS "clientId", a.id AS "applicationId", a.is_ai_agent AS "isAiAgent", a.organization_id AS "teamId", g.user_id AS "userId", g.id AS "grantId",
       ARRAY(SELECT s FROM unnest(g.scopes) s WHERE s = ANY(${allowedScopes('a')})) AS scopes, g.issuer, least(t.expires_at, ${grantEndsAt('g')}) AS "expiresAt", t.created_at AS "createdAt"
   FROM oauth_tokens t JOIN sessions g ON g.id = t.grant_id ${GRANT_JOINS}
   WHERE t.hash = $1 AND t.kind = 'RefreshToken' ${more} AND t.expires_at > $2 AND ${grantIsValid('$2')}`,
  )

/** Returns a refresh token that is valid and unused. */
export const validRefreshToken = find('oidc_provider.live_refresh_token', 'AND t.consumed_at IS NULL')

/** Returns a refresh token of a valid grant, also a used one: its holder may revoke the grant, because the successor may have been lost. */
export const refreshTokenOfValidGrant = find('oidc_provider.refresh_token_of_live_grant', '')
