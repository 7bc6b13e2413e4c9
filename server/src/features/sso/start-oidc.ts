import { createHash } from 'node:crypto'
import type { AppError } from '../../platform/app-error.js'
import { MINUTE } from '../../platform/clock.js'
import { randomToken } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import { parseId, type SsoSignInId } from '../../platform/ids.js'
import { admitSource, type SignInRequest } from '../accounts/index.js'
import { beginAttempt } from './attempts.js'
import { FAILURES, refuseSignIn } from './complete-sign-in.js'
import type { SsoDeps } from './deps.js'
import { refusal } from './errors.js'
import type { Provider } from './provider.js'
import { ProviderFault } from './provider-fault.js'
import { findTest } from './recorder.js'
import { findAnyProvider } from './repository.js'
import { callbackUrl } from './schema.js'

export interface Start {
  /** A path of our pages, judged. */
  returnTo: string | null
  loginHint: string | undefined
  /** The test that this is. */
  test: string | undefined
  browserToken: string
}

/** Where the verifier of a sign-in is sealed to. */
export const contextOfVerifier = (state: string): string => `sso-attempt:${tokenHash(state).toString('hex')}`

/**
 * Sends a browser to the provider (OpenID Connect Core 3.1.2.1), with PKCE, a state and a nonce of 256 bits each.
 * @returns the address, or why it leads nowhere
 * @throws sso_provider_not_found, sso_run_not_found, rate_limited
 */
export async function startOidc(
  deps: SsoDeps,
  id: string,
  { returnTo, loginHint, test, browserToken }: Start,
  request: SignInRequest,
): Promise<{ location: string } | { refused: AppError }> {
  const { db, clock, config, envelope, oidcProviders } = deps
  await admitSource(deps.accounts, FAILURES, request.origin)
  const { provider, testRun } = await findStart(deps, id, test)
  if (!provider.enabled && !testRun) return { refused: refusal('sso_provider_disabled') }
  const ending = { providerId: provider.id, providerVersion: provider.version, testRun }
  const metadata = await oidcProviders.metadataOf(provider).catch((error: unknown) => faultOf(error))
  if (metadata instanceof ProviderFault)
    return refuseSignIn(deps, ending, unreachable(metadata), { checks: [metadata.check], attributes: {} }, request)

  const [state, nonce, verifier] = [randomToken(), randomToken(), randomToken()]
  await db.transaction((tx) =>
    beginAttempt(tx, clock, {
      ...ending,
      kind: 'oidc',
      state,
      browserToken,
      returnTo,
      payload: { nonce, verifier: envelope.seal(verifier, contextOfVerifier(state)) },
    }),
  )
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
  }
  for (const [name, value] of Object.entries(params)) location.searchParams.set(name, value)
  return { location: location.href }
}

async function findStart(
  { db, clock }: Pick<SsoDeps, 'db' | 'clock'>,
  id: string,
  test: string | undefined,
): Promise<{ provider: Provider; testRun: SsoSignInId | null }> {
  return db.transaction(async (tx) => {
    const provider = await findAnyProvider(tx, id)
    if (provider?.protocol !== 'OIDC') throw refusal('sso_provider_not_found')
    if (test === undefined) return { provider, testRun: null }
    const run = parseId<SsoSignInId>(test)
    const found = run && (await findTest(tx, provider.id, run))
    const waits = found?.outcome === null && clock.ms() - found.createdAt.getTime() < TEST_LIFE
    if (!found || !waits) throw refusal('sso_run_not_found')
    return { provider, testRun: found.id }
  })
}

const TEST_LIFE = 10 * MINUTE

/** @throws what is no fault of the provider */
export function faultOf(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error
  throw error
}

export const unreachable = ({ message, check }: ProviderFault): AppError =>
  refusal('sso_provider_unreachable', { detail: `${check.id}: ${message}` })
