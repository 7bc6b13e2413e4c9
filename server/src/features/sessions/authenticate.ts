import { AppError } from '../../platform/app-error.js'
import type { Database } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { invalidAccessToken } from '../../platform/errors.js'
import type { Actor, Authenticate, Credentials, Restriction, SessionActor } from '../../platform/http/actor.js'
import { NO_TEAM, type OriginId, parseId, type SessionId, type TeamId, type UserId } from '../../platform/ids.js'
import {
  grantsUnrestricted,
  isCovered,
  isWithoutAccountFactor,
  memberError,
  showsEmailAsVerified,
  showsOwnProfile,
  verifiedNoOwnFactor,
} from '../members/index.js'
import { isTopRole, permissionError, permissionsOf } from '../permissions/index.js'
import { hasSignOnRules } from '../policies/index.js'
import { mayEnterTeam, teamError } from '../teams/index.js'
import { absoluteEnd, endAfter } from './absolute-end.js'
import { hasOwnFactors, hasSecondFactor } from './has-second-factor.js'
import { graceEnd } from './session-mfa.js'
import type { AccessTokens } from './tokens/access-token.js'

/**
 * SQL: whether a session was started with the account's own password and a team requires a change: the password did not meet the team's
 * policy when it was set, is older than the team allows, or is from before a lock-down. Expects the aliases `s` of `sessions` and `u` of
 * `users`. A team password is evaluated when the session starts.
 * @param teamId an expression for the team's ID
 * @param now an expression for the current time
 */
export const isPasswordDueFor = (teamId: string, now: string): string =>
  `('pwd' = ANY(s.amr) AND s.confined_team_id IS NULL AND (${teamId} = ANY(u.password_due_team_ids)
     OR EXISTS (SELECT FROM password_policies pp WHERE pp.organization_id = ${teamId}
       AND pp.max_age_days > 0 AND u.password_set_at < ${now}::timestamptz - make_interval(hours => 24 * pp.max_age_days))
     OR EXISTS (SELECT FROM memberships pm WHERE pm.user_id = u.id AND pm.organization_id = ${teamId} AND pm.passwords_since > u.password_set_at)))`

/** The columns of a caller's user, membership and team. */
export interface CallerRow {
  user_id: UserId
  email: string
  email_verified: boolean
  has_password: boolean
  team_name: string
  team_slug: string
  team_status: string
  policy_version: number
  role: string
  first_name: string | null
  last_name: string | null
  team_first_name: string | null
  team_last_name: string | null
}

/** Returns the part of an actor that a session and an API token have in common. */
export const callerOf = (row: CallerRow): Pick<Actor, 'userId' | 'role' | 'user' | 'team'> => ({
  userId: row.user_id,
  role: row.role,
  user: {
    email: row.email,
    firstName: row.team_first_name ?? row.first_name,
    lastName: row.team_last_name ?? row.last_name,
    own: { firstName: row.first_name, lastName: row.last_name },
    emailVerified: row.email_verified,
    hasPassword: row.has_password,
  },
  team: { name: row.team_name, slug: row.team_slug, status: row.team_status, policyVersion: row.policy_version },
})

interface SessionRow extends CallerRow {
  user_created_at: Date
  method: string
  confined_team_id: TeamId | null
  password_due: 'temporary' | null
  /** A password change is due in the team of the request. */
  password_due_here: boolean | null
  mfa_due: boolean
  /** A factor enrollment is due in the team of the request. */
  enrollment_due: boolean | null
  second_factor: boolean | null
  verified_no_own_factor: boolean
  temporary_set_by: OriginId | null
  authenticated_at: Date
  home_role: string
  home_status: string
  team_id: TeamId | null
  mfa_required: boolean
  mfa_since: Date | null
  mfa_grace: number
  instance_team_id: TeamId | null
  instance_role: string | null
  /** The sign-in policies of the administering team were not evaluated for this session, or the session exceeds its maximum lifetime. */
  instance_unverified: boolean
  first_user_id: UserId | null
  /** For a request in another team: a password change is due there. */
  password_due_there?: boolean | null
  /** For a request in another team: its sign-in policies or its own factors were not verified for this session. */
  rules_unverified?: boolean | null
  /** For a request in another team: the session exceeds its maximum lifetime. */
  too_old?: boolean | null
}

/** A restricted session reads the own profile only while the membership is confirmed. */
const ownName = (m: string, column: string) =>
  `CASE WHEN s.confined_team_id IS NULL OR ${showsOwnProfile(m, 'u')} THEN ${column} END`

// One query reads nearly everything that can end or limit a session: the session, its user, the membership and team of the token (h, ho), and
// those of the request (m, o). So a revocation takes effect on the next request, on every node. Every table costs every request, so two rare
// checks are separate queries: the editor of a provider's session, and whether a session without an account factor may act on the account.
// If a request names another team than its token, the maximum password age of that team is evaluated here, because no sign-in there did; its
// sign-in policies are evaluated at a switch. A token is also rejected if it was issued before the membership was created, reactivated or
// cleared of its credentials (tokens_since), because the session may be in another team by now. The expiry is passed as a string because the
// driver serializes dates slowly.
const columns = (
  m: string,
  o: string,
) => `s.user_id, u.email, CASE WHEN s.confined_team_id IS NULL THEN u.email_verified_at IS NOT NULL ELSE ${showsEmailAsVerified(m, 'u')} END AS email_verified,
  CASE WHEN s.confined_team_id IS NULL THEN u.password_set_at IS NOT NULL ELSE EXISTS (SELECT 1 FROM team_passwords t
    WHERE t.user_id = s.user_id AND t.organization_id = s.confined_team_id AND t.epoch = u.epoch) END AS has_password, u.created_at AS user_created_at, s.method, s.confined_team_id, s.password_due, ${m}.organization_id = ANY(s.password_due_team_ids) AS password_due_here,
  s.mfa_due, ${m}.organization_id = ANY(s.enrollment_due_team_ids) AS enrollment_due, ${hasSecondFactor(m, 's.confined_team_id')} AS second_factor, ${verifiedNoOwnFactor('s', 'u')} AS verified_no_own_factor, s.temporary_set_by, s.authenticated_at, h.role AS home_role, ho.status AS home_status,
  ${o}.id AS team_id, ${o}.name AS team_name, ${o}.slug AS team_slug, ${o}.status AS team_status, ${o}.policy_version, ${m}.role,
  ${ownName(m, 'u.first_name')} AS first_name, ${ownName(m, 'u.last_name')} AS last_name, ${m}.first_name AS team_first_name, ${m}.last_name AS team_last_name,
  i.mfa_required, i.mfa_required_since AS mfa_since, i.mfa_grace_period_days AS mfa_grace,
  i.instance_team_id, im.role AS instance_role, i.first_user_id,
  im.role IS NOT NULL AND (${absoluteEnd('s', 'i.instance_team_id')} <= :now::timestamptz OR NOT i.instance_team_id = ANY(s.admitted_team_ids)
    AND (${hasOwnFactors('h', 'im')} OR ${hasSignOnRules('i.instance_team_id')})) AS instance_unverified`

const OF_SESSION = `FROM sessions s
  JOIN users u ON u.id = s.user_id AND u.status = 'active' AND u.epoch = s.epoch
  JOIN memberships h ON h.user_id = s.user_id AND h.organization_id = :teamId AND h.status = 'active' AND (h.tokens_since IS NULL OR h.tokens_since <= :issuedAt::timestamptz)
  JOIN organizations ho ON ho.id = h.organization_id
  LEFT JOIN instance_settings i ON i.id = 'singleton'
  LEFT JOIN memberships im ON im.user_id = s.user_id AND im.organization_id = i.instance_team_id AND im.status = 'active'
    AND ${grantsUnrestricted('im', 'u')}`

// The session may have switched away from the team of the token: the limits of both teams apply. Limits are not read twice, because every
// request runs this query.
const LIMIT_OF_OPEN_TEAM = `CASE WHEN s.organization_id <> :teamId THEN
  (SELECT t.session_max_lifetime_days FROM organizations t WHERE t.id = s.organization_id) END`
const ABSOLUTE_END = endAfter('s', 'i.session_max_lifetime_days', 'ho.session_max_lifetime_days', LIMIT_OF_OPEN_TEAM)
const LIVE = `WHERE s.id = :sessionId AND s.user_id = :userId AND s.kind = 'session' AND s.ended_at IS NULL
  AND least(s.expires_at, ${ABSOLUTE_END}) > :now::timestamptz`

/** The claims of a token, with the current time. */
interface TokenValues {
  sessionId: SessionId
  userId: UserId
  teamId: TeamId
  now: string
  issuedAt: string
}

/** For a request in the team of its token, the usual case. */
const liveAtHome = namedQuery<SessionRow, TokenValues>(
  'sessions.authenticate',
  `SELECT ${columns('h', 'ho')} ${OF_SESSION} ${LIVE}`,
)
const liveElsewhere = namedQuery<SessionRow, TokenValues & { wantedTeamId: TeamId }>(
  'sessions.authenticate_elsewhere',
  `SELECT ${columns('m', 'o')},
     ${isPasswordDueFor(':wantedTeamId::uuid', ':now')} AS password_due_there,
     NOT :wantedTeamId = ANY(s.admitted_team_ids) AND (${hasOwnFactors('h', 'm')} OR ${hasSignOnRules(':wantedTeamId')}) AS rules_unverified,
     ${absoluteEnd('s', ':wantedTeamId')} <= :now::timestamptz AS too_old
   ${OF_SESSION}
   LEFT JOIN memberships m ON m.user_id = s.user_id AND m.organization_id = :wantedTeamId AND m.status = 'active'
     AND ${grantsUnrestricted('m', 'u')}
   LEFT JOIN organizations o ON o.id = m.organization_id ${LIVE}`,
)

interface AuthenticateDeps {
  db: Database
  tokens: AccessTokens
  now: () => Date
  /** Settings that change what a session may do. */
  enforcePasswordChange: boolean
  /** Before onboarding, only the first registered account administers the instance, instead of every OWNER. */
  onlyFirstAccountAdministers: boolean
}

/** Creates the authentication hook of sessions: resolves an access token and the team of the request to the actor. */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate<SessionActor> {
  return async (credentials) => {
    const claims = await deps.tokens.verify(credentials.token)
    if (!claims) throw invalidAccessToken()
    const wanted = wantedTeam(credentials)
    const { sid, sub, team } = claims
    const receivedAt = deps.now()
    const token: TokenValues = {
      sessionId: sid,
      userId: sub,
      teamId: team,
      now: receivedAt.toISOString(),
      issuedAt: claims.issuedAt.toISOString(),
    }
    const elsewhere = wanted !== undefined && wanted !== team
    const [row] = elsewhere
      ? await deps.db.run(liveElsewhere, { ...token, wantedTeamId: wanted })
      : await deps.db.run(liveAtHome, token)
    if (!row || !mayEnterTeam(row.home_status, row.home_role)) throw invalidAccessToken()
    const { temporary_set_by: setBy } = row
    // A session with a setter or editor is restricted to one team, which is that of the token.
    if (setBy && !(await isCovered(deps.db, setBy, row.home_role, row.confined_team_id ?? team)))
      throw invalidAccessToken()
    const teamId = admit(row, claims.team, credentials)
    const restrictedElsewhere = row.confined_team_id !== null && row.confined_team_id !== row.instance_team_id
    return {
      ...callerOf(row),
      via: 'session',
      teamId,
      sessionId: claims.sid,
      permissions: permissionsOf(row.role),
      instanceAdmin: !restrictedElsewhere && administersInstance(row, deps.onlyFirstAccountAdministers),
      restrictedToTeam: row.confined_team_id,
      lacksAccountFactor: row.verified_no_own_factor && (await isWithoutAccountFactor(deps.db, sid, team)),
      authenticatedAt: row.authenticated_at,
      restriction: restrictionOf(row, deps.enforcePasswordChange),
      session: { method: row.method, mustChangePassword: isPasswordDue(row) || row.password_due !== null },
      mfa: { enabled: row.second_factor === true, required: row.mfa_required, graceEndsAt: graceEndOf(row) },
      origin: credentials.origin,
      receivedAt,
    } satisfies SessionActor
  }
}

/** Calls `admitToTeam`, and adds the rejected caller to the error for the audit entry. */
function admit(row: SessionRow, home: TeamId, credentials: Credentials): TeamId {
  try {
    return admitToTeam(row, credentials)
  } catch (error) {
    if (error instanceof AppError) error.caller = { userId: row.user_id, teamId: home }
    throw error
  }
}

/** Returns the team that the request names in addition to its token, if any. */
function wantedTeam({ teamInPath, teamInHeader }: Credentials): TeamId | undefined {
  const named = teamInPath ?? teamInHeader
  return named === undefined ? undefined : (parseId<TeamId>(named) ?? NO_TEAM)
}

/** @throws organization_not_found or not_a_member (also for another team's ID), team_sign_in_required, team_suspended */
function admitToTeam(row: SessionRow, { teamInPath }: Credentials): TeamId {
  if (!row.team_id) throw teamInPath === undefined ? memberError('not_a_member') : teamError('organization_not_found')
  if (row.confined_team_id && row.confined_team_id !== row.team_id) throw permissionError('team_sign_in_required')
  if (!mayEnterTeam(row.team_status, row.role)) throw teamError('team_suspended')
  return row.team_id
}

/**
 * Returns whether the session administers the instance: OWNER and SUPER_ADMIN of the team that onboarding created, in a session that meets
 * its sign-in policies. Before onboarding: every OWNER of an instance on a local URL, otherwise only the first registered account.
 */
function administersInstance(row: SessionRow, onlyFirstAccountAdministers: boolean): boolean {
  if (row.instance_team_id)
    return row.instance_role !== null && isTopRole(row.instance_role) && !row.instance_unverified
  return onlyFirstAccountAdministers ? row.first_user_id === row.user_id : row.role === 'OWNER'
}

const graceEndOf = (row: SessionRow): Date | null =>
  graceEnd(
    { mfaRequired: row.mfa_required, mfaRequiredSince: row.mfa_since, mfaGracePeriodDays: row.mfa_grace },
    row.user_created_at,
  )

const isPasswordDue = (row: SessionRow): boolean => row.password_due_here === true || row.password_due_there === true

/**
 * Returns the first due action: those of every team before those of the team of the request. A factor is due until one that is valid there is
 * enrolled. While the instance requires a factor, an aged password limits the session in every team too.
 */
function restrictionOf(row: SessionRow, enforcePasswordChange: boolean): Restriction | null {
  const enrolls = row.mfa_due && !row.second_factor
  if ((row.password_due && enforcePasswordChange) || (enrolls && isPasswordDue(row))) return 'password_change'
  if (enrolls) return 'mfa_enrollment'
  if (row.rules_unverified || row.too_old) return 'team_sign_in'
  if (isPasswordDue(row)) return 'team_password_change'
  return row.enrollment_due && !row.second_factor ? 'team_mfa_enrollment' : null
}
