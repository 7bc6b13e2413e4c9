/**
 * Sessions and everything that can be revoked: the session of a sign-in with its refresh tokens, the grant of a user for an application,
 * and one-time tokens of mailed links and challenges.
 *
 * - `tokens/`: access tokens, refresh tokens and their rotation.
 * - `one-time-tokens/`: tokens of mailed links and challenges, with their lifetimes.
 * - `refresh-entries.ts`: which refreshes have an audit entry.
 * - `grants.ts`: the grants of OAuth, which this module owns so that one row of one table is the single point of revocation.
 * - `devices/`: known devices, and the networks of earlier sign-ins.
 *
 * Not here: the verification of credentials (passwords, mfa, sso), and the sign-in pipeline and the mails
 * with the links (authentication).
 * Tables: sessions, refresh_tokens, one_time_tokens, known_devices, sign_in_places, team_sign_ins. Errors: invalid_refresh_token, session_not_found,
 * invalid_token, session_replacement_over, reauthentication_required, device_not_found. Audit: session.refreshed, session.refresh_reused, session.ended,
 * session.others_ended, session.team_switched, user.device_forgotten, application.logout_dropped.
 */
import { purgeJob } from '../../platform/jobs/purge-job.js'
import type { Metrics } from '../../platform/metrics/metrics.js'
import type { Module } from '../../platform/module.js'
import { signInData } from './devices/account-data.js'
import { rememberedDevices } from './devices/remembered-devices.js'
import { countDroppedNotifications } from './end-sessions.js'
import { SESSION_ERRORS } from './errors.js'
import { listSessions } from './list-sessions.js'
import { SESSION_RETENTION } from './purge-sessions.js'
import { sessionRoutes } from './routes.js'
import { presentDevice, presentListed } from './schema.js'
import type { RefreshDeps } from './tokens/refresh-session.js'

export { INSTANCE_LIFETIME, isActiveSession, sessionEnd } from './absolute-end.js'
export { type CallerRow, callerOf, createAuthenticate, isPasswordDueFor } from './authenticate.js'
export { createdIn, hadOtherSessions, type OwnSession } from './created-in.js'
export {
  deviceWithFactor,
  forgetDevices,
  forgetOtherDevices,
  forgetVerifiedFactors,
  knownDevice,
  recordDevice,
  trustedDevice,
} from './devices/known-devices.js'
export { recordSignInPlace, signInPlacesOf } from './devices/sign-in-places.js'
export { DELETE_MOVED_TEAM_SIGN_INS, recordTeamSignIn, teamSignInsOf } from './devices/team-sign-ins.js'
export { endSessions, isSignedInBy, lockForDeletion, revokeGrantsOf, SESSION_ENDED_JOB } from './end-sessions.js'
export { rejection as sessionError } from './errors.js'
export { creatingGrant, extendingGrant, type GrantUse, type NewGrantValues, revokeGrant } from './grants.js'
export { hasOwnFactors, hasSecondFactor } from './has-second-factor.js'
export { deviceName, type ListedSession, requireUnrestricted, sessionsInTeam } from './list-sessions.js'
export {
  continueRequested,
  hasEnded,
  lockSession,
  type Provenance,
  requireActiveSession,
  sessionTerms,
} from './lock-session.js'
export {
  countTokenFailure,
  issueOneTimeToken,
  ONE_TIME_TOKENS,
  type OneTimeToken,
  type OneTimeTokenKind,
  peekOneTimeToken,
  redeemOneTimeToken,
  revokeChallenges,
  revokeEmailChangesNotCreatedIn,
  revokeMatchingChallenges,
  revokeTokensOfTeam,
  usersWithChallenge,
} from './one-time-tokens/one-time-tokens.js'
export { type RequestedLink, requestedLink } from './one-time-tokens/requested-link.js'
export { type IssuedSession, type SessionStart, startSession, type TeamRejection } from './open-session.js'
export { SESSION_RETENTION } from './purge-sessions.js'
export {
  addMethods,
  type Renewed,
  renewAuthentication,
  requireRecentAuthentication,
  writePasswordDue,
} from './recent-authentication.js'
export {
  type CountedRefresh,
  recordingRefresh,
  refreshOrigin,
} from './refresh-entries.js'
export { replacesAnother } from './replace-session.js'
export {
  Cleaned,
  presentListed,
  presentSession,
  presentTeam,
  presentUser,
  Session,
  SessionList,
  SessionMfaBody,
  SessionTeam,
  SessionUser,
} from './schema.js'
export {
  clearSessionCookies,
  deviceCookie,
  mayHideSession,
  refreshCookie,
  setDeviceCookie,
  setPendingCookie,
  setRefreshCookie,
  setSsoCookie,
  ssoCookie,
} from './session-cookies.js'
export { type FactorDue, graceEnd, presentMfa, type SessionMfa } from './session-mfa.js'
export { hasSignedInSince } from './signed-in-since.js'
export { type SwitchDeps, switchSession } from './switch-session.js'
export { knownDevices, oneTimeTokens, sessions } from './tables.js'
export { type DelegatedBy, isDelegated, isTemporary, type TemporaryScope } from './temporary-by.js'
export { type AccessTokens, createSessionTokens } from './tokens/access-token.js'
export { sessionOfRefreshToken } from './tokens/refresh-session.js'

export function createSessions(deps: RefreshDeps & { metrics: Metrics }): Module {
  deps.metrics.counter(
    'keyward_logout_notifications_dropped_total',
    'Back-channel logout notifications that were dropped because too many of the team were waiting',
    countDroppedNotifications,
  )
  return {
    routes: sessionRoutes(deps),
    jobs: [purgeJob(deps, 'sessions.purge', SESSION_RETENTION)],
    errors: SESSION_ERRORS,
    accountData: {
      ...signInData(deps),
      sessions: async (actor) => (await listSessions(deps, actor)).map((one) => presentListed(one, actor.sessionId)),
      devices: async (actor) => (await rememberedDevices(deps, actor, undefined)).map(presentDevice),
    },
  }
}
