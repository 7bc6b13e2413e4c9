import { undefinedOn } from '../../../platform/app-error.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import { memberError } from '../../members/index.js'
import { type ChallengeBinding, mfaError, passkeyRequestOptions, readCode, validFactors } from '../../mfa/index.js'
import { permissionError } from '../../permissions/index.js'
import {
  countTokenFailure,
  knownDevice,
  lockSession,
  type OneTimeToken,
  peekOneTimeToken,
  redeemOneTimeToken,
} from '../../sessions/index.js'
import { lockUser } from '../../users/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { wrongFactor } from '../errors.js'
import { isLockedForPassword, verifyLockout } from '../limits/account-lockout.js'
import { admitSource, countSourceFailure } from '../limits/sign-in-limits.js'
import { leaving, mayLeave, otherTeamsOf } from '../pipeline/choose-team.js'
import type { PendingSignIn } from '../pipeline/require-factor.js'
import { sessionOf, signIn } from '../pipeline/sign-in.js'
import type { SignedIn, SignIn, SignInOutcome } from '../pipeline/sign-in-step.js'
import { type FactorResponse, verifyFactor } from './verify-factor.js'

/** Failed attempts after which a challenge is revoked. */
const TRIES = 5

/** A challenge that is neither redeemed nor expired. */
interface OpenChallenge extends Pick<OneTimeToken, 'userId' | 'email'> {
  teamId: TeamId
  state: PendingSignIn
}

/** Binds the WebAuthn challenge of a second factor to the pending sign-in. */
const bindingOf = (mfaToken: string): ChallengeBinding => ({
  purpose: 'second_factor',
  boundTo: [tokenHash(mfaToken).toString('hex')],
})

/** Returns the pending sign-in of a challenge token; undefined if it is unknown, redeemed or expired. Runs in the caller's transaction. */
async function findChallenge(tx: Transaction, { clock }: AccountDeps, mfaToken: string) {
  const found = peekOneTimeToken(tx, clock, ['mfa_challenge'], mfaToken)
  const token = await found.catch(undefinedOn('invalid_token'))
  if (!token?.teamId) return undefined
  const { userId, email, teamId, data } = token
  return { userId, email, teamId, state: data as unknown as PendingSignIn }
}

/**
 * Runs `work` with a pending sign-in in one transaction. `work` returns undefined if it finds that the challenge has ended meanwhile. Records
 * and counts a response to an unknown, used or expired challenge.
 * @throws mfa_expired, rate_limited; a rejection that `work` returns
 */
async function withChallenge(
  deps: AccountDeps,
  mfaToken: string,
  { origin }: SignInRequest,
  work: (tx: Transaction, challenge: OpenChallenge) => Promise<SignInOutcome | undefined>,
): Promise<SignedIn> {
  await admitSource(deps, 'challenge', origin)
  const outcome = await deps.db.transaction(async (tx): Promise<SignInOutcome> => {
    const challenge = await findChallenge(tx, deps, mfaToken)
    const result = challenge && (await work(tx, challenge))
    if (result) return result
    await countSourceFailure(tx, deps, 'challenge', origin)
    await deps.audit.record(tx, { userId: null, teamId: null, origin }, 'user.challenge_failed', {
      result: 'FAILURE',
      metadata: { reason: 'expired' },
    })
    return { rejected: mfaError('mfa_expired') }
  })
  return sessionOf(outcome)
}

/** Returns the WebAuthn request options for the passkeys of a pending sign-in. @throws mfa_expired, no_passkey, rate_limited */
export async function challengeOptions(deps: AccountDeps, mfaToken: string, origin: RequestOrigin) {
  await admitSource(deps, 'challenge', origin)
  return deps.db.transaction(async (tx) => {
    const challenge = await findChallenge(tx, deps, mfaToken)
    if (!challenge) throw mfaError('mfa_expired')
    const { userId, teamId, state } = challenge
    const scope = { userId, teamId, restrictedTo: state.restrictedToTeam }
    return passkeyRequestOptions(tx, deps, scope, bindingOf(mfaToken))
  })
}

/**
 * Completes a pending sign-in with a second factor. A failure counts like a wrong password, and for the factor itself, so that a client
 * with the password gains no attempts with another challenge. Runs the pipeline again: it rejects a user who was suspended meanwhile.
 * @throws mfa_expired, mfa_invalid, rate_limited, invalid_request for a malformed code; the errors of the pipeline
 */
export async function completeChallenge(
  deps: AccountDeps,
  mfaToken: string,
  response: FactorResponse,
  request: SignInRequest,
): Promise<SignedIn> {
  if ('typed' in response) readCode(response.typed)
  return withChallenge(
    deps,
    mfaToken,
    request,
    async (tx, { userId, email, teamId, state: { remember, ...state } }) => {
      const attempt = {
        userId,
        email,
        teamId,
        restrictedTo: state.restrictedToTeam,
        origin: request.origin,
        deviceToken: request.deviceToken,
        afterPassword: !state.replaces && state.amr.includes('pwd'),
        use: bindingOf(mfaToken),
        failure: { action: 'user.challenge_failed', metadata: { method: state.method } },
      } as const
      // Another request may have redeemed the challenge, or ended the session that it replaces, while this one waited for the lock.
      const isPending = async () =>
        (await findChallenge(tx, deps, mfaToken)) !== undefined &&
        (!state.replaces || (await lockSession(tx, deps.clock, state.replaces)) !== undefined)
      const verified = await verifyFactor(tx, deps, response, attempt, isPending)
      if (verified === 'ended') return undefined
      if (verified === 'wrong') {
        await countTokenFailure(tx, deps.clock, mfaToken, TRIES)
        return { rejected: wrongFactor() }
      }
      const { user, factor, clear } = verified
      await redeemOneTimeToken(tx, deps.clock, ['mfa_challenge'], mfaToken)
      const outcome = await signIn(tx, deps, {
        ...state,
        user,
        amr: [...new Set([...state.amr, ...factor.amr])],
        factor,
        wantedTeam: teamId,
        request: { ...request, remember },
      })
      if ('session' in outcome) await clear()
      return outcome
    },
  )
}

/**
 * Ends a challenge and continues the sign-in in another team, with all requirements of that team. For a user whose team requires a factor
 * that is restricted to it. Failure counters of the account are not reset.
 * @param teamId the other team; undefined: the next of the user's teams, or a new own team
 * @throws mfa_expired; team_sign_in_required for a restricted sign-in; second_factor_required if an unrestricted factor is accepted, in a
 *   switch, or for a team that was left before; not_a_member without another team; the errors of the pipeline
 */
export function leaveChallenge(
  deps: AccountDeps,
  mfaToken: string,
  teamId: string | undefined,
  request: SignInRequest,
): Promise<SignedIn> {
  const wanted = teamId?.toLowerCase() ?? null
  return withChallenge(deps, mfaToken, request, async (tx, challenge) => {
    const start = await startAgain(tx, deps, challenge, wanted, request)
    // Another request may have redeemed the challenge while this one waited for the lock.
    if (!start || !(await findChallenge(tx, deps, mfaToken))) return undefined
    const { userId, teamId } = challenge
    const valid = await validFactors(tx, { userId, teamId, restrictedTo: start.restrictedToTeam })
    if (start.restrictedToTeam) throw permissionError('team_sign_in_required')
    if (!mayLeave(start, valid) || start.leftTeams?.some((id) => id === wanted))
      throw permissionError('second_factor_required')
    if (wanted === null && !(await otherTeamsOf(tx, deps, start, valid))) throw memberError('not_a_member')
    await redeemOneTimeToken(tx, deps.clock, ['mfa_challenge'], mfaToken)
    return signIn(tx, deps, start)
  })
}

/** Locks the account and returns the sign-in as the first step left it; undefined if the account was deleted. */
async function startAgain(
  tx: Transaction,
  deps: AccountDeps,
  { userId, email, teamId, state }: OpenChallenge,
  wanted: string | null,
  request: SignInRequest,
): Promise<SignIn | undefined> {
  const user = await lockUser(tx, userId)
  if (!user) return undefined
  const device = await knownDevice(tx, userId, request.deviceToken)
  const lockout =
    state.method === 'password' ? await verifyLockout(tx, deps, { email, device, named: null }) : undefined
  const { method, amr, restrictedToTeam, passwordDue, temporarySetBy, replaces, rejectedTeams, leftTeams } = state
  const start: SignIn = {
    user,
    method,
    amr,
    restrictedToTeam,
    wantedTeam: wanted,
    // Without `passwordDueTeamIds`: each team evaluates the age of the password itself.
    passwordDue,
    temporarySetBy,
    replaces,
    rejectedTeams,
    leftTeams,
    ...(lockout && { isLockedOut: isLockedForPassword(deps, lockout), locksOwnTeam: lockout.locksOwnTeam }),
    request: { ...request, remember: state.remember },
  }
  return leaving(start, teamId)
}
