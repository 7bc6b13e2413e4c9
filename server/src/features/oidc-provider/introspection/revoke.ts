import { SECOND } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { revokeGrant } from '../../sessions/index.js'
import { verifyAccessToken } from '../model/access-token.js'
import { IDENTITY_READER } from '../model/access-token-queries.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { authenticateCaller } from './authenticate-caller.js'
import type { CallerRequest } from './caller-credentials.js'
import { refreshTokenOfValidGrant } from './live-refresh-token.js'

const insertRevoked = namedQuery<{ hash: Buffer }, [Buffer, Date]>(
  'oidc_provider.revoke_access_token',
  'INSERT INTO revoked_access_tokens (hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING hash',
)

/**
 * Revokes a token (RFC 7009): an access token alone, or a refresh token, used or not, with its grant. Does nothing for a token that is not
 * valid or belongs to another client; the response is the same.
 * @throws invalid_client if the credentials are wrong, or required and missing
 */
export async function revokeToken(deps: OidcProviderDeps, question: CallerRequest): Promise<void> {
  const { db, clock, audit } = deps
  const caller = await authenticateCaller(deps, question)
  const { token, clientId, origin } = question
  const foreign = (owner: string) =>
    [caller?.clientId, clientId].some((known) => known !== undefined && known !== owner)
  await db.transaction(async (tx) => {
    // Only access tokens contain a dot.
    if (token.includes('.')) {
      const access = await verifyAccessToken(tx, deps, token, IDENTITY_READER)
      if (!access || foreign(access.clientId)) return
      const [first] = await tx.run(insertRevoked, [tokenHash(access.jti), new Date(access.exp * SECOND)])
      if (!first) return
      await audit.record(
        tx,
        {
          userId: access.userAttributes?.id ?? null,
          teamId: access.teamId,
          agentId: access.isAiAgent ? access.applicationId : null,
          origin,
        },
        'application.token_revoked',
        {
          resource: `application:${access.applicationId}`,
          metadata: { kind: 'access_token', ...(access.grantId && { grant: access.grantId }) },
        },
      )
      return
    }
    const [refresh] = await tx.run(refreshTokenOfValidGrant, [tokenHash(token), clock.now()])
    if (!refresh || foreign(refresh.client_id)) return
    if (!(await revokeGrant(tx, clock, refresh.grant_id, 'revoked'))) return
    const agentId = refresh.is_ai_agent ? refresh.application_id : null
    const subject = { userId: refresh.user_id, teamId: refresh.team_id, agentId, origin }
    await audit.record(tx, subject, 'application.token_revoked', {
      resource: `application:${refresh.application_id}`,
      metadata: { kind: 'refresh_token', grant: refresh.grant_id },
    })
  })
}
