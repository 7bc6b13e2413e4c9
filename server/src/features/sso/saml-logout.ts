import { AppError } from '../../platform/app-error.js'
import { fromNow, MINUTE } from '../../platform/clock.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import { parseId, type TeamId } from '../../platform/ids.js'
import {
  type BoundMessage,
  type LogoutRequest,
  type MessageExpectations,
  type OpenedLogout,
  openLogout,
} from '../../protocols/saml/index.js'
import { admitSource, countSourceFailure } from '../authentication/index.js'
import { takeAttempt } from './attempts.js'
import { FAILURES } from './complete-sign-in.js'
import type { SsoDeps } from './deps.js'
import { endNamed } from './end-named.js'
import { rejection } from './errors.js'
import { type AfterSignOut, addressOf, type WaitingLogout } from './leave-by-provider.js'
import { answerLogout, type LogoutAnswer } from './logout-messages.js'
import type { Provider } from './provider.js'
import { samlProvidersNamed } from './repository.js'
import { sloUrl, spEntityId } from './saml-addresses.js'
import { meantBy } from './saml-sessions.js'
import { takeMessage } from './seen-messages.js'

/** Longer than a request is believed. */
const REMEMBERED = 15 * MINUTE

/**
 * A provider asks to end the sessions that it opened for somebody (Profiles 4.4.3.3): exactly those, on every node, with what they gave to
 * applications. A request counts once; heard once more, it is answered as done. What is refused is counted against its source.
 * @throws rate_limited, sso_logout_invalid for every message that is not right, and for every team and provider that there is not
 */
export async function hearLogoutRequest(
  deps: SsoDeps,
  orgId: string,
  message: BoundMessage,
  origin: RequestOrigin,
): Promise<LogoutAnswer> {
  await admitSource(deps.accounts, FAILURES, origin)
  try {
    const { provider, request } = await verifyRequest(deps, orgId, message)
    await endOnce(deps, provider, request, origin)
    return await answerLogout(deps, provider, { binding: message.binding, request, origin })
  } catch (error) {
    if (error instanceof AppError && error.status === 400)
      await countSourceFailure(deps.db, deps.accounts, FAILURES, origin)
    throw error
  }
}

/** @throws sso_logout_invalid */
async function verifyRequest(
  deps: SsoDeps,
  orgId: string,
  message: BoundMessage,
): Promise<{ provider: Provider; request: LogoutRequest }> {
  const opened = openLogout(message)
  let first: Checks | undefined
  for (const provider of await providersMeant(deps, orgId, opened)) {
    const verdict = opened.verifyRequest(expectedOf(deps, provider))
    if (verdict.accepted && hasDestination(verdict.checks)) return { provider, request: verdict.request }
    first ??= verdict.checks
  }
  throw invalid(first)
}

/** Whom a message may be of: those of the team's providers that call themselves as it says. */
async function providersMeant({ db }: SsoDeps, orgId: string, { says }: OpenedLogout): Promise<Provider[]> {
  const teamId = parseId<TeamId>(orgId)
  const issuer = says?.issuer
  return teamId && issuer !== undefined ? db.transaction((tx) => samlProvidersNamed(tx, teamId, issuer)) : []
}

const expectedOf = ({ clock, config }: SsoDeps, provider: Provider): MessageExpectations => ({
  now: clock.ms(),
  issuer: provider.samlEntityId ?? '',
  destinations: [sloUrl(config.baseUrl, provider.organizationId)],
  certificates: provider.samlCertificates,
})

type Checks = readonly { id: string; status: string; detail?: string }[]

/** A signed message names whom it is for (Bindings 3.4.5.2, 3.5.5.2): else that for one team would hold at another. */
const hasDestination = (checks: Checks): boolean =>
  checks.some(({ id, status }) => id === 'destination' && status === 'ok')

function invalid(checks: Checks | undefined) {
  if (!checks)
    return rejection('sso_logout_invalid', { detail: 'It is of no provider of this team, or cannot be read' })
  const failed = checks.filter(({ status }) => status === 'failed')
  const detail = failed.map(({ id, detail = 'failed' }) => `${id}: ${detail}`).join('; ')
  return rejection('sso_logout_invalid', { detail: detail || 'destination: it does not say for whom it is' })
}

/** One that is heard once more ends nothing that has begun since. */
async function endOnce(
  deps: SsoDeps,
  provider: Provider,
  request: LogoutRequest,
  origin: RequestOrigin,
): Promise<void> {
  const { db, clock, config } = deps
  const { id: providerId, organizationId, samlEntityId } = provider
  await db.transaction(async (tx) => {
    const message = { providerId, id: `logout ${request.id}`, until: fromNow(clock, REMEMBERED) }
    if (!(await takeMessage(tx, message))) return
    const parties = { idpEntityId: samlEntityId ?? '', spEntityId: spEntityId(config.baseUrl, organizationId) }
    await endNamed(tx, deps, provider, (known) => meantBy(request, parties, known), origin)
  })
}

/**
 * The provider's answer to a sign-out that began here. The session is over already, whatever it says: only what the person is told
 * depends on it. What is not right is counted against its source.
 * @throws rate_limited
 */
export async function hearLogoutResponse(
  deps: SsoDeps,
  orgId: string,
  message: BoundMessage,
  origin: RequestOrigin,
): Promise<LogoutAnswer> {
  await admitSource(deps.accounts, FAILURES, origin)
  const { error, after } = await outcomeOf(deps, orgId, message)
  if (error === 'sso_logout_invalid') await countSourceFailure(deps.db, deps.accounts, FAILURES, origin)
  // Who is not signed out everywhere must hear of it, wherever they wanted to go on our pages.
  return { redirectTo: addressOf(deps.config.frontendUrl, after, error) }
}

async function outcomeOf(
  deps: SsoDeps,
  orgId: string,
  message: BoundMessage,
): Promise<{ error?: string | undefined; after: AfterSignOut }> {
  const unknown = { error: 'sso_logout_invalid', after: { returnTo: null } }
  const opened = openLogout(message)
  const state = opened.says?.inResponseTo
  if (state === undefined) return unknown
  for (const provider of await providersMeant(deps, orgId, opened)) {
    const verdict = opened.verifyResponse({ ...expectedOf(deps, provider), inResponseTo: [state] })
    if (!verdict.accepted || !hasDestination(verdict.checks)) continue
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
