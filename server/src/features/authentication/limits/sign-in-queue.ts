import { retryLater } from '../../../platform/errors.js'
import { createFairQueue } from '../../../platform/fair-queue.js'

/** Sign-ins to one account that hold a connection to the database at once; they lock the account, and so wait for each other. */
const AT_ONCE = 2

/**
 * Returns whose turns a password sign-in uses. A browser that the account knows has its own, as it has counters of its own: attempts of
 * others at the same email address must not keep the user waiting.
 * @param device SHA-256 of the browser's device cookie, if the account knows the browser
 */
export const queueKeyOfAttempt = (email: string, device: Buffer | undefined): string =>
  device ? `${email} ${device.toString('base64')}` : email

export interface SignInTurns {
  /** Runs work that locks an account, when few others of the same account do. @throws rate_limited if too many wait */
  take<T>(account: string, work: () => Promise<T>): Promise<T>
}

/**
 * The turns of sign-ins on one node, by account: those that wait for an account hold no connection to the database.
 * @param waiting how many of one account wait
 */
export function createSignInTurns(waiting: number): SignInTurns {
  const queue = createFairQueue(Number.POSITIVE_INFINITY, AT_ONCE)
  return {
    async take(account, work) {
      if (queue.wouldWait(account) && queue.waiting(account) >= waiting) throw retryLater('rate_limited', 1)
      return queue.run(account, work)
    },
  }
}
