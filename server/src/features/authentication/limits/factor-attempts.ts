import { MINUTE } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { type Counter, throttleKey } from '../../../platform/throttle/throttle.js'
import type { AccountDeps } from '../deps.js'

/** Limits guesses of six digits even if a team or the operator does not limit passwords. */
const MOST = 10

/**
 * The counter of failed second factors of an account, in addition to its other failure counters. Only a correct factor resets it: a correct
 * or new password would otherwise allow unlimited guesses. A browser that has verified a factor before has its own counter, so that an
 * attacker cannot lock out the owner. So has each team for sign-ins that it controls or in which only its factors are valid.
 */
export interface FactorAttempts {
  counter: Counter
  locked: boolean
}

/** Reads and locks the counter. Runs in the caller's transaction. */
export async function verifyFactorAttempts(
  tx: Transaction,
  { throttle, config }: Pick<AccountDeps, 'throttle' | 'config'>,
  userId: UserId,
  { restrictedTo, trustedDevice }: { restrictedTo: TeamId | null; trustedDevice: Buffer | undefined },
): Promise<FactorAttempts> {
  const key = throttleKey('factor', userId, restrictedTo ?? trustedDevice?.toString('hex') ?? '')
  const span = config.limits.accountMinutes * MINUTE
  const counter = { key, limit: { max: config.limits.accountFailures || MOST, windowMs: span, lockMs: span } }
  const [locked = false] = await throttle.locked(tx, [counter])
  return { counter, locked }
}
