import type { Clock } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { HttpExchange } from '../../platform/http/http-exchange.js'
import type { SessionId, TeamId, UserId } from '../../platform/ids.js'
import { endSessions } from './end-sessions.js'
import { rejection } from './errors.js'
import type { IssuedSession } from './open-session.js'
import {
  browserSessionHash,
  clearPendingCookie,
  type PendingTokens,
  pendingTokens,
  refreshCookie,
} from './session-cookies.js'
import { type RefreshDeps, refreshSession } from './tokens/refresh-session.js'

interface Described {
  id: SessionId
  userId: UserId
  email: string
  teamId: TeamId
  teamName: string
}

const SELECT = `SELECT s.id, s.user_id AS "userId", u.email, o.id AS "teamId", o.name AS "teamName"
   FROM sessions s JOIN users u ON u.id = s.user_id AND u.status = 'active' AND u.epoch = s.epoch
   JOIN memberships m ON m.user_id = s.user_id AND m.organization_id = s.organization_id AND m.status = 'active'
   JOIN organizations o ON o.id = s.organization_id`
const LIVE = "s.kind = 'session' AND s.ended_at IS NULL AND s.expires_at > $2"

const bySsoHash = namedQuery<Described, [Buffer, Date]>(
  'sessions.of_browser',
  `${SELECT} WHERE s.sso_hash = $1 AND ${LIVE}`,
)
const byRefreshToken = namedQuery<Described, [Buffer, Date]>(
  'sessions.described_by_refresh_token',
  `${SELECT} JOIN refresh_tokens r ON r.session_id = s.id WHERE r.hash = $1 AND r.expires_at > $2 AND ${LIVE}`,
)

const ofToken = async (tx: Transaction, clock: Clock, token: string | undefined): Promise<Described | undefined> =>
  token ? (await tx.run(byRefreshToken, [tokenHash(token), clock.now()]))[0] : undefined

const isAnother = (current: Described, next: Pick<Described, 'userId' | 'teamId'>): boolean =>
  current.userId !== next.userId || current.teamId !== next.teamId

/**
 * Returns whether the browser has an active session of another account or in another team than the session that would replace it. If the
 * request may not carry the session cookie, `mayHideSession` returns true.
 */
export function replacesAnother(
  { db, clock }: Pick<RefreshDeps, 'db' | 'clock'>,
  http: HttpExchange,
  next: Pick<IssuedSession, 'user' | 'team'>,
): Promise<boolean> {
  const hash = browserSessionHash(http)
  if (!hash) return Promise.resolve(false)
  return db.transaction(async (tx) => {
    const [current] = await tx.run(bySsoHash, [hash, clock.now()])
    return current !== undefined && isAnother(current, { userId: next.user.id, teamId: next.team.id })
  })
}

/** The browser's current session, if it is of another account or team, and the pending one. */
export interface Replacement {
  current: Described | undefined
  next: Described
}

/** @throws session_replacement_over */
export function readReplacement({ db, clock }: RefreshDeps, http: HttpExchange): Promise<Replacement> {
  const { refreshToken } = requirePending(http)
  return db.transaction(async (tx) => {
    const next = await ofToken(tx, clock, refreshToken)
    if (!next) throw rejection('session_replacement_over')
    const current = await ofToken(tx, clock, refreshCookie(http))
    return { current: current && isAnother(current, next) ? current : undefined, next }
  })
}

/** Issues the pending session to the browser. @throws session_replacement_over */
export async function acceptReplacement(
  deps: RefreshDeps,
  http: HttpExchange,
  origin: RequestOrigin,
): Promise<IssuedSession> {
  const { refreshToken, ssoToken } = requirePending(http)
  await readReplacement(deps, http)
  const issued = await refreshSession(deps, refreshToken, origin)
  clearPendingCookie(http)
  return { ...issued, ssoToken }
}

/** Ends the pending session; the browser keeps its current one. @throws session_replacement_over */
export async function rejectReplacement(deps: RefreshDeps, http: HttpExchange, origin: RequestOrigin): Promise<void> {
  const { next } = await readReplacement(deps, http)
  await deps.db.transaction(async (tx) => {
    await endSessions(tx, deps.clock, { session: next.id }, 'replacement_rejected')
    const subject = { userId: next.userId, teamId: next.teamId, origin }
    await deps.audit.record(tx, subject, 'session.ended', { resource: `session:${next.id}` })
  })
  clearPendingCookie(http)
}

/** Only pages of the service may confirm it, in cookie mode. */
function requirePending(http: HttpExchange): PendingTokens {
  const tokens = http.isFromConsole ? pendingTokens(http) : undefined
  if (!tokens) throw rejection('session_replacement_over')
  return tokens
}
