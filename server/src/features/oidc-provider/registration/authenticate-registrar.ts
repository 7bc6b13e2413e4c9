import { AppError } from '../../../platform/app-error.js'
import { secretsEqual } from '../../../platform/crypto/token-hash.js'
import type { RequestOrigin, TokenActor } from '../../../platform/http/actor.js'
import { oauthError } from '../../../protocols/oauth/index.js'
import { authenticateApiToken } from '../../access-tokens/index.js'
import { admitClientSource, countClientFailure } from '../clients/client-limits.js'
import type { OidcProviderDeps } from '../model/deps.js'

/** The caller that registers a client: the token of the instance, for any team, or an API token, for its team. */
export type Registrar = { by: 'instance_token' } | { by: 'api_token'; actor: TokenActor }

/** Returns the error for a missing, wrong or revoked token (RFC 6750 3.1). */
export const invalidRegistrationToken = (sent: boolean): AppError =>
  oauthError('invalid_token', {
    detail: sent ? 'the token is not valid' : 'no token was sent',
    headers: { 'www-authenticate': `Bearer realm="keyward"${sent ? ', error="invalid_token"' : ''}` },
  })

/**
 * Authenticates a registration request by API_TOKEN, or by an API token of a team with the scope `applications:write`. A wrong token counts
 * as a failure of its source, like a failed client authentication.
 * @param header the `x-api-token` header
 * @param bearer the Bearer token: an API token of a team as initial access token (RFC 7591 3)
 * @throws invalid_token, insufficient_scope, rate_limited
 */
export async function authenticateRegistrar(
  deps: OidcProviderDeps,
  { header, bearer }: { header: string | undefined; bearer: string | undefined },
  origin: RequestOrigin,
): Promise<Registrar> {
  const token = header || bearer
  if (!token) throw invalidRegistrationToken(false)
  const { db, audit, config } = deps
  await db.transaction((tx) => admitClientSource(tx, deps, origin))
  if (config.apiToken !== undefined && header && secretsEqual(header, config.apiToken)) return { by: 'instance_token' }
  const actor = await findApiToken(deps, token, origin)
  if (!actor) {
    await db.transaction(async (tx) => {
      await countClientFailure(tx, deps, origin)
      await audit.record(tx, { userId: null, teamId: null, origin }, 'application.registration_refused', {
        result: 'FAILURE',
        metadata: { token: header ? 'x-api-token' : 'bearer' },
      })
    })
    throw invalidRegistrationToken(true)
  }
  if (!actor.permissions.has('applications:write')) {
    const rejected = oauthError('insufficient_scope', { detail: 'the API token needs the scope applications:write' })
    rejected.caller = { userId: actor.userId, teamId: actor.teamId, apiTokenId: actor.apiTokenId }
    throw rejected
  }
  return { by: 'api_token', actor }
}

const findApiToken = (deps: OidcProviderDeps, token: string, origin: RequestOrigin): Promise<TokenActor | undefined> =>
  authenticateApiToken(deps)({
    token,
    header: 'x-api-token',
    teamInPath: undefined,
    teamInHeader: undefined,
    origin,
  }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid_access_token') return undefined
    throw error
  })
