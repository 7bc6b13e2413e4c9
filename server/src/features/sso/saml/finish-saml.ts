import type { AppError } from '../../../platform/app-error.js'
import { SECOND } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { parseId, type TeamId } from '../../../platform/ids.js'
import type { Check } from '../../../protocols/id-token/index.js'
import {
  type AssertionSubject,
  failuresIn,
  NAME_ID_FORMATS,
  type OpenedResponse,
  openResponse,
} from '../../../protocols/saml/index.js'
import { admitSource, type SignInRequest } from '../../authentication/index.js'
import { rejection } from '../errors.js'
import { type Attempt, takeAttempt } from '../model/attempts.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider } from '../model/provider.js'
import { findAnyProvider, findSamlProvider } from '../model/repository.js'
import { acsUrl, spEntityId } from '../model/saml-urls.js'
import { consumeMessage } from '../model/seen-messages.js'
import type { Finished } from '../oidc/finish-oidc.js'
import {
  changeOf,
  completeSignIn,
  type Ending,
  endingOf,
  FAILURE_KIND,
  rejectSignIn,
  type SsoOutcome,
} from '../sign-in/complete-sign-in.js'
import { rejectUnknown } from '../sign-in/reject-unknown.js'
import { readReturnPath } from '../sign-in/start-query.js'
import { readAssertion } from './read-assertion.js'
import { contextOfDevice, type SamlPayload } from './start-saml.js'

/** The form that a browser posts on behalf of a provider. */
export interface PostedResponse {
  /** The form field, in base64. */
  response: string
  relayState: string | undefined
  /** Token of the browser that must have started it; undefined to accept every browser. */
  browserToken: string | undefined
}

/** The sign-in that a response claims to answer. The verifier must confirm the claim. */
interface ClaimedSignIn {
  provider: Provider
  ending: Ending
  /** IDs of the requests that it may answer; null for an unsolicited response. */
  requestIds: string[] | null
  returnTo: string | null
  /** The device cookie of the browser that started the sign-in, if it is this browser. */
  deviceToken?: string | undefined
  /** No pending sign-in matches, so a third party may have sent it. */
  isUnsolicited?: true
  /** The response is rejected with this error in any case; it is verified only for the report. */
  rejected?: AppError
}

/** Accepted clock difference. */

const TOLERANCE_SECONDS = 120
/** The last day that the database and ISO 8601 timestamps can represent. */
const END_OF_TIME = Date.UTC(9999, 11, 31)

/**
 * Completes a sign-in with a SAML provider (Profiles 4.1.4.3). The attempt is consumed in its own transaction; then the response is
 * verified; then the assertion is consumed; then one transaction does the rest.
 * @throws rate_limited
 */
export async function finishSaml(
  deps: SsoDeps,
  orgId: string,
  posted: PostedResponse,
  request: SignInRequest,
): Promise<(Finished & Pick<SignInRequest, 'deviceToken'>) | { rejected: AppError }> {
  await admitSource(deps.accounts, FAILURE_KIND, request.origin)
  const teamId = parseId<TeamId>(orgId)
  const opened = openResponse({ field: posted.response })
  const claimed =
    teamId && (await deps.db.transaction((tx) => findClaimedSignIn(tx, deps, teamId, opened.unverified, posted)))
  if (!claimed) return rejectUnknown(deps, request, { orgId })
  const { ending, returnTo } = claimed
  const deviceToken = request.deviceToken ?? claimed.deviceToken
  const outcome = await verifyResponse(deps, claimed, opened, { ...request, deviceToken })
  const { providerId, testRun } = ending
  return { ...outcome, providerId, testRun, returnTo, deviceToken }
}

async function findClaimedSignIn(
  tx: Transaction,
  deps: SsoDeps,
  teamId: TeamId,
  unverified: OpenedResponse['unverified'],
  { relayState, browserToken }: PostedResponse,
): Promise<ClaimedSignIn | undefined> {
  const { clock } = deps
  const waiting = { kind: 'saml', of: { teamId } } as const
  if (!unverified) {
    // The response names no request. RelayState finds the attempt, so that its provider's log gets the failure.
    const attempt = relayState
      ? await takeAttempt(tx, clock, { ...waiting, state: relayState, browserToken })
      : undefined
    return attempt && claimedBy(tx, attempt, [])
  }
  const { inResponseTo, issuer } = unverified
  if (inResponseTo !== undefined) {
    const attempt = await takeAttempt(tx, clock, { ...waiting, state: inResponseTo, browserToken })
    if (attempt) {
      const claimed = await claimedBy(tx, attempt, [inResponseTo])
      const isBound = browserToken !== undefined
      return claimed && { ...claimed, deviceToken: isBound ? deviceOf(deps, attempt, inResponseTo) : undefined }
    }
  }
  const provider = issuer === undefined ? undefined : await findSamlProvider(tx, teamId, issuer)
  return provider && unsolicited(deps, provider, inResponseTo, relayState)
}

async function claimedBy(tx: Transaction, attempt: Attempt, requestIds: string[]): Promise<ClaimedSignIn | undefined> {
  const provider = await findAnyProvider(tx, attempt.providerId)
  return provider && { provider, ending: endingOf(attempt), requestIds, returnTo: attempt.returnTo }
}

/** Handles a response without a pending sign-in: an IdP-initiated sign-in, or a late or repeated response. */
function unsolicited(
  { config, clock }: SsoDeps,
  provider: Provider,
  inResponseTo: string | undefined,
  relayState: string | undefined,
): ClaimedSignIn {
  const ending = {
    providerId: provider.id,
    providerVersion: provider.version,
    testRun: null,
    maxAge: undefined,
    begunAt: clock.ms(),
    isCounted: false,
  }
  const base = { provider, ending, returnTo: null, isUnsolicited: true } as const
  if (inResponseTo !== undefined) return { ...base, requestIds: [], rejected: rejection('sso_state_invalid') }
  if (!provider.allowIdpInitiated) return { ...base, requestIds: [], rejected: rejection('sso_idp_initiated') }
  // Many identity providers let administrators configure the target page as RelayState.
  const returnTo = (relayState && readReturnPath(relayState, config.frontendUrl)) || null
  return { ...base, requestIds: null, returnTo }
}

function deviceOf({ envelope }: SsoDeps, { payload }: Attempt, requestId: string): string | undefined {
  const { device } = payload as SamlPayload
  return device === undefined ? undefined : envelope.open(device, contextOfDevice(requestId)).toString()
}

async function verifyResponse(
  deps: SsoDeps,
  { provider, ending, requestIds, isUnsolicited, rejected }: ClaimedSignIn,
  opened: OpenedResponse,
  request: SignInRequest,
): Promise<SsoOutcome> {
  const { db, clock, config, samlKeys } = deps
  const checks: Check[] = []
  const { organizationId: teamId } = provider
  const keys = await samlKeys.read(db, { teamId, applicationId: null })
  const spEntity = spEntityId(config.baseUrl, teamId)
  const verdict = opened.verify({
    now: clock.ms(),
    toleranceSeconds: TOLERANCE_SECONDS,
    idpEntityId: provider.samlEntityId ?? '',
    certificates: provider.samlCertificates,
    spEntityId: spEntity,
    acsUrl: acsUrl(config.baseUrl, teamId),
    inResponseTo: requestIds,
    require: provider.samlRequiredSignature,
    decryptionKeys: keys?.decryption ?? [],
  })
  // Anyone who knows the entity ID can send this; do not let them fill the provider's sign-in log.
  if (isUnsolicited && verdict.checks.some(({ id, status }) => id === 'signature' && status === 'failed'))
    return rejectUnknown(deps, request, { orgId: teamId }, undefined, verdict.checks)
  const isOutsiders = isUnsolicited || !isAnswered(verdict.checks)
  const reject = (rejected: AppError) =>
    rejectSignIn(deps, ending, rejected, { checks, attributes: {} }, request, { isOutsiders })
  const change = changeOf(provider, ending)
  if (change) return reject(change)
  checks.push(...verdict.checks)
  if (rejected) return reject(rejected)
  if (!verdict.accepted) return reject(rejectionOf(checks))
  const { statement, report } = readAssertion(provider, spEntity, verdict.subject)
  const whole = { checks: [...checks, ...report.checks], attributes: report.attributes }
  if (!statement) {
    const isUnstable = verdict.subject.nameIdFormat === NAME_ID_FORMATS.transient
    const without = isUnstable ? rejection('sso_subject_unstable') : rejectionOf(report.checks)
    return rejectSignIn(deps, ending, without, whole, request, { isOutsiders })
  }
  if (!(await consumeAssertion(deps, provider, verdict.subject))) {
    checks.push({ id: 'used_once', status: 'failed', detail: 'The assertion has already been used' })
    return reject(rejection('sso_state_invalid', { detail: 'The assertion has already been used' }))
  }
  return completeSignIn(deps, ending, statement, whole, request)
}

/** Whether the provider signed it for this very request: any other signed response can be replayed without limit. */
const isAnswered = (checks: readonly Check[]): boolean =>
  ['signature', 'in_response_to'].every((wanted) => checks.some(({ id, status }) => id === wanted && status === 'ok'))

const consumeAssertion = (
  { db }: SsoDeps,
  { id: providerId }: Provider,
  { assertionId: id, notOnOrAfter }: AssertionSubject,
): Promise<boolean> => {
  const until = new Date(Math.min(notOnOrAfter + TOLERANCE_SECONDS * SECOND, END_OF_TIME))
  return db.transaction((tx) => consumeMessage(tx, { providerId, id, until }))
}

const MAX_DETAIL_LENGTH = 1_000

/** Returns the error with all failed checks in its detail, for administrators. */
function rejectionOf(checks: readonly Check[]): AppError {
  const failed = checks.filter(({ status }) => status === 'failed')
  const detail = failuresIn(failed)
  const code = failed.some(({ id }) => id === 'status') ? 'sso_access_denied' : 'sso_token_invalid'
  return rejection(code, { detail: detail.slice(0, MAX_DETAIL_LENGTH) })
}
