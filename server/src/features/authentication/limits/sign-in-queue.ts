import { createFairQueue } from '../../../platform/concurrency/fair-queue.js'
import { retryLater } from '../../../platform/errors.js'

/** Sign-ins to one account that hold a database connection at the same time. They lock the account, so more would only wait. */
const AT_ONCE = 2

/**
 * Returns the queue key of a password sign-in. A known device has its own queue, as it has its own counters, so that attempts of others at
 * the same email address do not delay the user.
 * @param device SHA-256 of the browser's device cookie, if the account knows the browser
 */
export const queueKeyOfAttempt = (email: string, device: Buffer | undefined): string =>
  device ? `${email} ${device.toString('base64')}` : email

export interface SignInQueue {
  /** Runs work that locks an account, at most a few at a time. @throws rate_limited if too many are queued */
  take<T>(account: string, work: () => Promise<T>): Promise<T>
}

/**
 * Creates the queue of sign-ins on this node, by account. Queued sign-ins hold no database connection.
 * @param waiting the maximum length of the queue of one account
 */
export function createSignInQueue(waiting: number): SignInQueue {
  const queue = createFairQueue(Number.POSITIVE_INFINITY, AT_ONCE)
  return {
    async take(account, work) {
      if (queue.wouldWait(account) && queue.waiting(account) >= waiting) throw retryLater('rate_limited', 1)
      return queue.run(account, work)
    },
  }
}
