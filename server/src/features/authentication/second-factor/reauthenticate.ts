import type { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import { invalidAccessToken, rejection as platformError } from '../../../platform/errors.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { FactorId } from '../../../platform/ids.js'
import type { AssertionResponse } from '../../../protocols/webauthn/index.js'
import type { AuditAction } from '../../audit/index.js'
import {
  type ChallengeBinding,
  mfaError,
  passkeyRequestOptions,
  readCode,
  reauthenticationScope,
  removeAllFactors,
  type TypedCode,
} from '../../mfa/index.js'
import { currentPassword, passwordError } from '../../passwords/index.js'
import {
  knownDevice,
  lockSession,
  type Renewed,
  renewAuthentication,
  requireActiveSession,
  requireRecentAuthentication,
} from '../../sessions/index.js'
import { lockUser } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { requireField } from '../errors.js'
import { countFailure, forgottenBySuccess, logsLock, rejectsAttempt, verifyLockout } from '../limits/account-lockout.js'
import { admitSource, countSourceFailure } from '../limits/sign-in-limits.js'
import { verifyStored } from '../sign-in/stored-password.js'
import { type FactorResponse, verifyFactor } from './verify-factor.js'

/** Binds the WebAuthn challenge of a reauthentication to the user and the session. */
const reauthenticationOf = ({ userId, sessionId }: SessionActor): ChallengeBinding => ({
  purpose: 'reauthenticate',
  boundTo: [userId, sessionId],
})

/** Exactly one of password, code and passkey assertion is used. */
interface CallerProof {
  password?: string | undefined
  typed?: TypedCode | undefined
  credential?: AssertionResponse | undefined
  /** The browser's device cookie. */
  deviceToken: string | undefined
}

/** The result of verifying a signed-in user again. */
interface VerifiedCaller {
  /** Authentication methods (RFC 8176). */
  amr: string[]
  factorIds: FactorId[]
}

/**
 * Verifies a signed-in user by their password or a factor, and runs `then` in a transaction that has locked the account. Failures count like
 * failed sign-ins, and a locked account gets the response of a wrong password or code.
 * @param action the action of the audit entry of a failure
 * @throws wrong_password, mfa_invalid, passkey_invalid (both 403), rate_limited, invalid_request for a malformed code or without a proof
 */
async function verifyCaller<T>(
  deps: AccountDeps,
  actor: SessionActor,
  { password, typed, credential, deviceToken }: CallerProof,
  action: AuditAction,
  then: (tx: Transaction, verified: VerifiedCaller) => Promise<T>,
): Promise<T> {
  if (password !== undefined) {
    const hash = await verifyCallerPassword(deps, actor, password, deviceToken, action)
    return deps.db.transaction(async (tx) => {
      await lockCallerPassword(tx, deps, actor, hash)
      return then(tx, { amr: ['pwd'], factorIds: [] })
    })
  }
  const response: FactorResponse | undefined = credential ? { credential } : typed && { typed }
  if (!response)
    throw platformError('invalid_request', {
      detail: 'Send a password, a code or a passkey assertion',
      errors: [{ path: '/password', message: 'is required if neither code nor credential is sent' }],
    })
  if ('typed' in response) readCode(response.typed)
  await admitSource(deps, 'challenge', actor.origin)
  const attempt = {
    ...reauthenticationScope(actor),
    email: actor.user.email,
    origin: actor.origin,
    deviceToken,
    afterPassword: false,
    use: reauthenticationOf(actor),
    failure: { action, metadata: {} },
  }
  const outcome = await deps.db.transaction(async (tx): Promise<{ result: T } | { rejected: AppError }> => {
    const isActive = async () => (await lockSession(tx, deps.clock, actor.sessionId)) !== undefined
    const verified = await verifyFactor(tx, deps, response, attempt, isActive)
    if (verified === 'ended') throw invalidAccessToken()
    const code = 'typed' in response ? 'mfa_invalid' : 'passkey_invalid'
    if (verified === 'wrong') return { rejected: mfaError(code, { status: 403, recorded: true }) }
    const { id, amr } = verified.factor
    await verified.clear()
    return { result: await then(tx, { amr, factorIds: [id] }) }
  })
  if ('rejected' in outcome) throw outcome.rejected
  return outcome.result
}

/**
 * Verifies the password of a signed-in user: the account's own, or in a restricted session the team password.
 * @returns the verified hash, for `lockCallerPassword`
 * @throws wrong_password, rate_limited
 */
export async function verifyCallerPassword(
  deps: AccountDeps,
  actor: SessionActor,
  password: string,
  deviceToken: string | undefined,
  action: AuditAction,
): Promise<string> {
  const { db, throttle, audit } = deps
  const { userId, teamId, restrictedToTeam: restrictedTo, origin } = actor
  await admitSource(deps, 'sign-in', origin)
  const right = await verifyStored(deps, await currentPassword(db, userId, restrictedTo), password)
  const device = await knownDevice(db, userId, deviceToken)
  const forgotten = await db.transaction(async (tx) => {
    const lockout = await verifyLockout(tx, deps, {
      email: actor.user.email,
      device,
      named: teamId,
      restrictedTo: restrictedTo ? [restrictedTo] : [],
      isRestricted: restrictedTo !== null,
    })
    const locked = rejectsAttempt(lockout, restrictedTo)
    if (right && !locked) return forgottenBySuccess(lockout, restrictedTo)
    await countSourceFailure(tx, deps, 'sign-in', origin)
    await audit.record(tx, actor, action, {
      result: 'FAILURE',
      resource: `user:${userId}`,
      metadata: { reason: locked && logsLock(lockout) ? 'locked' : 'wrong_password' },
    })
    await countFailure(tx, deps, lockout, actor, { own: !right, team: !right || !restrictedTo })
    return undefined
  })
  if (!forgotten || !right) throw passwordError('wrong_password', { recorded: true })
  await db.transaction((tx) => throttle.clear(tx, forgotten))
  return right.hash
}

/**
 * Locks the account, and verifies again that its session is active and that no concurrent change replaced the verified password. Runs in the
 * caller's transaction.
 * @param verified the hash that `verifyCallerPassword` returned; null: the user has no password
 * @throws invalid_access_token, wrong_password
 */
export async function lockCallerPassword(
  tx: Transaction,
  { clock }: AccountDeps,
  actor: SessionActor,
  verified: string | null,
): Promise<void> {
  await lockUser(tx, actor.userId)
  await requireActiveSession(tx, clock, actor)
  const current = await currentPassword(tx, actor.userId, actor.restrictedToTeam)
  if ((current?.hash ?? null) !== verified) throw passwordError('wrong_password')
}

/**
 * Reauthenticates the caller, which allows actions that require a recent sign-in for 15 minutes. Replaces the cookie of the identity
 * providers. A factor that is verified here counts as verified in the session. A restricted session accepts the factors and the password of
 * its team, and not the account's own password.
 * @throws wrong_password, mfa_invalid, passkey_invalid, team_sign_in_required, rate_limited, invalid_request
 */
export function reauthenticate(deps: AccountDeps, actor: SessionActor, proof: CallerProof): Promise<Renewed> {
  return verifyCaller(deps, actor, proof, 'user.reauthenticated', async (tx, { amr, factorIds }) => {
    await deps.audit.record(tx, actor, 'user.reauthenticated', {
      resource: `session:${actor.sessionId}`,
      metadata: { amr },
    })
    return renewAuthentication(tx, deps.clock, actor.sessionId, amr, factorIds)
  })
}

/** Returns the WebAuthn request options for the caller's passkeys. @throws no_passkey */
export function reauthenticationOptions(deps: AccountDeps, actor: SessionActor) {
  return deps.db.transaction((tx) =>
    passkeyRequestOptions(tx, deps, reauthenticationScope(actor), reauthenticationOf(actor)),
  )
}

/**
 * Removes the caller's second factors: in a restricted session those of its team, otherwise the unrestricted ones. Requires a passkey
 * assertion, or a session that has verified one of the factors and the current password. A session without an own password requires a
 * recent sign-in instead. Does nothing for an account without factors.
 * @throws wrong_password, passkey_invalid, second_factor_required, mfa_required_here, reauthentication_required, rate_limited,
 * invalid_request if the proof is missing
 */
export async function disableMfa(
  deps: AccountDeps,
  actor: SessionActor,
  { password, credential, deviceToken }: Omit<CallerProof, 'typed'>,
): Promise<void> {
  // A restricted session must not use the account's own password.
  if (!credential && (actor.restrictedToTeam || !actor.user.hasPassword)) {
    requireRecentAuthentication(deps.clock, actor)
    return deps.db.transaction((tx) => removeAllFactors(tx, deps, actor))
  }
  const proof = credential
    ? { credential, deviceToken }
    : { password: requireField(password, '/password', 'The current password is missing'), deviceToken }
  await verifyCaller(deps, actor, proof, 'user.mfa_disabled', (tx, { factorIds: [verifiedNow] }) =>
    removeAllFactors(tx, deps, actor, verifiedNow),
  )
}
