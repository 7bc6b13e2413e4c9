import { SECOND } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { revokeGrant } from '../../sessions/index.js'
import { IDENTITY_READER, verifyAccessToken } from '../model/access-token.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { authenticateCaller, type CallerRequest } from './authenticate-caller.js'
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
export async function revokeToken(deps: OidcProviderDeps, request: CallerRequest): Promise<void> {
  const { db, clock, audit } = deps
  const caller = await authenticateCaller(deps, request)
  const { origin } = request
  const { token, client_id: clientId } = request.body
  const isForeign = (owner: string) =>
    [caller?.clientId, clientId].some((known) => known !== undefined && known !== owner)
  await db.transaction(async (tx) => {
    // Only access tokens contain a dot.
    const revoked = token.includes('.') ? await revokeAccessToken(tx) : await revokeRefreshToken(tx)
    if (!revoked) return
    const { userId, teamId, isAiAgent, applicationId, kind, grantId } = revoked
    await audit.record(
      tx,
      { userId, teamId, agentId: isAiAgent ? applicationId : null, origin },
      'application.token_revoked',
      { resource: `application:${applicationId}`, metadata: { kind, ...(grantId && { grant: grantId }) } },
    )
  })

  async function revokeAccessToken(tx: Transaction) {
    const access = await verifyAccessToken(tx, deps, token, IDENTITY_READER)
    if (!access || isForeign(access.clientId)) return undefined
    const [first] = await tx.run(insertRevoked, [tokenHash(access.jti), new Date(access.exp * SECOND)])
    return first && { ...access, userId: access.userAttributes?.id ?? null, kind: 'access_token' }
  }

  async function revokeRefreshToken(tx: Transaction) {
    const [refresh] = await tx.run(refreshTokenOfValidGrant, [tokenHash(token), clock.now()])
    if (!refresh || isForeign(refresh.clientId)) return undefined
    const isRevoked = await revokeGrant(tx, clock, refresh.grantId, 'revoked')
    return isRevoked ? { ...refresh, kind: 'refresh_token' } : undefined
  }
}
