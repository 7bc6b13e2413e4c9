import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { UserId } from '../../../platform/ids.js'
import type { ThrottleKey } from '../../../platform/throttle/throttle.js'
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
import {
  countFailure,
  forgottenBySuccess,
  type Lockout,
  logsLock,
  rejectsAttempt,
  rejectsRestricted,
  verifyLockout,
} from '../limits/account-lockout.js'
import { verifyFactorAttempts } from '../limits/factor-attempts.js'
import { clearFailures, countSourceFailure } from '../limits/sign-in-limits.js'

/** A typed code, or a passkey assertion. */
export type FactorResponse = { typed: TypedCode } | { credential: AssertionResponse }

export const kindOf = (response: FactorResponse): 'PASSKEY' | 'BACKUP_CODE' | 'TOTP' => {
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

export interface VerifiedFactor {
  user: User
  lockout: Lockout
  /** Undefined if the response is wrong, or was not verified because of a lock. */
  factor: UsedFactor | undefined
  /** Resets the failure counters; called once the sign-in has succeeded. */
  clear(): Promise<void>
}

/**
 * Locks the account, verifies the response and counts a wrong one. Returns undefined for a deleted account. Runs in the caller's transaction.
 * @param isValid returns whether the challenge or session is still valid once the account is locked
 */
export async function verifyFactor(
  tx: Transaction,
  deps: AccountDeps,
  response: FactorResponse,
  attempt: Attempt,
  isValid: () => Promise<boolean> = async () => true,
): Promise<VerifiedFactor | undefined> {
  const {
    userId,
    teamId,
    restrictedTo,
    ofAccount = false,
    email,
    origin,
    deviceToken,
    afterPassword,
    use,
    failure,
  } = attempt
  const user = await lockUser(tx, userId)
  if (!user || !(await isValid())) return undefined
  const scope = { userId, teamId, restrictedTo, ofAccount }
  const valid = await validFactors(tx, scope)
  const isOfTeam = isOfTeamAlone(scope, valid)
  const lockout = await verifyLockout(tx, deps, {
    email,
    device: await knownDevice(tx, userId, deviceToken),
    named: teamId,
    restrictedTo: isOfTeam ? [teamId] : [],
    isRestricted: isOfTeam,
  })
  const attempts = await verifyFactorAttempts(tx, deps, userId, {
    restrictedTo: isOfTeam ? teamId : null,
    trustedDevice: await trustedFor(tx, userId, valid, deviceToken),
  })
  const isLockedOut = restrictedTo ? rejectsRestricted(lockout, restrictedTo) : rejectsAttempt(lockout, teamId)
  // A passkey cannot be guessed, so a lock caused by failures of others does not apply to it.
  const locked = 'typed' in response && (attempts.locked || (afterPassword && isLockedOut))
  const factor = locked ? undefined : await verify(tx, deps, scope, response, use, origin)
  const clear = () => clearFailures(tx, deps, ['sign-in', 'challenge'], origin, clearedBy(factor))
  /** A team must not reset guesses of an unrestricted factor by one that it controls. */
  const clearedBy = (used: UsedFactor | undefined): ThrottleKey[] => {
    const isUnrestricted = valid.some(({ id, restrictedTo }) => id === used?.id && restrictedTo === null)
    const comparesOwn = valid.some(({ restrictedTo }) => restrictedTo === null)
    return [
      ...forgottenBySuccess(lockout, restrictedTo ?? (isUnrestricted ? null : teamId)),
      ...(isUnrestricted || !comparesOwn ? [attempts.counter.key] : []),
    ]
  }
  if (!factor) {
    const subject = { userId, teamId, origin }
    const isLogged = logsLock(lockout) || (isOfTeam && attempts.locked)
    await countSourceFailure(tx, deps, 'challenge', origin)
    await deps.audit.record(tx, subject, failure.action, {
      result: 'FAILURE',
      resource: `user:${userId}`,
      metadata: { ...failure.metadata, factor: kindOf(response), reason: locked && isLogged ? 'locked' : 'wrong' },
    })
    await countFailure(tx, deps, lockout, subject, { own: !locked, team: !locked })
    await deps.throttle.countAll(tx, [attempts.counter])
  }
  return { user, lockout, factor, clear }
}

/** Returns whether failures count for the team alone: the sign-in is restricted to it, or no unrestricted factor is valid in it. */
const isOfTeamAlone = ({ restrictedTo }: FactorScope, valid: ValidFactor[]): boolean =>
  restrictedTo !== null || (valid.length > 0 && valid.every((factor) => factor.restrictedTo !== null))

/** Returns the browser if it has its own counter: it has verified an unrestricted factor, and one is accepted here. */
async function trustedFor(
  tx: Transaction,
  userId: UserId,
  valid: ValidFactor[],
  deviceToken: string | undefined,
): Promise<Buffer | undefined> {
  if (!valid.some(({ restrictedTo }) => restrictedTo === null)) return undefined
  return deviceWithFactor(tx, userId, deviceToken)
}

async function verify(
  tx: Transaction,
  deps: AccountDeps,
  scope: FactorScope,
  response: FactorResponse,
  use: ChallengeBinding,
  origin: RequestOrigin,
): Promise<UsedFactor | undefined> {
  if ('typed' in response) return verifyCode(tx, deps, scope, response.typed)
  const verified = await verifyPasskey(tx, deps, response.credential, { use, scope, isPasswordless: false, origin })
  return 'factor' in verified ? verified.factor : undefined
}
