import type { AppError } from '../../platform/app-error.js'
import { OutboundError } from '../../platform/http/outbound.js'
import { parseId, type SsoProviderId } from '../../platform/ids.js'
import { type Check, type Claims, shown, verifyIdToken } from '../../protocols/id-token/index.js'
import { readCompactJwt } from '../../protocols/jws/index.js'
import { admitSource, type SignInRequest } from '../authentication/index.js'
import { askProvider } from './ask-provider.js'
import { type Attempt, takeAttempt } from './attempts.js'
import { completeSignIn, endingOf, FAILURES, rejectSignIn, requireSame, type SsoOutcome } from './complete-sign-in.js'
import type { SsoDeps } from './deps.js'
import { rejection } from './errors.js'
import { exchangeCode } from './exchange-code.js'
import type { OidcMetadata } from './oidc-providers.js'
import { contextOfSecret, type Provider } from './provider.js'
import { ProviderFault } from './provider-fault.js'
import { lacksClaims, readClaims } from './read-claims.js'
import { rejectUnknown } from './reject-unknown.js'
import { findAnyProvider } from './repository.js'
import { callbackUrl } from './schema.js'
import { contextOfVerifier, faultOf, unreachable } from './start-oidc.js'

/** What the provider sent the browser back with. */
export interface OidcAnswer {
  state: string
  code: string | undefined
  iss: string | undefined
  error: string | undefined
  /** The browser that must have begun it; undefined where any may have. */
  browserToken: string | undefined
}

/** How it ended, and where the person was on their way to. */
export type Finished = SsoOutcome & Pick<Attempt, 'returnTo' | 'testRun' | 'providerId'>

/**
 * Ends a sign-in by a provider. The state is used up first, in a transaction of its own; then the network is asked, inside none; then
 * one transaction does everything else.
 * @throws rate_limited
 */
export async function finishOidc(
  deps: SsoDeps,
  id: string,
  answer: OidcAnswer,
  request: SignInRequest,
): Promise<Finished | { rejected: AppError }> {
  await admitSource(deps.accounts, FAILURES, request.origin)
  const begun = await takeBegun(deps, id, answer)
  if (!begun) return rejectUnknown(deps, request, { providerId: id })
  const { attempt, provider } = begun
  const { returnTo, testRun, providerId } = attempt
  const outcome = await verifyAnswer(deps, provider, attempt, answer, request)
  return { ...outcome, returnTo, testRun, providerId }
}

async function takeBegun(
  { db, clock }: SsoDeps,
  id: string,
  { state, browserToken }: OidcAnswer,
): Promise<{ attempt: Attempt; provider: Provider } | undefined> {
  const providerId = parseId<SsoProviderId>(id)
  if (!providerId) return undefined
  return db.transaction(async (tx) => {
    const attempt = await takeAttempt(tx, clock, { state, kind: 'oidc', of: { providerId }, browserToken })
    const provider = attempt && (await findAnyProvider(tx, providerId))
    return provider && { attempt, provider }
  })
}

async function verifyAnswer(
  deps: SsoDeps,
  provider: Provider,
  attempt: Attempt,
  answer: OidcAnswer,
  request: SignInRequest,
): Promise<SsoOutcome> {
  const checks: Check[] = []
  const reject = (rejected: AppError) => {
    // What comes of a code that was taken here once counts once, if it is the provider's.
    const isOutsiders = !checks.some(({ id, status }) => id === 'signature' && status === 'ok')
    return rejectSignIn(deps, attempt, rejected, { checks, attributes: {} }, request, { isOutsiders })
  }
  try {
    requireSame(provider, attempt)
  } catch (error) {
    return reject(error as AppError)
  }
  if (answer.error !== undefined || answer.code === undefined) {
    checks.push({
      id: 'answer',
      status: 'failed',
      detail: 'The provider ended the sign-in',
      found: shown(answer.error),
    })
    return reject(rejection('sso_access_denied', { detail: `The provider answered ${shown(answer.error)}` }))
  }
  try {
    const { idToken, userinfo } = await askForClaims(deps, provider, attempt, { ...answer, code: answer.code }, checks)
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
    if (!(error instanceof ProviderFault)) throw error
    checks.push(error.check)
    return reject(unreachable(error))
  }
}

/** A statement of the provider failed a check. */
class TokenRejected extends Error {
  override readonly name = 'TokenRejected'
}

/** The claims of a verified ID token, and those of userinfo where it may know more. @throws ProviderFault, TokenRejected */
async function askForClaims(
  { clock, config, envelope, outbound, oidcProviders }: SsoDeps,
  provider: Provider,
  attempt: Attempt,
  { state, code, iss }: OidcAnswer & { code: string },
  checks: Check[],
): Promise<{ idToken: Claims; userinfo: Claims }> {
  const network = outbound.ofTeam(provider.organizationId).together()
  // Others may be asking for the same at this moment, and have more time: this sign-in waits no longer than its own.
  const published = <T>(id: string, work: Promise<T>): Promise<T> =>
    network.wait(work).catch((error: unknown) => {
      throw error instanceof OutboundError ? new ProviderFault(id, error.message) : error
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
  const kid = typeof idToken === 'string' ? readCompactJwt(idToken)?.header.kid : undefined
  const verdict = verifyIdToken({
    token: idToken,
    issuer: provider.oidcIssuer ?? '',
    clientId: provider.oidcClientId ?? '',
    nonce,
    accessToken,
    keys: await published('keys', oidcProviders.keysOf(provider, kid)),
    now: clock.ms(),
  })
  checks.push(...verdict.checks)
  if (!verdict.accepted) throw new TokenRejected(failuresIn(checks))
  const claims = verdict.claims
  if (!metadata.userinfoEndpoint || !accessToken || !lacksClaims(provider, claims))
    return { idToken: claims, userinfo: {} }
  const asked = await askProvider(network, 'userinfo', metadata.userinfoEndpoint, {
    method: 'GET',
    headers: { authorization: `Bearer ${accessToken}` },
  }).catch((error: unknown) => faultOf(error))
  if (asked instanceof ProviderFault) {
    // Without an address nobody new comes in; a name that is missing is no reason to let nobody in.
    if (!readClaims(provider, claims, {}).statement.email) throw asked
    checks.push({ ...asked.check, status: 'skipped' })
    return { idToken: claims, userinfo: {} }
  }
  const { json } = asked
  // Core 5.3.2: else it may be about somebody else.
  const isSame = json.sub === claims.sub
  checks.push({ id: 'userinfo', status: isSame ? 'ok' : 'failed', expected: shown(claims.sub), found: shown(json.sub) })
  throwFailed(checks)
  return { idToken: claims, userinfo: json }
}

/** RFC 9207 2.4: a provider that names itself is named in every answer of its own. */
function verifyIss({ oidcIssuer }: Provider, { namesItself }: OidcMetadata, iss: string | undefined): Check {
  if (iss === undefined && !namesItself)
    return { id: 'answer_issuer', status: 'skipped', detail: 'It does not name itself' }
  const expected = oidcIssuer ?? ''
  return { id: 'answer_issuer', status: iss === expected ? 'ok' : 'failed', expected, found: shown(iss ?? 'nothing') }
}

const failuresIn = (checks: Check[]): string =>
  checks
    .filter(({ status }) => status === 'failed')
    .map(({ id }) => id)
    .join(', ')

/** @throws TokenRejected naming what failed */
function throwFailed(checks: Check[]): void {
  const failed = failuresIn(checks)
  if (failed) throw new TokenRejected(failed)
}
