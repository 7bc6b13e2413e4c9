import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { AssertionAnswer } from '../../protocols/webauthn/index.js'
import type { AuditAction } from '../audit/index.js'
import { lockUser, type User } from '../identities/index.js'
import {
  type ChallengeFor,
  type FactorScope,
  judgeCode,
  judgePasskey,
  type TypedCode,
  type UsedFactor,
  validFactors,
} from '../mfa/index.js'
import { deviceWithFactor, knownDevice } from '../sessions/index.js'
import {
  countFailure,
  forgottenBySuccess,
  judgeLockout,
  type Lockout,
  logsLock,
  refusesAttempt,
} from './account-lockout.js'
import type { AccountDeps } from './deps.js'
import { judgeFactorAttempts } from './factor-attempts.js'
import { clearFailures, countSourceFailure } from './sign-in-limits.js'

/** A code that was typed, or what a passkey answered. */
export type FactorAnswer = { typed: TypedCode } | { credential: AssertionAnswer }

export const kindOf = (answer: FactorAnswer): 'PASSKEY' | 'BACKUP_CODE' | 'TOTP' => {
  if ('credential' in answer) return 'PASSKEY'
  return answer.typed.isBackupCode ? 'BACKUP_CODE' : 'TOTP'
}

interface Attempt {
  userId: UserId
  email: string
  teamId: TeamId
  /** The team that the sign-in or session is restricted to. */
  restrictedTo: TeamId | null
  origin: RequestOrigin
  deviceToken: string | undefined
  /** What a passkey would answer. */
  use: ChallengeFor
  /** What the entry of a failure says. */
  failure: { action: AuditAction; metadata: Record<string, unknown> }
}

export interface JudgedFactor {
  user: User
  lockout: Lockout
  /** Undefined when the answer proves nothing, or nobody looked because the account is closed. */
  factor: UsedFactor | undefined
  /** Forgets the failures, now or when more has been found out. */
  clear(): Promise<void>
}

/**
 * Locks the account, verifies the answer and counts a wrong one. Returns undefined for an account that is gone. Runs in the caller's
 * transaction.
 * @param isOpen what must still hold once the account is locked
 */
export async function judgeFactor(
  tx: Transaction,
  deps: AccountDeps,
  answer: FactorAnswer,
  { userId, email, teamId, restrictedTo, origin, deviceToken, use, failure }: Attempt,
  isOpen: () => Promise<boolean> = async () => true,
): Promise<JudgedFactor | undefined> {
  const user = await lockUser(tx, userId)
  if (!user || !(await isOpen())) return undefined
  const lockout = await judgeLockout(tx, deps, {
    email,
    device: await knownDevice(tx, userId, deviceToken),
    named: teamId,
    isRestricted: restrictedTo !== null,
  })
  const scope = { userId, teamId, restrictedTo }
  const attempts = await judgeFactorAttempts(tx, deps, scope, await trustedFor(tx, scope, deviceToken))
  // Nobody guesses a passkey: what strangers do at other doors does not close this one to its owner.
  const locked = 'typed' in answer && (attempts.locked || refusesAttempt(lockout, teamId))
  const factor = locked ? undefined : await judge(tx, deps, scope, answer, use, origin)
  const clear = () =>
    clearFailures(tx, deps, ['sign-in', 'challenge'], origin, [
      ...forgottenBySuccess(lockout, restrictedTo),
      attempts.counter.key,
    ])
  if (!factor) {
    const subject = { userId, teamId, origin }
    // The answers of a restricted sign-in are counted for its team alone.
    const isLogged = logsLock(lockout) || (restrictedTo !== null && attempts.locked)
    await countSourceFailure(tx, deps, 'challenge', origin)
    await deps.audit.record(tx, subject, failure.action, {
      result: 'FAILURE',
      resource: `user:${userId}`,
      metadata: { ...failure.metadata, factor: kindOf(answer), reason: locked && isLogged ? 'locked' : 'wrong' },
    })
    await countFailure(tx, deps, lockout, subject, { own: !locked, team: !locked })
    await deps.throttle.countAll(tx, [attempts.counter])
  }
  return { user, lockout, factor, clear }
}

/** The browser, if it has a counter of its own: it has verified an unrestricted factor, and one is accepted here. */
async function trustedFor(
  tx: Transaction,
  scope: FactorScope,
  deviceToken: string | undefined,
): Promise<Buffer | undefined> {
  const valid = await validFactors(tx, scope)
  if (!valid.some(({ restrictedTo }) => restrictedTo === null)) return undefined
  return deviceWithFactor(tx, scope.userId, deviceToken)
}

async function judge(
  tx: Transaction,
  deps: AccountDeps,
  scope: FactorScope,
  answer: FactorAnswer,
  use: ChallengeFor,
  origin: RequestOrigin,
): Promise<UsedFactor | undefined> {
  if ('typed' in answer) return judgeCode(tx, deps, scope, answer.typed)
  const judged = await judgePasskey(tx, deps, answer.credential, { use, scope, alone: false, origin })
  return 'factor' in judged ? judged.factor : undefined
}
