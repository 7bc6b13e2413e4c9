import type { AppError } from '../../platform/app-error.js'
import { SECOND } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { parseId, type TeamId } from '../../platform/ids.js'
import type { Check } from '../../protocols/id-token/index.js'
import {
  type AssertionSubject,
  NAME_ID_FORMATS,
  type OpenedResponse,
  openResponse,
} from '../../protocols/saml/index.js'
import { admitSource, type SignInRequest } from '../authentication/index.js'
import { type Attempt, takeAttempt } from './attempts.js'
import {
  completeSignIn,
  type Ending,
  endingOf,
  FAILURES,
  rejectSignIn,
  requireSame,
  type SsoOutcome,
} from './complete-sign-in.js'
import type { SsoDeps } from './deps.js'
import { rejection } from './errors.js'
import type { Finished } from './finish-oidc.js'
import type { Provider } from './provider.js'
import { readAssertion } from './read-assertion.js'
import { rejectUnknown } from './reject-unknown.js'
import { findAnyProvider, findSamlProvider } from './repository.js'
import { readReturnPath } from './return-path.js'
import { acsUrl, spEntityId } from './saml-addresses.js'
import { takeMessage } from './seen-messages.js'
import { contextOfDevice, type SamlPayload } from './start-saml.js'

/** What a browser brings from a provider. */
export interface SamlAnswer {
  /** The form field, in base64. */
  response: string
  relayState: string | undefined
  /** The browser that must have begun it; undefined where any may have. */
  browserToken: string | undefined
}

/** Which sign-in a response is of, as far as it says so itself: the judge has to confirm it. */
interface Meant {
  provider: Provider
  ending: Ending
  /** The requests that it may answer; null where it may answer none. */
  asked: string[] | null
  returnTo: string | null
  /** The device cookie of the browser that began it, where this is that browser. */
  deviceToken?: string | undefined
  /** No sign-in that waits here is answered by it, so it may be anybody's. */
  isUnasked?: true
  /** It is refused whatever it says; it is judged for the report. */
  rejected?: AppError
}

/** Clocks that differ by so much agree. */
const TOLERANCE_SECONDS = 120
/** The last day that the database and the texts of times have. */
const END_OF_TIME = Date.UTC(9999, 11, 31)

/**
 * Ends a sign-in by a provider of SAML (Profiles 4.1.4.3). What it answers is used up first, in a transaction of its own; then the
 * response is judged; then the assertion is used up; then one transaction does everything else.
 * @throws rate_limited
 */
export async function finishSaml(
  deps: SsoDeps,
  orgId: string,
  answer: SamlAnswer,
  request: SignInRequest,
): Promise<(Finished & Pick<SignInRequest, 'deviceToken'>) | { rejected: AppError }> {
  await admitSource(deps.accounts, FAILURES, request.origin)
  const teamId = parseId<TeamId>(orgId)
  const opened = openResponse({ field: answer.response })
  const meant = teamId && (await deps.db.transaction((tx) => findMeant(tx, deps, teamId, opened.says, answer)))
  if (!meant) return rejectUnknown(deps, request, { orgId })
  const { ending, returnTo } = meant
  const deviceToken = request.deviceToken ?? meant.deviceToken
  const outcome = await verifyAnswer(deps, meant, opened, { ...request, deviceToken })
  const { providerId, testRun } = ending
  return { ...outcome, providerId, testRun, returnTo, deviceToken }
}

async function findMeant(
  tx: Transaction,
  deps: SsoDeps,
  teamId: TeamId,
  says: OpenedResponse['says'],
  { relayState, browserToken }: SamlAnswer,
): Promise<Meant | undefined> {
  const { clock } = deps
  const waiting = { kind: 'saml', of: { teamId } } as const
  if (!says) {
    // It names no request, and its provider is told: once, as of any answer.
    const attempt = relayState
      ? await takeAttempt(tx, clock, { ...waiting, state: relayState, browserToken })
      : undefined
    return attempt && meantBy(tx, attempt, [])
  }
  const { inResponseTo, issuer } = says
  if (inResponseTo !== undefined) {
    const attempt = await takeAttempt(tx, clock, { ...waiting, state: inResponseTo, browserToken })
    if (attempt) {
      const meant = await meantBy(tx, attempt, [inResponseTo])
      const isBound = browserToken !== undefined
      return meant && { ...meant, deviceToken: isBound ? deviceOf(deps, attempt, inResponseTo) : undefined }
    }
  }
  const provider = issuer === undefined ? undefined : await findSamlProvider(tx, teamId, issuer)
  return provider && unasked(deps, provider, inResponseTo, relayState)
}

async function meantBy(tx: Transaction, attempt: Attempt, asked: string[]): Promise<Meant | undefined> {
  const provider = await findAnyProvider(tx, attempt.providerId)
  return provider && { provider, ending: endingOf(attempt), asked, returnTo: attempt.returnTo }
}

/** What no waiting sign-in is answered by: a sign-in that began at the provider, or an answer that is over. */
function unasked(
  { config, clock }: SsoDeps,
  provider: Provider,
  inResponseTo: string | undefined,
  relayState: string | undefined,
): Meant {
  const ending = {
    providerId: provider.id,
    providerVersion: provider.version,
    testRun: null,
    maxAge: undefined,
    begunAt: clock.ms(),
    isCounted: false,
  }
  const base = { provider, ending, returnTo: null, isUnasked: true } as const
  if (inResponseTo !== undefined) return { ...base, asked: [], rejected: rejection('sso_state_invalid') }
  if (!provider.allowIdpInitiated) return { ...base, asked: [], rejected: rejection('sso_idp_initiated') }
  // Providers let their administrators write there where people are to go on to.
  const returnTo = (relayState && readReturnPath(relayState, config.frontendUrl)) || null
  return { ...base, asked: null, returnTo }
}

function deviceOf({ envelope }: SsoDeps, { payload }: Attempt, requestId: string): string | undefined {
  const { device } = payload as SamlPayload
  return device === undefined ? undefined : envelope.open(device, contextOfDevice(requestId)).toString()
}

async function verifyAnswer(
  deps: SsoDeps,
  { provider, ending, asked, isUnasked, rejected }: Meant,
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
    inResponseTo: asked,
    require: provider.samlRequiredSignature,
    decryptionKeys: keys?.decryption ?? [],
  })
  // Whoever knows what a provider is called can send this: its recorder is not theirs to fill.
  if (isUnasked && verdict.checks.some(({ id, status }) => id === 'signature' && status === 'failed'))
    return rejectUnknown(deps, request, { orgId: teamId })
  const isOutsiders = isUnasked || !isAnswered(verdict.checks)
  const reject = (rejected: AppError) =>
    rejectSignIn(deps, ending, rejected, { checks, attributes: {} }, request, { isOutsiders })
  try {
    requireSame(provider, ending)
  } catch (error) {
    return reject(error as AppError)
  }
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
  if (!(await useAssertion(deps, provider, verdict.subject))) {
    checks.push({ id: 'used_once', status: 'failed', detail: 'The assertion was used already' })
    return reject(rejection('sso_state_invalid', { detail: 'The assertion was used already' }))
  }
  return completeSignIn(deps, ending, statement, whole, request)
}

/** The provider signed it, and for this very request: any other that it once signed can be sent as often as one likes. */
const isAnswered = (checks: readonly Check[]): boolean =>
  ['signature', 'in_response_to'].every((wanted) => checks.some(({ id, status }) => id === wanted && status === 'ok'))

const useAssertion = (
  { db }: SsoDeps,
  { id: providerId }: Provider,
  { assertionId: id, notOnOrAfter }: AssertionSubject,
): Promise<boolean> => {
  const until = new Date(Math.min(notOnOrAfter + TOLERANCE_SECONDS * SECOND, END_OF_TIME))
  return db.transaction((tx) => takeMessage(tx, { providerId, id, until }))
}

const LONGEST_DETAIL = 1_000

/** In words, for the administrators: what is wrong, and by how much. */
function rejectionOf(checks: readonly Check[]): AppError {
  const failed = checks.filter(({ status }) => status === 'failed')
  const detail = failed.map(({ id, detail = 'failed' }) => `${id}: ${detail}`).join('; ')
  const code = failed.some(({ id }) => id === 'status') ? 'sso_access_denied' : 'sso_token_invalid'
  return rejection(code, { detail: detail.slice(0, LONGEST_DETAIL) })
}
