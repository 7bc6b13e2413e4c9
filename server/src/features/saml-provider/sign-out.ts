import { AppError } from '../../platform/app-error.js'
import { fromNow, MINUTE } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { ApplicationId, SessionId } from '../../platform/ids.js'
import {
  type BoundMessage,
  type LogoutRequest,
  type MessageExpectations,
  openLogout,
  verifyLogoutRequest,
} from '../../protocols/saml/index.js'
import { admitClientSource, countClientFailure } from '../oidc-provider/index.js'
import { endSessions } from '../sessions/index.js'
import { isNotifiedOfEnd } from '../sso/index.js'
import { addressesOf } from './addresses.js'
import { applicationsToNotify } from './applications-to-notify.js'
import { askBeforeSignOut } from './ask-before-sign-out.js'
import type { SamlProviderDeps } from './deps.js'
import { rejection } from './errors.js'
import { goOn, type LogoutAnswer, type NextMessage, writeMessage } from './logout-messages.js'
import { namedSessions } from './named-sessions.js'
import { goOnResumed } from './resume-sign-out.js'
import { findLiving, findServiceProvider, type ServiceProvider } from './service-provider.js'
import { type AskedLogout, takeLogout } from './stored-logout.js'

export interface SignOutVisitor {
  ssoToken: string | undefined
  origin: RequestOrigin
}

/** `ended`: the session of the browser's own cookie is over. */
export type SignOutResult = LogoutAnswer & { ended: boolean }

const forget = namedQuery<never, [ApplicationId, SessionId[]]>(
  'saml_provider.forget_sessions',
  'DELETE FROM saml_sessions WHERE application_id = $1 AND session_id = ANY($2)',
)

// A message counts once.
const hear = namedQuery<{ hash: Buffer }, [ApplicationId, Buffer, Date]>(
  'saml_provider.hear_logout',
  `INSERT INTO saml_heard_logouts (application_id, hash, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING hash`,
)

/** Longer than a request is believed. */
const REMEMBERED = 15 * MINUTE

/** A message of an application, or what a sign-out goes on by when its user has confirmed it, or the provider of its session was asked. */
export type IncomingSignOut =
  | (BoundMessage & { answers: boolean; token: string | undefined })
  | { resume: string; partial: boolean }

interface Outcome {
  next: NextMessage
  ended: boolean
}

/**
 * Single logout (Profiles 4.4): a service provider's request ends the sessions that it was told of, and the browser goes on to the other
 * applications of those sessions, and to the provider that opened the browser's own; or the answer of one of these, from which it goes on to the next. What nobody signed ends nothing before
 * the user has confirmed it: any page of the web can send a browser here.
 * What is refused is counted against its source.
 * @throws application_not_found, saml_request_invalid, saml_request_not_found, rate_limited
 */
export async function signOutFrom(
  deps: SamlProviderDeps,
  appId: string,
  incoming: IncomingSignOut,
  visitor: SignOutVisitor,
): Promise<SignOutResult> {
  const { db } = deps
  const { origin } = visitor
  await admitClientSource(db, deps, origin)
  try {
    const sp = await findServiceProvider(db, appId)
    const { next, ended } = await outcomeOf(deps, sp, incoming, visitor)
    return { ...(await writeMessage(deps, next, origin)), ended }
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
  visitor: SignOutVisitor,
): Promise<Outcome> {
  if ('resume' in incoming) return { next: await goOnResumed(deps, sp, incoming), ended: false }
  if (incoming.answers) return { next: await hearAnswer(deps, sp, incoming, incoming.token ?? ''), ended: false }
  const verdict = verifyLogoutRequest(incoming, expected(deps, sp), { unsigned: true })
  // A signed message names where it goes (Bindings 3.4.5.2, 3.5.5.2): else that for one application would hold at another.
  const isAddressed = verdict.checks.some(({ id, status }) => id === 'destination' && status === 'ok')
  if (verdict.accepted && sp.certificate !== null && !isAddressed)
    throw rejection('saml_request_invalid', { detail: 'destination: it does not say for whom it is' })
  if (!verdict.accepted) {
    const failed = verdict.checks.filter(({ status }) => status === 'failed')
    const detail = failed.map(({ id, detail }) => `${id}: ${detail ?? 'failed'}`).join('; ')
    throw rejection('saml_request_invalid', { detail })
  }
  const { request } = verdict
  const asked = { requestId: request.id, relayState: request.relayState ?? null, binding: incoming.binding }
  return deps.db.transaction(async (tx) =>
    sp.certificate === null
      ? { next: await askBeforeSignOut(tx, deps, sp, request, asked, visitor.ssoToken), ended: false }
      : endNamed(tx, deps, sp, request, asked, visitor),
  )
}

const expected = ({ clock, config }: SamlProviderDeps, sp: ServiceProvider): MessageExpectations => ({
  now: clock.ms(),
  issuer: sp.entityId,
  destinations: [addressesOf(config.baseUrl, sp.id).sloUrl],
  certificates: sp.certificate === null ? [] : [sp.certificate],
})

/** A step, for what the application signed: it ends at once, and counts once. */
async function endNamed(
  tx: Transaction,
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  request: LogoutRequest,
  asked: AskedLogout,
  visitor: SignOutVisitor,
): Promise<Outcome> {
  const { ssoToken, origin } = visitor
  // One that is heard once more is answered as done, and ends nothing that has begun since.
  const isNew = await hearOnce(tx, deps, sp, request)
  const found = isNew ? await namedSessions(tx, deps.clock, sp, request, ssoToken) : []
  const sessions = found.filter(({ ends }) => ends)
  const stored = found.filter(({ ends }) => !ends).map(({ id }) => id)
  if (stored.length > 0) await tx.run(forget, [sp.id, stored])
  const ids = sessions.map(({ id }) => id)
  const { left, tooMany } = await applicationsToNotify(tx, ids, sp.id)
  for (const { id, user_id: userId, organization_id: teamId } of sessions) {
    await endSessions(tx, deps.clock, { session: id }, 'logout')
    await deps.audit.record(tx, { userId, teamId, origin }, 'user.logout', {
      resource: `session:${id}`,
      metadata: { application: sp.id },
    })
  }
  // The browser goes to the provider of its own session, where it shows which that is.
  const shown = sessions.find(({ own }) => own) ?? sessions[0]
  const opened = shown && (await isNotifiedOfEnd(tx, shown.id)) ? shown.id : undefined
  const logout = { ...asked, opened, partial: tooMany || stored.length > 0, waiting: null, left }
  return { next: await goOn(tx, deps, sp, logout), ended: sessions.some(({ own }) => own) }
}

const hearOnce = async (
  tx: Transaction,
  { clock }: SamlProviderDeps,
  { id }: ServiceProvider,
  request: LogoutRequest,
): Promise<boolean> => (await tx.run(hear, [id, tokenHash(request.id), fromNow(clock, REMEMBERED)])).length > 0

/** Whatever the application says, the browser goes on; only whether all is over depends on it. */
async function hearAnswer(
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  message: BoundMessage,
  token: string,
): Promise<NextMessage> {
  const opened = openLogout(message)
  const answered = opened.says?.inResponseTo
  const inResponseTo = answered === undefined ? [] : [answered]
  const verdict = opened.verifyResponse({ ...expected(deps, sp), inResponseTo }, { unsigned: true })
  return deps.db.transaction(async (tx) => {
    const stored = await takeLogout(tx, deps.clock, sp.id, token)
    if (!stored) throw rejection('saml_request_not_found')
    const ended = verdict.accepted && verdict.response.success && stored.waiting?.requestId === answered
    const asking = (stored.asking && (await findLiving(tx, stored.asking))) ?? null
    return goOn(tx, deps, asking, { ...stored, partial: stored.partial || !ended })
  })
}
