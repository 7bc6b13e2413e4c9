import { rejection as platformError } from '../../../platform/errors.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import { type ApplicationId, parseId } from '../../../platform/ids.js'
import type { EngineResponse } from '../engine/engine.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'
import { findIssuer } from '../model/find-issuer.js'
import { issuerPathIn } from '../model/issuer.js'
import { requestToken } from './request-token.js'

export interface TryExchange {
  issuer: string
  grantType: 'authorization_code' | 'refresh_token'
  code?: string
  codeVerifier?: string
  redirectUri?: string
  refreshToken?: string
}

/** Returns the redirect URI of the try-it page. */
export const tryCallback = (frontendUrl: string): string => `${frontendUrl}/try/callback`

/**
 * Runs the token request of a test sign-in without the application's secret, which the service does not know. Accepts only codes of the
 * administrator that were issued to the try-it page.
 * @throws issuer_not_found, invalid_request; protocol errors are the response
 */
export async function tryToken(
  deps: OidcProviderDeps,
  actor: SessionActor,
  applicationId: string,
  exchange: TryExchange,
): Promise<EngineResponse> {
  const { config, clients, db } = deps
  const at = issuerPathIn(config.baseUrl, exchange.issuer)
  const issuer = await findIssuer(deps, at, actor.origin)
  const id = parseId<ApplicationId>(applicationId)
  const client = id && (await clients.of(db, id))
  const ofApplication = issuer.applicationId === null || issuer.applicationId === id
  if (client?.type !== 'OIDC' || client.teamId !== actor.teamId || issuer.team.id !== actor.teamId || !ofApplication)
    throw rejection('issuer_not_found')
  const callback = tryCallback(config.frontendUrl)
  if (exchange.grantType === 'authorization_code' && exchange.redirectUri !== callback)
    throw platformError('invalid_request', {
      detail: 'Only codes that were issued to the try-it page can be exchanged here',
      errors: [{ path: '/redirectUri', message: `must be ${callback}` }],
    })
  const sent = {
    grant_type: exchange.grantType,
    client_id: client.clientId,
    code: exchange.code,
    code_verifier: exchange.codeVerifier,
    redirect_uri: exchange.redirectUri,
    refresh_token: exchange.refreshToken,
  }
  const form = new URLSearchParams(
    Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  return requestToken(deps, {
    sent: { method: 'POST', queryString: '', body: form.toString(), header: (name) => headers[name] },
    at,
    origin: actor.origin,
    triedBy: actor.userId,
  })
}
