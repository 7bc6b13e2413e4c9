import { fromNow, MINUTE } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { ApplicationId, SessionId, TeamId, UserId } from '../../platform/ids.js'
import {
  type BoundMessage,
  judgeLogoutRequest,
  judgeLogoutResponse,
  type LogoutRequest,
  type MessageExpectations,
  STATUS_CODES,
} from '../../protocols/saml/index.js'
import { endSessions } from '../sessions/index.js'
import { addressesOf } from './addresses.js'
import type { SamlProviderDeps } from './deps.js'
import { refusal } from './errors.js'
import { type ToldApplication, takeLogout } from './kept-logout.js'
import { goOn, type LogoutAnswer, sayEnded } from './logout-messages.js'
import { findServiceProvider, type ServiceProvider } from './service-provider.js'

export interface SignOutVisitor {
  ssoToken: string | undefined
  origin: RequestOrigin
}

/** `ended`: the session of the browser's own cookie is over. */
export type SignOutResult = LogoutAnswer & { ended: boolean }

interface ToldSession {
  id: SessionId
  user_id: UserId
  organization_id: TeamId
  own: boolean
  ends: boolean
}

// Only what this very application was told of. An unsigned request reaches the session of its own browser alone; a signed one of which the
// browser shows no cookie, those that are at home in the application's team: what another team's people do there is not theirs to end.
const named = namedQuery<ToldSession, [ApplicationId, string, string[], Buffer | null, boolean, Date, TeamId]>(
  'saml_provider.named_sessions',
  `SELECT s.id, s.user_id, s.organization_id, coalesce(s.sso_hash = $4, false) AS own,
     coalesce(s.sso_hash = $4, false) OR s.organization_id = $7 AS ends FROM saml_sessions t JOIN sessions s ON s.id = t.session_id
   WHERE t.application_id = $1 AND t.name_id = $2 AND (cardinality($3::text[]) = 0 OR t.session_index = ANY($3))
     AND (NOT $5::boolean OR s.sso_hash = $4) AND s.ended_at IS NULL AND s.expires_at > $6 ORDER BY s.id`,
)

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

const others = namedQuery<ToldApplication, [SessionId[], ApplicationId]>(
  'saml_provider.other_applications',
  `SELECT t.application_id AS application, t.name_id AS "nameId", t.name_id_format AS "nameIdFormat", t.session_index AS "sessionIndex"
   FROM saml_sessions t JOIN applications a ON a.id = t.application_id
   WHERE t.session_id = ANY($1) AND t.application_id <> $2 AND a.saml_sp_slo_url IS NOT NULL AND a.stopped_at IS NULL
   ORDER BY t.created_at, t.application_id`,
)

/** So many applications a browser is sent through; the others are not told, and the answer says so. */
const MOST_HOPS = 20

/**
 * Single logout (Profiles 4.4): a service provider's request ends the sessions that it was told of, and the browser goes on to the other
 * applications of those sessions; or the answer of one of these, from which it goes on to the next.
 * @throws application_not_found, saml_request_invalid, saml_request_not_found
 */
export async function signOutFrom(
  deps: SamlProviderDeps,
  appId: string,
  message: BoundMessage & { answers: boolean; token: string | undefined },
  visitor: SignOutVisitor,
): Promise<SignOutResult> {
  const sp = await findServiceProvider(deps.db, appId)
  if (message.answers) return { ...(await hearAnswer(deps, sp, message, message.token ?? '')), ended: false }
  const verdict = judgeLogoutRequest(message, expected(deps, sp), { unsigned: true })
  // A signed message names where it goes (Bindings 3.4.5.2, 3.5.5.2): else that for one application would hold at another.
  const isAddressed = verdict.checks.some(({ id, status }) => id === 'destination' && status === 'ok')
  if (verdict.accepted && sp.certificate !== null && !isAddressed)
    throw refusal('saml_request_invalid', { detail: 'destination: it does not say for whom it is' })
  if (!verdict.accepted) {
    const failed = verdict.checks.filter(({ status }) => status === 'failed')
    const detail = failed.map(({ id, detail }) => `${id}: ${detail ?? 'failed'}`).join('; ')
    throw refusal('saml_request_invalid', { detail })
  }
  return deps.db.transaction((tx) => endNamed(tx, deps, sp, verdict.request, message.binding, visitor))
}

const expected = ({ clock, config }: SamlProviderDeps, sp: ServiceProvider): MessageExpectations => ({
  now: clock.ms(),
  issuer: sp.entityId,
  destinations: [addressesOf(config.baseUrl, sp.id).sloUrl],
  certificates: sp.certificate === null ? [] : [sp.certificate],
})

async function endNamed(
  tx: Transaction,
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  request: LogoutRequest,
  binding: 'redirect' | 'post',
  { ssoToken, origin }: SignOutVisitor,
): Promise<SignOutResult> {
  const asked = { requestId: request.id, relayState: request.relayState ?? null, binding }
  const unsigned = sp.certificate === null
  // Who has no cookie here and proves nothing may end nothing.
  if (unsigned && binding === 'post' && ssoToken === undefined) {
    const status = { status: STATUS_CODES.responder, reason: STATUS_CODES.requestDenied }
    return { ...(await sayEnded(tx, deps, sp, asked, status)), ended: false }
  }
  const cookie = ssoToken === undefined ? null : tokenHash(ssoToken)
  const { nameId, sessionIndexes } = request
  // A signed one that is heard once more is answered as done, and ends nothing that has begun since.
  const isNew = unsigned || (await hearOnce(tx, deps, sp, request))
  const now = deps.clock.now()
  const found = isNew ? await tx.run(named, [sp.id, nameId, sessionIndexes, cookie, unsigned, now, sp.teamId]) : []
  const sessions = found.filter(({ ends }) => ends)
  const kept = found.filter(({ ends }) => !ends).map(({ id }) => id)
  if (kept.length > 0) await tx.run(forget, [sp.id, kept])
  const told = await tx.run(others, [sessions.map(({ id }) => id), sp.id])
  for (const { id, user_id: userId, organization_id: teamId } of sessions) {
    await endSessions(tx, deps.clock, { session: id }, 'logout')
    await deps.audit.record(tx, { userId, teamId, origin }, 'user.logout', {
      resource: `session:${id}`,
      metadata: { application: sp.id },
    })
  }
  const logout = {
    ...asked,
    partial: told.length > MOST_HOPS || kept.length > 0,
    waiting: null,
    left: told.slice(0, MOST_HOPS),
  }
  return { ...(await goOn(tx, deps, sp, logout)), ended: sessions.some(({ own }) => own) }
}

const hearOnce = async (
  tx: Transaction,
  { clock }: SamlProviderDeps,
  { id }: ServiceProvider,
  request: LogoutRequest,
): Promise<boolean> => (await tx.run(hear, [id, tokenHash(request.id), fromNow(clock, REMEMBERED)])).length > 0

/** Whatever the application says, the browser goes on; only whether all is over depends on it. */
function hearAnswer(
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  message: BoundMessage,
  token: string,
): Promise<LogoutAnswer> {
  return deps.db.transaction(async (tx) => {
    const kept = await takeLogout(tx, deps.clock, sp.id, token)
    if (!kept) throw refusal('saml_request_not_found')
    const inResponseTo = kept.payload.waiting ? [kept.payload.waiting.requestId] : []
    const verdict = judgeLogoutResponse(message, { ...expected(deps, sp), inResponseTo }, { unsigned: true })
    const ended = verdict.accepted && verdict.response.success
    const asking = await findServiceProvider(tx, kept.application)
    return goOn(tx, deps, asking, { ...kept.payload, partial: kept.payload.partial || !ended })
  })
}
