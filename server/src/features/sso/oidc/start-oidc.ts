import { createHash } from 'node:crypto'
import type { AppError } from '../../../platform/app-error.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { SsoProviderId, SsoSignInId } from '../../../platform/ids.js'
import { admitSource, type SignInRequest } from '../../authentication/index.js'
import { rejection } from '../errors.js'
import type { SsoDeps } from '../model/deps.js'
import { ProviderError, requireProviderError } from '../model/provider-error.js'
import { callbackUrl } from '../providers/schema.js'
import { FAILURE_KIND, rejectSignIn } from '../sign-in/complete-sign-in.js'
import { beginSignIn, findStart, type Start } from '../sign-in/find-start.js'
import { rejectUnknown } from '../sign-in/reject-unknown.js'

/** A sign-in that could not start, and the test that it was. */
type NotBegun = { rejected: AppError; testRun?: SsoSignInId | null; providerId?: SsoProviderId }

/** The encryption context of the PKCE verifier. */
export const contextOfVerifier = (state: string): string => `sso-attempt:${tokenHash(state).toString('hex')}`

/**
 * Builds the authorization request to the provider (OpenID Connect Core 3.1.2.1), with PKCE, and a state and a nonce of 256 bits each.
 * @returns the URL, or the rejection
 * @throws sso_provider_not_found, sso_run_not_found, rate_limited
 */
export async function startOidc(
  deps: SsoDeps,
  id: string,
  { returnTo, loginHint, maxAge, test, browserToken }: Start,
  request: SignInRequest,
): Promise<{ location: string } | NotBegun> {
  const { config, envelope, oidcProviders } = deps
  await admitSource(deps.accounts, FAILURE_KIND, request.origin)
  const { provider, testRun } = await findStart(deps, { protocol: 'OIDC', id, test })
  if (!provider.enabled && !testRun)
    return rejectUnknown(deps, request, { providerId: provider.id }, rejection('sso_provider_disabled'))
  const ending = { providerId: provider.id, providerVersion: provider.version, testRun }
  const metadata = await oidcProviders.metadataOf(provider).catch(requireProviderError)
  if (metadata instanceof ProviderError) {
    const report = { checks: [metadata.check], attributes: {} }
    const { rejected } = await rejectSignIn(deps, ending, unreachable(metadata), report, request, { isOutsiders: true })
    // A test always ends on the page of its report.
    return { rejected, testRun, providerId: provider.id }
  }

  const [state, nonce, verifier] = [randomToken(), randomToken(), randomToken()]
  const payload = { nonce, verifier: envelope.seal(verifier, contextOfVerifier(state)), maxAge }
  const attempt = { ...ending, kind: 'oidc', state, browserToken, returnTo, payload } as const
  await beginSignIn(deps, attempt, request.origin)
  const location = new URL(metadata.authorizationEndpoint)
  const params = {
    response_type: 'code',
    client_id: provider.oidcClientId ?? '',
    redirect_uri: callbackUrl(config.baseUrl, provider),
    scope: provider.oidcScopes.join(' '),
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(loginHint && { login_hint: loginHint }),
    // max_age requires the auth_time claim (Core 3.1.2.1). Some providers support only max_age, others only prompt.
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
    ...(maxAge === 0 && { prompt: 'login' }),
  }
  for (const [name, value] of Object.entries(params)) location.searchParams.set(name, value)
  return { location: location.href }
}

export const unreachable = ({ message, check }: ProviderError): AppError =>
  rejection('sso_provider_unreachable', { detail: `${check.id}: ${message}` })
