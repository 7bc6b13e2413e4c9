import { type Clock, DAY, SECOND } from '../../platform/clock.js'
import { randomToken, uuidv7 } from '../../platform/crypto/random.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { FactorId, OriginId, SessionId, TeamId, UserId } from '../../platform/ids.js'
import { type OpenTeam, recordTeamUse, type WaitingTeam } from '../members/index.js'
import { permissionError } from '../permissions/index.js'
import type { User } from '../users/index.js'
import { absoluteEnd } from './absolute-end.js'
import { refreshOrigin } from './refresh-entries.js'
import type { CookieTerms } from './session-cookies.js'
import type { FactorDue, SessionMfa } from './session-mfa.js'
import type { AccessTokens, IssuedAccessToken } from './tokens/access-token.js'

export const REFRESH_LIFETIME = 30 * DAY

/** The data of a sign-in that the session stores. */
export interface SessionStart {
  user: Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>
  team: Omit<OpenTeam, 'confirmed'>
  method: string
  amr: string[]
  /** The team whose provider, directory or administrator authenticated the user; null for the user's own credentials. */
  restrictedToTeam: TeamId | null
  /** The origin of the session. */
  temporarySetBy?: OriginId | null | undefined
  passwordDue: 'temporary' | null
  /** The teams in which a password change is due. */
  passwordDueTeamIds?: TeamId[] | undefined
  mfa: SessionMfa
  factorDue: FactorDue
  /** The factors that were verified. */
  verifiedFactorIds: FactorId[]
  remember: boolean
  origin: RequestOrigin
  /** Time of the authentication at a provider; now by default. */
  authenticatedAt?: Date | undefined
  /** The session that this one continues; it has the same absolute end. */
  continues?: SessionId | undefined
}

/** The response of a new or refreshed session. The database stores only hashes of the tokens. */
export interface IssuedSession extends IssuedAccessToken, CookieTerms {
  sessionId: SessionId
  refreshToken: string
  /** For the identity providers' cookie; null if the session keeps its cookie. */
  ssoToken: string | null
  user: Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>
  team: Omit<OpenTeam, 'confirmed'>
  mustChangePassword: boolean
  mfa: SessionMfa
  /** Started by a team's provider. */
  isFederated?: boolean
  rejectedTeams?: TeamRejection[]
  /** The teams that wait for the user to join them; empty in a restricted session. */
  waitingTeams?: WaitingTeam[]
  /** The sign-in cancelled the requested deletion of the account. */
  deletionCancelled?: boolean
}

/** A team that rejected the user in a sign-in that named none, before another one accepted them. */
export interface TeamRejection {
  id: TeamId
  name: string
  reason: 'sign_in_denied' | 'team_suspended' | 'membership_suspended' | 'passkey_not_accepted' | 'team_locked'
}

export interface SessionTokenDeps {
  clock: Clock
  tokens: AccessTokens
}

const insertSession = namedQuery<
  { expiresAt: Date },
  {
    id: SessionId
    userId: UserId
    teamId: TeamId
    method: string
    amr: string[]
    restrictedTo: TeamId | null
    passwordDue: string | null
    remember: boolean
    ssoHash: Buffer
    ip: string | null
    userAgent: string | null
    now: Date
    expiresAt: Date
    refreshHash: Buffer
    mfaDue: boolean
    enrollmentDueTeamIds: TeamId[]
    authenticatedAt: Date
    verifiedFactorIds: FactorId[]
    temporarySetBy: OriginId | null
    continues: SessionId | null
    passwordDueTeamIds: TeamId[]
    refreshOrigin: Buffer
  }
>(
  'sessions.open',
  `WITH opened AS (
     INSERT INTO sessions (id, user_id, organization_id, method, amr, confined_team_id, password_due, remember, sso_hash, ip_address, user_agent,
       authenticated_at, last_seen_at, expires_at, created_at, mfa_due, enrollment_due_team_ids, admitted_team_ids, verified_factor_ids, temporary_set_by, password_due_team_ids, epoch, signed_in_at, refresh_period_start, refresh_origins)
     SELECT :id, :userId, :teamId, :method, :amr, :restrictedTo, :passwordDue, :remember, :ssoHash, :ip, :userAgent,
       :authenticatedAt, :now, least(:expiresAt, ${absoluteEnd('s')}), :now, :mfaDue, :enrollmentDueTeamIds, ARRAY[:teamId::uuid], :verifiedFactorIds, :temporarySetBy, :passwordDueTeamIds, epoch, s.signed_in_at, :now, ARRAY[:refreshOrigin::bytea]
     FROM users, (SELECT :teamId::uuid AS organization_id, coalesce((SELECT signed_in_at FROM sessions WHERE id = :continues), :now) AS signed_in_at) s
     WHERE id = :userId RETURNING id, expires_at),
     given AS (INSERT INTO refresh_tokens (hash, session_id, created_at, expires_at) SELECT :refreshHash, id, :now, expires_at FROM opened)
   SELECT expires_at AS "expiresAt" FROM opened`,
)

/** Whole seconds from `now` until `end`, at least 0. */
export const secondsUntil = (now: Date, end: Date): number =>
  Math.max(Math.floor((end.getTime() - now.getTime()) / SECOND), 0)

/** Starts a session with its first refresh token. The caller records the audit entry. Runs in the caller's transaction. */
export async function startSession(
  tx: Transaction,
  { clock, tokens }: SessionTokenDeps,
  start: SessionStart,
): Promise<IssuedSession> {
  const { user, team, origin, passwordDue, passwordDueTeamIds = [], remember } = start
  const now = clock.now()
  const sessionId = uuidv7<SessionId>(clock)
  const refreshToken = randomToken()
  const ssoToken = randomToken()
  const [opened] = await tx.run(insertSession, {
    id: sessionId,
    userId: user.id,
    teamId: team.id,
    method: start.method,
    amr: start.amr,
    restrictedTo: start.restrictedToTeam,
    passwordDue,
    remember,
    ssoHash: tokenHash(ssoToken),
    ip: origin.ip,
    userAgent: origin.userAgent,
    now,
    expiresAt: new Date(now.getTime() + REFRESH_LIFETIME),
    refreshHash: tokenHash(refreshToken),
    mfaDue: start.factorDue.instance,
    enrollmentDueTeamIds: start.factorDue.team ? [team.id] : [],
    authenticatedAt: start.authenticatedAt ?? now,
    verifiedFactorIds: start.verifiedFactorIds,
    temporarySetBy: start.temporarySetBy ?? null,
    continues: start.continues ?? null,
    passwordDueTeamIds,
    refreshOrigin: refreshOrigin(origin),
  })
  if (!opened) throw new Error('The account was deleted')
  // A session that continues an older one may exceed the team's maximum lifetime. The older one stays active.
  if (opened.expiresAt <= now) throw permissionError('team_sign_in_required')
  await recordTeamUse(tx, clock, user.id, team.id, start.restrictedToTeam === null)
  return {
    sessionId,
    ...tokens.issue({ sub: user.id, sid: sessionId, team: team.id }, opened.expiresAt),
    sessionExpiresIn: secondsUntil(now, opened.expiresAt),
    refreshToken,
    ssoToken,
    remember,
    // A restricted session must not reveal the own profile; the team profile has the names that the team may see.
    user: start.restrictedToTeam ? { id: user.id, email: user.email, firstName: null, lastName: null } : user,
    team,
    mustChangePassword: passwordDue !== null || passwordDueTeamIds.includes(team.id),
    mfa: start.mfa,
  }
}
