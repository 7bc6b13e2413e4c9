import { MINUTE } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { UserId } from '../../../platform/ids.js'
import { type Counter, throttleKey } from '../../../platform/throttle/throttle.js'
import type { AssertionResponse } from '../../../protocols/webauthn/index.js'
import type { AuditAction } from '../../audit/index.js'
import {
  type ChallengeBinding,
  type FactorScope,
  type TypedCode,
  type UsedFactor,
  type ValidFactor,
  validFactors,
  verifyCode,
  verifyPasskey,
} from '../../mfa/index.js'
import { deviceWithFactor, knownDevice } from '../../sessions/index.js'
import { lockUser, type User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { countFailure, forgottenBySuccess, logsLock, rejectsAttempt, verifyLockout } from '../limits/account-lockout.js'
import { countSourceFailure } from '../limits/sign-in-limits.js'

/** A typed code, or a passkey assertion. */
export type FactorResponse = { typed: TypedCode } | { credential: AssertionResponse }

const kindOf = (response: FactorResponse): 'PASSKEY' | 'BACKUP_CODE' | 'TOTP' => {
  if ('credential' in response) return 'PASSKEY'
  return response.typed.isBackupCode ? 'BACKUP_CODE' : 'TOTP'
}

interface Attempt extends FactorScope {
  email: string
  origin: RequestOrigin
  deviceToken: string | undefined
  /** The first step was a password: then a lock of the account or the team rejects a code too. */
  afterPassword: boolean
  /** The WebAuthn challenge that a passkey must have signed. */
  use: ChallengeBinding
  /** The audit entry of a failure. */
  failure: { action: AuditAction; metadata: Record<string, unknown> }
}

interface VerifiedFactor {
  user: User
  factor: UsedFactor
  /** Resets the failure counters; called once the sign-in has succeeded. */
  clear(): Promise<void>
}

/** Limits guesses of six digits even if a team or the operator does not limit passwords. */
const MAX_ATTEMPTS = 10

/**
 * Locks the account, verifies the response and counts a wrong one. Runs in the caller's transaction.
 *
 * Failed factors of an account have a counter in addition to its other failure counters. Only a correct factor resets it: a correct or new
 * password would otherwise allow unlimited guesses. A browser that has verified a factor before has its own counter, so that an attacker
 * cannot lock out the owner. So has each team for sign-ins that it controls or in which only its factors are valid.
 * @param isValid returns whether the challenge or session is still valid once the account is locked
 * @returns `wrong` also for a response that was not verified because of a lock; `ended` if the account was deleted or it is not valid
 */
export async function verifyFactor(
  tx: Transaction,
  deps: AccountDeps,
  response: FactorResponse,
  attempt: Attempt,
  isValid: () => Promise<boolean>,
): Promise<VerifiedFactor | 'wrong' | 'ended'> {
  const { throttle } = deps
  const { userId, teamId, restrictedTo, email, origin, deviceToken } = attempt
  const user = await lockUser(tx, userId)
  if (!user || !(await isValid())) return 'ended'
  const valid = await validFactors(tx, attempt)
  const isOfTeam = isOfTeamAlone(attempt, valid)
  const lockout = await verifyLockout(tx, deps, {
    email,
    device: await knownDevice(tx, userId, deviceToken),
    named: teamId,
    restrictedTo: isOfTeam ? [teamId] : [],
    isRestricted: isOfTeam,
  })
  const hasUnrestricted = valid.some((factor) => factor.restrictedTo === null)
  const trusted = hasUnrestricted ? await deviceWithFactor(tx, userId, deviceToken) : undefined
  const attempts = attemptsOf(deps, userId, isOfTeam ? teamId : trusted?.toString('hex'))
  const [isOverLimit = false] = await throttle.locked(tx, [attempts])
  const isLockedOut = attempt.afterPassword && rejectsAttempt(lockout, restrictedTo)
  // A passkey cannot be guessed, so a lock caused by failures of others does not apply to it.
  const locked = 'typed' in response && (isOverLimit || isLockedOut)
  const factor = locked ? undefined : await verify(tx, deps, response, attempt)
  if (!factor) {
    const subject = { userId, teamId, origin }
    const isLogged = logsLock(lockout) || (isOfTeam && isOverLimit)
    const { action, metadata } = attempt.failure
    await countSourceFailure(tx, deps, 'challenge', origin)
    await deps.audit.record(tx, subject, action, {
      result: 'FAILURE',
      resource: `user:${userId}`,
      metadata: { ...metadata, factor: kindOf(response), reason: locked && isLogged ? 'locked' : 'wrong' },
    })
    await countFailure(tx, deps, lockout, subject, { own: !locked, team: !locked })
    await throttle.countAll(tx, [attempts])
    return 'wrong'
  }
  // A team must not reset guesses of an unrestricted factor by one that it controls.
  const isUnrestricted = valid.some(({ id, restrictedTo }) => id === factor.id && restrictedTo === null)
  const cleared = [
    ...forgottenBySuccess(lockout, restrictedTo ?? (isUnrestricted ? null : teamId)),
    ...(isUnrestricted || !hasUnrestricted ? [attempts.key] : []),
  ]
  return { user, factor, clear: () => throttle.clear(tx, cleared) }
}

function attemptsOf({ config: { limits } }: AccountDeps, userId: UserId, who: string | undefined): Counter {
  const span = limits.accountMinutes * MINUTE
  const limit = { max: limits.accountFailures || MAX_ATTEMPTS, windowMs: span, lockMs: span }
  return { key: throttleKey('factor', userId, who ?? ''), limit }
}

/** Returns whether failures count for the team alone: the sign-in is restricted to it, or no unrestricted factor is valid in it. */
const isOfTeamAlone = ({ restrictedTo }: FactorScope, valid: ValidFactor[]): boolean =>
  restrictedTo !== null || (valid.length > 0 && valid.every((factor) => factor.restrictedTo !== null))

async function verify(tx: Transaction, deps: AccountDeps, response: FactorResponse, scope: Attempt) {
  if ('typed' in response) return verifyCode(tx, deps, scope, response.typed)
  const { use, origin } = scope
  const verified = await verifyPasskey(tx, deps, response.credential, { use, scope, isPasswordless: false, origin })
  return 'factor' in verified ? verified.factor : undefined
}
