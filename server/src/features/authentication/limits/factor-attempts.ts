import { MINUTE } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { type Counter, throttleKey } from '../../../platform/throttle/throttle.js'
import type { AccountDeps } from '../deps.js'

/** Six digits must not be guessed freely, whatever a team or the operator allows for passwords. */
const MOST = 10

/**
 * How an account stands with wrong answers to its second factor. They are counted with its other failures, and here once more: this
 * counter is forgotten by a right factor alone, and not by a right password or a new one, with which guesses could be bought. A browser
 * that has proven the factor before has one of its own, so that a stranger cannot keep the owner out; and so has each team for sign-ins that
 * it controls or in which only its factors are valid, so that it cannot either.
 */
export interface FactorAttempts {
  counter: Counter
  locked: boolean
}

/** A step: until the transaction ends nobody else judges a factor of the account from the same kind of browser. */
export async function verifyFactorAttempts(
  tx: Transaction,
  { throttle, config }: Pick<AccountDeps, 'throttle' | 'config'>,
  userId: UserId,
  { restrictedTo, trustedDevice }: { restrictedTo: TeamId | null; trustedDevice: Buffer | undefined },
): Promise<FactorAttempts> {
  const key = throttleKey('factor', userId, restrictedTo ?? trustedDevice?.toString('hex') ?? '')
  const span = config.limits.accountMinutes * MINUTE
  const counter = { key, limit: { most: config.limits.accountFailures || MOST, windowMs: span, lockMs: span } }
  const [locked = false] = await throttle.locked(tx, [counter])
  return { counter, locked }
}
