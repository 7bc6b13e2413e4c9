import { AppError } from '../../../platform/app-error.js'
import { fromNow, MINUTE } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { ApplicationId, SessionId } from '../../../platform/ids.js'
import {
  type BoundMessage,
  type Check,
  failuresIn,
  type LogoutRequest,
  openLogout,
  rejectionFacts,
} from '../../../protocols/saml/index.js'
import { logForUnverified } from '../../authentication/index.js'
import { admitClientSource, countClientFailure } from '../../oidc-provider/index.js'
import { endSessions } from '../../sessions/index.js'
import { isNotifiedOfEnd } from '../../sso/index.js'
import { rejection } from '../errors.js'
import type { SamlProviderDeps } from '../model/deps.js'
import {
  addressesOf,
  findExistingServiceProvider,
  findServiceProvider,
  type ServiceProvider,
} from '../model/service-provider.js'
import { applicationsToNotify } from './leave-applications.js'
import { type BrowserResponse, type NextMessage, nextMessage, writeMessage } from './logout-messages.js'
import { namedSessions } from './named-sessions.js'
import { type RequestedLogout, takeLogout } from './stored-logout.js'
import { confirmSignOut, resumeSignOut } from './waiting-sign-out.js'

export interface SignOutBrowser {
  ssoToken: string | undefined
  origin: RequestOrigin
}

/** `isSessionEnded`: the session of the browser's own cookie has ended. */
export type SignOutResult = BrowserResponse & { isSessionEnded: boolean }

const removeSessions = namedQuery<never, [ApplicationId, SessionId[]]>(
  'saml_provider.forget_sessions',
  'DELETE FROM saml_sessions WHERE application_id = $1 AND session_id = ANY($2)',
)

// Each message is accepted once.
const insertHandled = namedQuery<{ hash: Buffer }, [ApplicationId, Buffer, Date]>(
  'saml_provider.hear_logout',
  `INSERT INTO saml_heard_logouts (application_id, hash, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING hash`,
)

/** Longer than a LogoutRequest is accepted. */
const HANDLED_MESSAGE_LIFETIME = 15 * MINUTE

/** A message of an application, or the continuation after the user's confirmation or after the provider of the session. */
export type IncomingSignOut =
  | (BoundMessage & { isResponse: boolean; token: string | undefined })
  | { resume: string; partial: boolean }

interface Outcome {
  next: NextMessage
  isSessionEnded: boolean
}

/**
 * Handles single logout (Profiles 4.4). A LogoutRequest ends the sessions that it names; the browser then visits the other applications of
 * those sessions, and the provider that started its own session. A LogoutResponse continues to the next application. An unsigned request
 * ends nothing before the user has confirmed it, because any page of the web can send it. Counts a rejected message against its source.
 * @throws application_not_found, saml_request_invalid, saml_request_not_found, rate_limited
 */
export async function signOutFrom(
  deps: SamlProviderDeps,
  appId: string,
  incoming: IncomingSignOut,
  browser: SignOutBrowser,
): Promise<SignOutResult> {
  const { db } = deps
  const { origin } = browser
  await admitClientSource(db, deps, origin)
  try {
    const sp = await findServiceProvider(db, appId)
    const { next, isSessionEnded } = await outcomeOf(deps, sp, incoming, browser)
    return { ...(await writeMessage(deps, next, origin)), isSessionEnded }
  } catch (error) {
    if (error instanceof AppError && (error.status === 400 || error.status === 404))
      await db.transaction((tx) => countClientFailure(tx, deps, origin))
    throw error
  }
}

async function outcomeOf(
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  incoming: IncomingSignOut,
  browser: SignOutBrowser,
): Promise<Outcome> {
  if ('resume' in incoming) return { next: await resumeSignOut(deps, sp, incoming), isSessionEnded: false }
  if (incoming.isResponse)
    return { next: await handleResponse(deps, sp, incoming, incoming.token ?? ''), isSessionEnded: false }
  const requiresDestination = sp.certificate !== null
  const verdict = openLogout(incoming).verifyRequest({ ...expected(deps, sp), requiresDestination })
  if (!verdict.accepted) {
    await recordRejectedRequest(deps, sp, verdict.checks, browser.origin)
    throw rejection('saml_request_invalid', { detail: failuresIn(verdict.checks) })
  }
  const { request } = verdict
  const requested = { requestId: request.id, relayState: request.relayState ?? null, binding: incoming.binding }
  return deps.db.transaction(async (tx) =>
    sp.certificate === null
      ? { next: await confirmSignOut(tx, deps, sp, request, requested, browser.ssoToken), isSessionEnded: false }
      : endNamed(tx, deps, sp, request, requested, browser),
  )
}

/** Records a rejected LogoutRequest for the team's administrators, a limited number of them: a third party can send any number. */
const recordRejectedRequest = (
  deps: SamlProviderDeps,
  { id, teamId }: ServiceProvider,
  checks: readonly Check[],
  origin: RequestOrigin,
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const log = await logForUnverified(tx, deps, teamId)
    const metadata = { application: id, reason: 'saml_request_invalid', ...rejectionFacts(checks) }
    await deps.audit.record(tx, { userId: null, teamId: log, origin }, 'user.logout', {
      result: 'FAILURE',
      resource: `application:${id}`,
      metadata,
    })
  })

const expected = ({ clock, config }: SamlProviderDeps, sp: ServiceProvider) => ({
  now: clock.ms(),
  issuer: sp.entityId,
  destinations: [addressesOf(config.baseUrl, sp.id).sloUrl],
  certificates: sp.certificate === null ? [] : [sp.certificate],
  unsigned: true,
})

/** Ends the sessions that a signed request names; each request is accepted once. Runs in the caller's transaction. */
async function endNamed(
  tx: Transaction,
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  request: LogoutRequest,
  requested: RequestedLogout,
  browser: SignOutBrowser,
): Promise<Outcome> {
  const { ssoToken, origin } = browser
  // A repeated request gets a success response, but must not end sessions that started after the first one.
  const isNew = await consumeRequest(tx, deps, sp, request)
  const found = isNew ? await namedSessions(tx, deps.clock, sp, request, ssoToken) : []
  const sessions = found.filter(({ may_end }) => may_end)
  const stored = found.filter(({ may_end }) => !may_end).map(({ id }) => id)
  if (stored.length > 0) await tx.run(removeSessions, [sp.id, stored])
  const ids = sessions.map(({ id }) => id)
  const { left, tooMany } = await applicationsToNotify(tx, ids, sp.id)
  for (const { id, user_id: userId, organization_id: teamId } of sessions) {
    await endSessions(tx, deps.clock, { session: id }, 'logout')
    await deps.audit.record(tx, { userId, teamId, origin }, 'user.logout', {
      resource: `session:${id}`,
      metadata: { application: sp.id },
    })
  }
  // Of several sessions, the provider to visit is that of the browser's own session.
  const shown = sessions.find(({ is_own }) => is_own) ?? sessions[0]
  const opened = shown && (await isNotifiedOfEnd(tx, shown.id)) ? shown.id : undefined
  const logout = { ...requested, opened, partial: tooMany || stored.length > 0, waiting: null, left }
  return { next: await nextMessage(tx, deps, sp, logout), isSessionEnded: sessions.some(({ is_own }) => is_own) }
}

const consumeRequest = async (
  tx: Transaction,
  { clock }: SamlProviderDeps,
  { id }: ServiceProvider,
  request: LogoutRequest,
): Promise<boolean> =>
  (await tx.run(insertHandled, [id, tokenHash(request.id), fromNow(clock, HANDLED_MESSAGE_LIFETIME)])).length > 0

/** Continues with any response of the application; only whether the logout is partial depends on it. */
async function handleResponse(
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  message: BoundMessage,
  token: string,
): Promise<NextMessage> {
  const opened = openLogout(message)
  const requestId = opened.unverified?.inResponseTo
  const inResponseTo = requestId === undefined ? [] : [requestId]
  const verdict = opened.verifyResponse({ ...expected(deps, sp), inResponseTo })
  return deps.db.transaction(async (tx) => {
    const stored = await takeLogout(tx, deps.clock, sp.id, token)
    if (!stored) throw rejection('saml_request_not_found')
    const ended = verdict.accepted && verdict.response.success && stored.waiting?.requestId === requestId
    const requester = (stored.asking && (await findExistingServiceProvider(tx, stored.asking))) ?? null
    return nextMessage(tx, deps, requester, { ...stored, partial: stored.partial || !ended })
  })
}
