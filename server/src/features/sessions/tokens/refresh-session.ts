import { SECOND } from '../../../platform/clock.js'
import type { KeyRing } from '../../../platform/crypto/key-ring.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Database, Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SessionId, TeamId, UserId } from '../../../platform/ids.js'
import type { Audit, EntryValues } from '../../audit/index.js'
import { isCoveredBySetterOrEditor, showsOwnProfile } from '../../members/index.js'
import type { MfaTerms } from '../../settings/index.js'
import { mayEnterTeam } from '../../teams/index.js'
import { absoluteEnd } from '../absolute-end.js'
import { successorBySwitch, successorOf } from '../derive-successor.js'
import { endSessions } from '../end-sessions.js'
import { rejection } from '../errors.js'
import { hasSecondFactor } from '../has-second-factor.js'
import { type IssuedSession, REFRESH_LIFETIME, type SessionTokenDeps, secondsUntil } from '../open-session.js'
import { countedRefresh, countingRefresh, recordingRefresh, refreshOrigin } from '../refresh-entries.js'
import { graceEnd } from '../session-mfa.js'

export interface RefreshDeps extends SessionTokenDeps {
  db: Database
  keys: KeyRing
  audit: Audit
}

interface FamilyRow extends MfaTerms {
  session_id: SessionId
  used_at: Date | null
  successor_key_id: string | null
  switch_id: string | null
  remember: boolean
  password_due: boolean
  mfa_due: boolean
  second_factor: boolean
  user_created_at: Date
  user_id: UserId
  email: string
  team_id: TeamId
  name: string
  slug: string
  team_status: string
  role: string
  first_name: string | null
  last_name: string | null
  absolute_end: Date
}

// Locks the session before reading it: one of several concurrent refreshes rotates the token, the others find it used, and none interferes
// with a team switch.
const lockSession = namedQuery<never, [Buffer]>(
  'sessions.lock_by_refresh_token',
  'SELECT id FROM sessions WHERE id = (SELECT session_id FROM refresh_tokens WHERE hash = $1) FOR NO KEY UPDATE',
)

/** A restricted session reads the own profile only while the membership is confirmed. */
const OWN = `s.confined_team_id IS NULL OR ${showsOwnProfile('m', 'u')}`

const findToken = namedQuery<FamilyRow, [Buffer, Date]>(
  'sessions.find_refresh_token',
  `SELECT r.session_id, r.used_at, r.successor_key_id, r.switch_id, s.remember, s.password_due IS NOT NULL OR s.organization_id = ANY(s.password_due_team_ids) AS password_due, s.mfa_due OR s.organization_id = ANY(s.enrollment_due_team_ids) AS mfa_due, s.user_id, u.email,
     ${hasSecondFactor('m', 's.confined_team_id')} AS second_factor, u.created_at AS user_created_at,
     i.mfa_required AS "mfaRequired", i.mfa_required_since AS "mfaRequiredSince", i.mfa_grace_period_days AS "mfaGracePeriodDays",
     o.id AS team_id, o.name, o.slug, o.status AS team_status, m.role,
     ${absoluteEnd('s')} AS absolute_end,
     coalesce(m.first_name, CASE WHEN ${OWN} THEN u.first_name END) AS first_name, coalesce(m.last_name, CASE WHEN ${OWN} THEN u.last_name END) AS last_name
   FROM refresh_tokens r
   JOIN sessions s ON s.id = r.session_id AND s.ended_at IS NULL
   JOIN users u ON u.id = s.user_id AND u.status = 'active' AND u.epoch = s.epoch
   JOIN memberships m ON m.user_id = s.user_id AND m.organization_id = s.organization_id AND m.status = 'active'
   JOIN organizations o ON o.id = m.organization_id
   JOIN instance_settings i ON i.id = 'singleton'
   WHERE r.hash = $1 AND r.expires_at > $2 AND ${absoluteEnd('s')} > $2 AND (s.confined_team_id IS NULL OR s.confined_team_id = s.organization_id)
     AND ${isCoveredBySetterOrEditor('s.temporary_set_by', 'm.role', 'm.organization_id')}`,
)

interface RefreshValues extends EntryValues {
  now: Date
  expiresAt: Date
  ip: string | null
  userAgent: string | null
  refreshOrigin: Buffer
}

/** SQL: parts of a WITH clause that record the use of the session. @param count 1, or 0 for a repeated refresh */
const refreshing = (count: '0' | '1'): string =>
  `refreshed AS (UPDATE sessions g SET last_seen_at = :now, expires_at = :expiresAt, ip_address = coalesce(:ip, ip_address), user_agent = coalesce(:userAgent, user_agent),
     ${countingRefresh(':now', ':entryId', count)} WHERE id = :entrySessionId RETURNING ${countedRefresh(':entryId')}),
   ${recordingRefresh('refreshed')}`

const rotateToken = namedQuery<never, RefreshValues & { hash: Buffer; keyId: string; successorHash: Buffer }>(
  'sessions.rotate_refresh_token',
  `WITH used AS (UPDATE refresh_tokens SET used_at = :now, successor_key_id = :keyId WHERE hash = :hash), ${refreshing('1')}
   INSERT INTO refresh_tokens (hash, session_id, created_at, expires_at) VALUES (:successorHash, :entrySessionId, :now, :expiresAt)`,
)

// From another network or client, a repeated refresh has an entry too: the token may be stolen.
const repeatRefresh = namedQuery<never, RefreshValues>(
  'sessions.repeat_refresh',
  `WITH ${refreshing('0')} SELECT WHERE false`,
)

/** The grace period in which a client can repeat a refresh if it did not receive the response. */
const REUSE_GRACE = 30 * SECOND

/**
 * Exchanges a refresh token for its successor and a new access token. Reuse within 30 seconds returns the same successor. Later reuse
 * indicates that two parties have the token, and ends the session (RFC 9700, section 4.14).
 * @throws invalid_refresh_token
 */
export async function refreshSession(
  deps: RefreshDeps,
  token: string | undefined,
  origin: RequestOrigin,
): Promise<IssuedSession> {
  const issued = token && (await deps.db.transaction((tx) => rotate(tx, deps, token, origin)))
  if (!issued)
    throw rejection('invalid_refresh_token', {
      headers: { 'www-authenticate': 'Bearer realm="keyward", error="invalid_token"' },
    })
  return issued
}

async function rotate(
  tx: Transaction,
  deps: RefreshDeps,
  token: string,
  origin: RequestOrigin,
): Promise<IssuedSession | undefined> {
  const { clock, keys, audit, tokens } = deps
  const hash = tokenHash(token)
  await tx.run(lockSession, [hash])
  const [row] = await tx.run(findToken, [hash, clock.now()])
  if (!row || !mayEnterTeam(row.team_status, row.role)) return undefined
  const subject = { userId: row.user_id, teamId: row.team_id, sessionId: row.session_id, origin }
  const resource = `session:${row.session_id}`

  if (row.used_at && clock.ms() - row.used_at.getTime() > REUSE_GRACE) {
    const ended = await endSessions(tx, clock, { session: row.session_id }, 'refresh_reused')
    if (ended > 0) await audit.record(tx, subject, 'session.refresh_reused', { result: 'FAILURE', resource })
    return undefined
  }

  const key = row.successor_key_id ? await keys.find('successor', row.successor_key_id, tx) : keys.current('successor')
  if (!key) return undefined
  const now = clock.now()
  const expiresAt = new Date(Math.min(now.getTime() + REFRESH_LIFETIME, row.absolute_end.getTime()))
  const refreshToken = row.switch_id ? successorBySwitch(key, row.switch_id) : successorOf(key, token)
  const values = {
    ...(await audit.valuesOf(tx, { by: subject, action: 'session.refreshed', details: { resource } })),
    now,
    expiresAt,
    ip: origin.ip,
    userAgent: origin.userAgent,
    refreshOrigin: refreshOrigin(origin),
  }
  if (row.used_at) await tx.run(repeatRefresh, values)
  else await tx.run(rotateToken, { ...values, hash, keyId: key.id, successorHash: tokenHash(refreshToken) })
  const team = {
    id: row.team_id,
    name: row.name,
    slug: row.slug,
    status: row.team_status,
    role: row.role,
    firstName: row.first_name,
    lastName: row.last_name,
  }
  return {
    sessionId: row.session_id,
    ...tokens.issue({ sub: row.user_id, sid: row.session_id, team: row.team_id }, expiresAt),
    sessionExpiresIn: secondsUntil(now, expiresAt),
    refreshToken,
    ssoToken: null,
    remember: row.remember,
    user: { id: row.user_id, email: row.email, firstName: row.first_name, lastName: row.last_name },
    team,
    mustChangePassword: row.password_due,
    mfa: {
      enabled: row.second_factor,
      required: row.mfaRequired,
      graceEndsAt: graceEnd(row, row.user_created_at),
      enrollmentRequired: row.mfa_due && !row.second_factor,
    },
  }
}

const sessionByToken = namedQuery<{ id: SessionId; userId: UserId; teamId: TeamId }, [Buffer]>(
  'sessions.by_refresh_token',
  `SELECT s.id, s.user_id AS "userId", s.organization_id AS "teamId" FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id
   WHERE r.hash = $1 AND s.ended_at IS NULL`,
)

/** Returns the active session of a refresh token, used or not. Runs in the caller's transaction. */
export async function sessionOfRefreshToken(
  tx: Transaction,
  token: string,
): Promise<{ id: SessionId; userId: UserId; teamId: TeamId } | undefined> {
  return (await tx.run(sessionByToken, [tokenHash(token)]))[0]
}
