import { AppError } from '../../../platform/app-error.js'
import { fromNow, MINUTE } from '../../../platform/clock.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import { parseId, type SessionId, type TeamId } from '../../../platform/ids.js'
import {
  type BoundMessage,
  type Check,
  failuresIn,
  type LogoutRequest,
  type OpenedLogout,
  openLogout,
  rejectionFacts,
} from '../../../protocols/saml/index.js'
import { admitSource, countSourceFailure, logForUnverified } from '../../authentication/index.js'
import { rejection } from '../errors.js'
import { takeAttempt } from '../model/attempts.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider } from '../model/provider.js'
import { samlProvidersNamed } from '../model/repository.js'
import { sloUrl, spEntityId } from '../model/saml-urls.js'
import { consumeMessage } from '../model/seen-messages.js'
import { FAILURE_KIND } from '../sign-in/complete-sign-in.js'
import { endNamedSessions } from './end-named-sessions.js'
import { type AfterSignOut, addressOf, type WaitingLogout } from './leave-by-provider.js'
import { type Answerable, type BrowserResponse, respondToLogout, signedOutPage } from './logout-messages.js'
import { storeResumed } from './resumed-logout.js'
import { matchesRequest } from './saml-sessions.js'

/** Longer than a LogoutRequest is accepted. */
const REMEMBERED = 15 * MINUTE

/** A longer one would be stored while the browser visits the applications. */
const MAX_RELAY_STATE_LENGTH = 2_048

/**
 * Ends exactly the sessions that a provider's LogoutRequest names, with their grants to applications (Profiles 4.4.3.3). The browser
 * visits the SAML applications of these sessions before the provider gets its response. A repeated request ends nothing but gets the same
 * response, at once. Counts a rejected message against its source.
 * @throws rate_limited, sso_logout_invalid for an invalid message, and for an unknown team or provider
 */
export async function handleLogoutRequest(
  deps: SsoDeps,
  orgId: string,
  message: BoundMessage,
  origin: RequestOrigin,
): Promise<BrowserResponse> {
  await admitSource(deps.accounts, FAILURE_KIND, origin)
  try {
    const { provider, request } = await verifyRequest(deps, orgId, message, origin)
    const { id: requestId, relayState } = request
    const answerable = { binding: message.binding, requestId, relayState }
    const ended = await endOnce(deps, provider, request, origin)
    const redirectTo = ended.length > 0 ? await leaveApplicationsOf(deps, ended, provider, answerable, origin) : null
    return redirectTo === null ? await respondToLogout(deps, provider, answerable, false, origin) : { redirectTo }
  } catch (error) {
    if (error instanceof AppError && error.status === 400)
      await countSourceFailure(deps.db, deps.accounts, FAILURE_KIND, origin)
    throw error
  }
}

/** Returns the URL of the first SAML application of the ended sessions; null if there is none. The last one leads to the response. */
const leaveApplicationsOf = (
  deps: SsoDeps,
  sessions: SessionId[],
  provider: Provider,
  respond: Answerable,
  origin: RequestOrigin,
): Promise<string | null> =>
  deps.leaveApplications(
    sessions,
    async () => {
      const goesOn = await deps.db.transaction((tx) => storeResumed(tx, deps, provider, { respond }))
      const { frontendUrl } = deps.config
      // The provider was just deleted.
      if (goesOn === undefined)
        return { goesOn: signedOutPage(frontendUrl), ifPartial: signedOutPage(frontendUrl, 'saml_logout_incomplete') }
      return { goesOn, ifPartial: `${goesOn}&partial=true` }
    },
    origin,
  )

/** @throws sso_logout_invalid */
async function verifyRequest(
  deps: SsoDeps,
  orgId: string,
  message: BoundMessage,
  origin: RequestOrigin,
): Promise<{ provider: Provider; request: LogoutRequest }> {
  const opened = openLogout(message)
  let first: { provider: Provider; checks: Check[] } | undefined
  for (const provider of await issuingProviders(deps, orgId, opened)) {
    const verdict = opened.verifyRequest(expectedOf(deps, provider))
    if (verdict.accepted) {
      const { request } = verdict
      if (Buffer.byteLength(request.relayState ?? '') > MAX_RELAY_STATE_LENGTH)
        throw rejection('sso_logout_invalid', { detail: `RelayState is longer than ${MAX_RELAY_STATE_LENGTH} bytes` })
      return { provider, request }
    }
    first ??= { provider, checks: verdict.checks }
  }
  if (first) await recordRejectedRequest(deps, first.provider, first.checks, origin)
  const detail = first ? failuresIn(first.checks) : 'The message is not from a provider of this team, or cannot be read'
  throw rejection('sso_logout_invalid', { detail })
}

/** Records a rejected LogoutRequest for the team's administrators, a limited number of them: a third party can send any number. */
const recordRejectedRequest = (
  { db, audit, accounts }: SsoDeps,
  { id, organizationId }: Provider,
  checks: readonly Check[],
  origin: RequestOrigin,
): Promise<void> =>
  db.transaction(async (tx) => {
    const teamId = await logForUnverified(tx, accounts, organizationId)
    await audit.record(tx, { userId: null, teamId, origin }, 'sso_identity.signed_out', {
      result: 'FAILURE',
      resource: `sso_provider:${id}`,
      metadata: { provider: id, reason: 'sso_logout_invalid', ...rejectionFacts(checks) },
    })
  })

/** Returns the team's providers with the issuer of the message. */
async function issuingProviders({ db }: SsoDeps, orgId: string, { unverified }: OpenedLogout): Promise<Provider[]> {
  const teamId = parseId<TeamId>(orgId)
  const issuer = unverified?.issuer
  return teamId && issuer !== undefined ? db.transaction((tx) => samlProvidersNamed(tx, teamId, issuer)) : []
}

const expectedOf = ({ clock, config }: SsoDeps, provider: Provider) => ({
  now: clock.ms(),
  issuer: provider.samlEntityId ?? '',
  destinations: [sloUrl(config.baseUrl, provider.organizationId)],
  certificates: provider.samlCertificates,
  requiresDestination: true,
})

/** Returns the ended sessions. A repeated request must not end sessions that started after the first one. */
async function endOnce(
  deps: SsoDeps,
  provider: Provider,
  request: LogoutRequest,
  origin: RequestOrigin,
): Promise<SessionId[]> {
  const { db, clock, config } = deps
  const { id: providerId, organizationId, samlEntityId } = provider
  return db.transaction(async (tx) => {
    const message = { providerId, id: `logout ${request.id}`, until: fromNow(clock, REMEMBERED) }
    if (!(await consumeMessage(tx, message))) return []
    const parties = { idpEntityId: samlEntityId ?? '', spEntityId: spEntityId(config.baseUrl, organizationId) }
    return endNamedSessions(tx, deps, provider, (known) => matchesRequest(request, parties, known), origin)
  })
}

/**
 * Handles the provider's response to a sign-out that started here. The session has already ended; only the page that the user sees
 * depends on the response. Counts an invalid message against its source.
 * @throws rate_limited
 */
export async function handleLogoutResponse(
  deps: SsoDeps,
  orgId: string,
  message: BoundMessage,
  origin: RequestOrigin,
): Promise<BrowserResponse> {
  await admitSource(deps.accounts, FAILURE_KIND, origin)
  const { error, after } = await outcomeOf(deps, orgId, message)
  if (error === 'sso_logout_invalid') await countSourceFailure(deps.db, deps.accounts, FAILURE_KIND, origin)
  // An incomplete sign-out is shown on the signed-out page, not on the requested one.
  return { redirectTo: addressOf(deps.config.frontendUrl, after, error) }
}

async function outcomeOf(
  deps: SsoDeps,
  orgId: string,
  message: BoundMessage,
): Promise<{ error?: string | undefined; after: AfterSignOut }> {
  const unknown = { error: 'sso_logout_invalid', after: { returnTo: null } }
  const opened = openLogout(message)
  const state = opened.unverified?.inResponseTo
  if (state === undefined) return unknown
  for (const provider of await issuingProviders(deps, orgId, opened)) {
    const verdict = opened.verifyResponse({ ...expectedOf(deps, provider), inResponseTo: [state] })
    if (!verdict.accepted) continue
    const waiting = { state, kind: 'saml_logout', of: { providerId: provider.id }, browserToken: undefined } as const
    const taken = await deps.db.transaction((tx) => takeAttempt(tx, deps.clock, waiting))
    if (!taken) continue
    const { registered, ifPartial, partial } = taken.payload as WaitingLogout
    const after = registered === undefined ? { returnTo: taken.returnTo } : { registered, ifPartial }
    if (!verdict.response.success) return { error: 'sso_logout_incomplete', after }
    return { error: partial ? 'saml_logout_incomplete' : undefined, after }
  }
  return unknown
}
