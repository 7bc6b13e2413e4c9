import type { Transaction } from '../../../platform/db/database.js'
import { mfaError, passkeyRequestOptions, readCode } from '../../mfa/index.js'
import {
  countTokenFailure,
  type IssuedSession,
  lockSession,
  type OneTimeToken,
  redeemOneTimeToken,
} from '../../sessions/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { wrongFactor } from '../errors.js'
import { admitSource, countSourceFailure } from '../limits/sign-in-limits.js'
import type { PendingSignIn } from '../pipeline/require-factor.js'
import { sessionOf, signIn } from '../pipeline/sign-in.js'
import type { Challenge, SignInOutcome } from '../pipeline/sign-in-step.js'
import { challengeOf, findChallenge } from './pending-sign-in.js'
import { type FactorResponse, verifyFactor } from './verify-factor.js'

/** Failed attempts after which a challenge is revoked. */
const TRIES = 5

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
): Promise<IssuedSession | Challenge> {
  if ('typed' in response) readCode(response.typed)
  await admitSource(deps, 'challenge', request.origin)
  return sessionOf(await deps.db.transaction((tx) => completeIn(tx, deps, mfaToken, response, request)))
}

async function completeIn(
  tx: Transaction,
  deps: AccountDeps,
  mfaToken: string,
  response: FactorResponse,
  request: SignInRequest,
): Promise<SignInOutcome> {
  const waiting = await findChallenge(tx, deps, mfaToken)
  if (!waiting?.teamId) return rejectExpiredChallenge(tx, deps, request)
  const state = waiting.data as unknown as PendingSignIn
  const attempt = {
    userId: waiting.userId,
    email: waiting.email,
    teamId: waiting.teamId,
    restrictedTo: state.restrictedToTeam,
    origin: request.origin,
    deviceToken: request.deviceToken,
    afterPassword: !state.replaces && state.amr.includes('pwd'),
    use: challengeOf(mfaToken),
    failure: { action: 'user.challenge_failed', metadata: { method: state.method } },
  } as const
  const verified = await verifyFactor(tx, deps, response, attempt, () => isStillPending(tx, deps, mfaToken, state))
  if (!verified) return rejectExpiredChallenge(tx, deps, request)
  const { user, factor, clear } = verified
  if (!factor) {
    await countTokenFailure(tx, deps.clock, mfaToken, TRIES)
    return { rejected: wrongFactor() }
  }
  await redeemOneTimeToken(tx, deps.clock, ['mfa_challenge'], mfaToken)
  const outcome = await signIn(tx, deps, {
    user,
    method: state.method,
    amr: [...new Set([...state.amr, ...factor.amr])],
    restrictedToTeam: state.restrictedToTeam,
    asserted: state.asserted,
    wantedTeam: waiting.teamId,
    passwordDue: state.passwordDue,
    passwordDueTeamIds: state.passwordDueTeamIds,
    temporarySetBy: state.temporarySetBy,
    factor,
    factorDecision: state.factorDecision,
    replaces: state.replaces,
    verifiedFactorIds: state.verifiedFactorIds,
    signedInAt: state.signedInAt,
    rejectedTeams: state.rejectedTeams,
    leftTeams: state.leftTeams,
    welcomedBy: state.welcomedBy,
    request: { ...request, remember: state.remember },
  })
  if ('session' in outcome) await clear()
  return outcome
}

/** Returns whether the challenge is still valid after the wait for the account's lock, and the session that it replaces has not ended. */
async function isStillPending(
  tx: Transaction,
  deps: AccountDeps,
  mfaToken: string,
  { replaces }: PendingSignIn,
): Promise<boolean> {
  const waiting: OneTimeToken | undefined = await findChallenge(tx, deps, mfaToken)
  return waiting !== undefined && (!replaces || (await lockSession(tx, deps.clock, replaces)) !== undefined)
}

/** Records and counts a response to an unknown, used or expired challenge. Runs in the caller's transaction. */
export async function rejectExpiredChallenge(
  tx: Transaction,
  deps: AccountDeps,
  { origin }: SignInRequest,
): Promise<SignInOutcome> {
  await countSourceFailure(tx, deps, 'challenge', origin)
  await deps.audit.record(tx, { userId: null, teamId: null, origin }, 'user.challenge_failed', {
    result: 'FAILURE',
    metadata: { reason: 'expired' },
  })
  return { rejected: mfaError('mfa_expired') }
}

/** Returns the WebAuthn request options for the passkeys of a pending sign-in. @throws mfa_expired, no_passkey, rate_limited */
export async function challengeOptions(deps: AccountDeps, mfaToken: string, { origin }: SignInRequest) {
  await admitSource(deps, 'challenge', origin)
  return deps.db.transaction(async (tx) => {
    const waiting = await findChallenge(tx, deps, mfaToken)
    if (!waiting?.teamId) throw mfaError('mfa_expired')
    const { restrictedToTeam } = waiting.data as unknown as PendingSignIn
    const scope = { userId: waiting.userId, teamId: waiting.teamId, restrictedTo: restrictedToTeam }
    return passkeyRequestOptions(tx, deps, scope, challengeOf(mfaToken))
  })
}
