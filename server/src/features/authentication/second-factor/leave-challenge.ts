import type { Transaction } from '../../../platform/db/database.js'
import type { TeamId } from '../../../platform/ids.js'
import { memberError } from '../../members/index.js'
import { validFactors } from '../../mfa/index.js'
import { permissionError } from '../../permissions/index.js'
import { type IssuedSession, knownDevice, type OneTimeToken, redeemOneTimeToken } from '../../sessions/index.js'
import { lockUser } from '../../users/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { isLockedForPassword, verifyLockout } from '../limits/account-lockout.js'
import { admitSource } from '../limits/sign-in-limits.js'
import { leaving, mayLeave, otherTeamsOf } from '../pipeline/other-teams.js'
import type { PendingSignIn } from '../pipeline/require-factor.js'
import { sessionOf, signIn } from '../pipeline/sign-in.js'
import type { Challenge, SignIn, SignInOutcome } from '../pipeline/sign-in-step.js'
import { rejectExpiredChallenge } from './complete-challenge.js'
import { findChallenge } from './pending-sign-in.js'

/**
 * Ends a challenge and continues the sign-in in another team, with all requirements of that team. For a user whose team requires a factor
 * that is restricted to it. Failure counters of the account are not reset.
 * @param wanted the other team; undefined: the next of the user's teams, or a new own team
 * @throws mfa_expired; team_sign_in_required for a restricted sign-in; second_factor_required if an unrestricted factor is accepted, in a
 *   switch, or for a team that was left before; not_a_member without another team; the errors of the pipeline
 */
export async function leaveChallenge(
  deps: AccountDeps,
  mfaToken: string,
  wanted: string | undefined,
  request: SignInRequest,
): Promise<IssuedSession | Challenge> {
  await admitSource(deps, 'challenge', request.origin)
  return sessionOf(
    await deps.db.transaction((tx) => leaveIn(tx, deps, mfaToken, wanted?.toLowerCase() ?? null, request)),
  )
}

async function leaveIn(
  tx: Transaction,
  deps: AccountDeps,
  mfaToken: string,
  wanted: string | null,
  request: SignInRequest,
): Promise<SignInOutcome> {
  const waiting = await findChallenge(tx, deps, mfaToken)
  if (!waiting?.teamId) return rejectExpiredChallenge(tx, deps, request)
  const start = await startOf(tx, deps, { ...waiting, teamId: waiting.teamId }, wanted, request)
  // Another request may have redeemed the challenge while this one waited for the lock.
  if (!start || !(await findChallenge(tx, deps, mfaToken))) return rejectExpiredChallenge(tx, deps, request)
  const scope = { userId: waiting.userId, teamId: waiting.teamId, restrictedTo: start.restrictedToTeam }
  const valid = await validFactors(tx, scope)
  if (start.restrictedToTeam) throw permissionError('team_sign_in_required')
  if (!mayLeave(start, valid) || start.leftTeams?.some((id) => id === wanted))
    throw permissionError('second_factor_required')
  if (wanted === null && !(await otherTeamsOf(tx, deps, start, valid))) throw memberError('not_a_member')
  await redeemOneTimeToken(tx, deps.clock, ['mfa_challenge'], mfaToken)
  return signIn(tx, deps, start)
}

/** Locks the account and returns the sign-in as the first step left it; undefined if the account was deleted. */
async function startOf(
  tx: Transaction,
  deps: AccountDeps,
  waiting: OneTimeToken & { teamId: TeamId },
  wanted: string | null,
  request: SignInRequest,
): Promise<SignIn | undefined> {
  const { userId, email, teamId } = waiting
  const state = waiting.data as unknown as PendingSignIn
  const user = await lockUser(tx, userId)
  if (!user) return undefined
  const device = await knownDevice(tx, userId, request.deviceToken)
  const lockout =
    state.method === 'password' ? await verifyLockout(tx, deps, { email, device, named: null }) : undefined
  const start: SignIn = {
    user,
    method: state.method,
    amr: state.amr,
    restrictedToTeam: state.restrictedToTeam,
    wantedTeam: wanted,
    // Without `passwordDueTeamIds`: each team evaluates the age of the password itself.
    passwordDue: state.passwordDue,
    temporarySetBy: state.temporarySetBy,
    replaces: state.replaces,
    rejectedTeams: state.rejectedTeams,
    leftTeams: state.leftTeams,
    ...(lockout && { isLockedOut: isLockedForPassword(deps, lockout), locksOwnTeam: lockout.locksOwnTeam }),
    request: { ...request, remember: state.remember },
  }
  return leaving(start, teamId)
}
