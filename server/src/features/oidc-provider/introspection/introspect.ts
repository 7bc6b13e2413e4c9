import { SECOND } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { TeamId } from '../../../platform/ids.js'
import { IDENTITY_READER, verifyAccessToken } from '../model/access-token.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { issuerUrl } from '../model/issuer.js'
import { authenticateCaller, type CallerRequest } from './authenticate-caller.js'
import { validRefreshToken } from './live-refresh-token.js'

const INACTIVE = { active: false } as const

/**
 * Introspects a token (RFC 7662). Returns exactly `{"active":false}` for a token that is not valid or belongs to another team or client.
 * @throws invalid_client if the credentials are wrong, or required and missing
 */
export async function introspectToken(
  deps: OidcProviderDeps,
  request: CallerRequest,
): Promise<Record<string, unknown>> {
  const { db, clock, config } = deps
  const caller = await authenticateCaller(deps, request)
  const { token, client_id: clientId } = request.body
  // An authenticated client sees only tokens of its team. A request with `client_id` sees only tokens of that client.
  const isForeign = (found: { clientId: string; teamId: TeamId }) =>
    (caller !== undefined && caller.teamId !== found.teamId) || (clientId !== undefined && clientId !== found.clientId)
  // Only access tokens contain a dot.
  if (token.includes('.')) {
    const access = await verifyAccessToken(db, deps, token, IDENTITY_READER)
    if (!access || isForeign(access)) return INACTIVE
    const { iss, aud, cnf, act } = access.claims
    return {
      active: true,
      scope: access.scopes.join(' '),
      client_id: access.clientId,
      token_type: cnf ? 'DPoP' : 'Bearer',
      exp: access.exp,
      iat: access.iat,
      sub: access.sub,
      aud,
      iss,
      jti: access.jti,
      ...(access.userAttributes && { username: access.userAttributes.email }),
      ...(cnf !== undefined && { cnf }),
      ...(act !== undefined && { act }),
    }
  }
  const [refresh] = await db.run(validRefreshToken, [tokenHash(token), clock.now()])
  if (!refresh || isForeign(refresh)) return INACTIVE
  const seconds = (timestamp: Date) => Math.floor(timestamp.getTime() / SECOND)
  return {
    active: true,
    scope: refresh.scopes.join(' '),
    client_id: refresh.clientId,
    token_type: 'refresh_token',
    exp: seconds(refresh.expiresAt),
    iat: seconds(refresh.createdAt),
    sub: refresh.userId,
    iss: issuerUrl(config.baseUrl, refresh.issuer),
  }
}
