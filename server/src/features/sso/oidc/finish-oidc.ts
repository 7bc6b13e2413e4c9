import type { AppError } from '../../../platform/app-error.js'
import { OutboundError, type TeamOutbound } from '../../../platform/http/outbound.js'
import { parseId, type SsoProviderId } from '../../../platform/ids.js'
import { type Check, type Claims, check, shown, verifyIdToken } from '../../../protocols/id-token/index.js'
import { admitSource, type SignInRequest } from '../../authentication/index.js'
import { rejection } from '../errors.js'
import { type Attempt, takeAttempt } from '../model/attempts.js'
import type { SsoDeps } from '../model/deps.js'
import { contextOfSecret, outboundTo, type Provider } from '../model/provider.js'
import { ProviderError, requireProviderError } from '../model/provider-error.js'
import { findAnyProvider } from '../model/repository.js'
import { callbackUrl } from '../providers/schema.js'
import {
  changeOf,
  completeSignIn,
  endingOf,
  FAILURE_KIND,
  rejectSignIn,
  type SsoOutcome,
} from '../sign-in/complete-sign-in.js'
import { rejectUnknown } from '../sign-in/reject-unknown.js'
import type { OidcMetadata } from './oidc-providers.js'
import { lacksClaims, readClaims } from './read-claims.js'
import { requestJson } from './request-json.js'
import { contextOfVerifier, unreachable } from './start-oidc.js'

/** The parameters with which the provider redirected the browser back. */
export interface AuthorizationResponse {
  state: string
  code: string | undefined
  iss: string | undefined
  error: string | undefined
  /** Token of the browser that must have started it; undefined to accept every browser. */
  browserToken: string | undefined
}

/** The outcome of a sign-in, with the page to return to. */
export type Finished = SsoOutcome & Pick<Attempt, 'returnTo' | 'testRun' | 'providerId'>

/**
 * Completes a sign-in with an OpenID provider. The state is consumed in its own transaction; then the provider is contacted outside of
 * any transaction; then one transaction does the rest.
 * @throws rate_limited
 */
export async function finishOidc(
  deps: SsoDeps,
  id: string,
  response: AuthorizationResponse,
  request: SignInRequest,
): Promise<Finished | { rejected: AppError }> {
  await admitSource(deps.accounts, FAILURE_KIND, request.origin)
  const begun = await takeBegun(deps, id, response)
  if (!begun) return rejectUnknown(deps, request, { providerId: id })
  const { attempt, provider } = begun
  const { returnTo, testRun, providerId } = attempt
  const outcome = await verifyResponse(deps, provider, attempt, response, request)
  return { ...outcome, returnTo, testRun, providerId }
}

async function takeBegun(
  { db, clock }: SsoDeps,
  id: string,
  { state, browserToken }: AuthorizationResponse,
): Promise<{ attempt: Attempt; provider: Provider } | undefined> {
  const providerId = parseId<SsoProviderId>(id)
  if (!providerId) return undefined
  return db.transaction(async (tx) => {
    const attempt = await takeAttempt(tx, clock, { state, kind: 'oidc', of: { providerId }, browserToken })
    const provider = attempt && (await findAnyProvider(tx, providerId))
    return provider && { attempt, provider }
  })
}

async function verifyResponse(
  deps: SsoDeps,
  provider: Provider,
  attempt: Attempt,
  response: AuthorizationResponse,
  request: SignInRequest,
): Promise<SsoOutcome> {
  const checks: Check[] = []
  const reject = (rejected: AppError) => {
    // The attempt is consumed, so at most one such failure is recorded per sign-in. It is the provider's if its signature is valid.
    const isOutsiders = !checks.some(({ id, status }) => id === 'signature' && status === 'ok')
    return rejectSignIn(deps, attempt, rejected, { checks, attributes: {} }, request, { isOutsiders })
  }
  const change = changeOf(provider, attempt)
  if (change) return reject(change)
  if (response.error !== undefined || response.code === undefined) {
    const found = shown(response.error)
    checks.push(check('answer', false, { detail: 'The provider returned an error', found }))
    return reject(rejection('sso_access_denied', { detail: `The provider returned ${found}` }))
  }
  try {
    const { idToken, userinfo } = await requestClaims(
      deps,
      provider,
      attempt,
      { ...response, code: response.code },
      checks,
    )
    const { statement, report } = readClaims(provider, idToken, userinfo)
    return await completeSignIn(
      deps,
      endingOf(attempt),
      statement,
      { checks: [...checks, ...report.checks], attributes: report.attributes },
      request,
    )
  } catch (error) {
    if (error instanceof TokenRejected) return reject(rejection('sso_token_invalid', { detail: error.message }))
    if (!(error instanceof ProviderError)) throw error
    checks.push(error.check)
    return reject(unreachable(error))
  }
}

/** A token of the provider failed a check. */
class TokenRejected extends Error {
  override readonly name = 'TokenRejected'
}

/** Returns the verified claims of the ID token, and those of userinfo if the ID token lacks some. @throws ProviderError, TokenRejected */
async function requestClaims(
  { clock, config, envelope, outbound, oidcProviders }: SsoDeps,
  provider: Provider,
  attempt: Attempt,
  { state, code, iss }: AuthorizationResponse & { code: string },
  checks: Check[],
): Promise<{ idToken: Claims; userinfo: Claims }> {
  const network = outboundTo(outbound, provider).together()
  // A concurrent sign-in may have started the same request with more time left: wait no longer than this sign-in's own limit.
  const published = <T>(id: string, work: Promise<T>): Promise<T> =>
    network.wait(work).catch((error: unknown) => {
      throw error instanceof OutboundError ? new ProviderError(id, error.message) : error
    })
  const metadata = await published('discovery', oidcProviders.metadataOf(provider))
  checks.push(verifyIss(provider, metadata, iss))
  throwFailed(checks)
  const { nonce, verifier } = attempt.payload as { nonce: string; verifier: string }
  const { idToken, accessToken } = await exchangeCode(network, metadata, {
    clientId: provider.oidcClientId ?? '',
    clientSecret: envelope.open(provider.oidcClientSecret ?? '', contextOfSecret(provider)).toString(),
    code,
    verifier: envelope.open(verifier, contextOfVerifier(state)).toString(),
    redirectUri: callbackUrl(config.baseUrl, provider),
  })
  const verdict = verifyIdToken({
    token: idToken,
    issuer: provider.oidcIssuer ?? '',
    clientId: provider.oidcClientId ?? '',
    nonce,
    accessToken,
    keys: await published('keys', oidcProviders.keysFor(provider, idToken)),
    now: clock.ms(),
  })
  checks.push(...verdict.checks)
  if (!verdict.accepted) throw new TokenRejected(failuresIn(checks))
  const claims = verdict.claims
  if (!metadata.userinfoEndpoint || !accessToken || !lacksClaims(provider, claims))
    return { idToken: claims, userinfo: {} }
  const userinfo = await requestJson(network, 'userinfo', metadata.userinfoEndpoint, {
    method: 'GET',
    headers: { authorization: `Bearer ${accessToken}` },
  }).catch(requireProviderError)
  if (userinfo instanceof ProviderError) {
    // A missing name does not block the sign-in, but a missing email address does for a new user.
    if (!readClaims(provider, claims, {}).statement.email) throw userinfo
    checks.push({ ...userinfo.check, status: 'skipped' })
    return { idToken: claims, userinfo: {} }
  }
  const { json } = userinfo
  // A different subject means another user (Core 5.3.2).
  const isSame = json.sub === claims.sub
  checks.push(check('userinfo', isSame, { expected: shown(claims.sub), found: shown(json.sub) }))
  throwFailed(checks)
  return { idToken: claims, userinfo: json }
}

/** Exchanges the code for tokens (RFC 6749 4.1.3, RFC 7636 4.5). The tokens are not verified yet. @throws ProviderError */
async function exchangeCode(
  outbound: Pick<TeamOutbound, 'send'>,
  { tokenEndpoint, authMethods }: Pick<OidcMetadata, 'tokenEndpoint' | 'authMethods'>,
  {
    clientId,
    clientSecret,
    code,
    verifier,
    redirectUri,
  }: Record<'clientId' | 'clientSecret' | 'code' | 'verifier' | 'redirectUri', string>,
): Promise<{ idToken: unknown; accessToken: string | undefined }> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  })
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  if (!authMethods || authMethods.includes('client_secret_basic')) {
    // RFC 6749 2.3.1: each part form-encoded first.
    const pair = [clientId, clientSecret].map((part) => new URLSearchParams({ _: part }).toString().slice(2))
    headers.authorization = `Basic ${Buffer.from(pair.join(':')).toString('base64')}`
  } else if (authMethods.includes('client_secret_post')) {
    form.set('client_id', clientId)
    form.set('client_secret', clientSecret)
  } else
    throw new ProviderError('token_endpoint', 'The token endpoint does not accept a client secret', {
      expected: 'client_secret_basic or client_secret_post',
      found: authMethods,
    })
  const { json } = await requestJson(outbound, 'token_endpoint', tokenEndpoint, {
    method: 'POST',
    headers,
    body: form.toString(),
  })
  const { id_token: idToken, access_token: accessToken } = json
  // A malformed token must not get into a header (RFC 6750 2.1).
  const isToken = typeof accessToken === 'string' && /^[\w.~+/-]+=*$/.test(accessToken)
  return { idToken, accessToken: isToken ? accessToken : undefined }
}

/** Verifies the `iss` parameter. A provider that declares support for it must send it in every response (RFC 9207 2.4). */
function verifyIss({ oidcIssuer }: Provider, { sendsIss }: OidcMetadata, iss: string | undefined): Check {
  if (iss === undefined && !sendsIss)
    return { id: 'answer_issuer', status: 'skipped', detail: 'The provider does not send the iss parameter' }
  const expected = oidcIssuer ?? ''
  return check('answer_issuer', iss === expected, { expected, found: shown(iss ?? 'nothing') })
}

const failuresIn = (checks: Check[]): string =>
  checks
    .filter(({ status }) => status === 'failed')
    .map(({ id }) => id)
    .join(', ')

/** @throws TokenRejected naming the failed checks */
function throwFailed(checks: Check[]): void {
  const failed = failuresIn(checks)
  if (failed) throw new TokenRejected(failed)
}
