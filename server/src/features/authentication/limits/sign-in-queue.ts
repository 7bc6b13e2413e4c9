import { type BoundedQueue, createBoundedQueue } from '../../../platform/concurrency/fair-queue.js'
import type { Transaction } from '../../../platform/db/database.js'
import { SignOnNotCompiled } from '../../policies/index.js'
import type { AccountDeps } from '../deps.js'

/** Sign-ins to one account that hold a database connection at the same time. They lock the account, so more would only wait. */
const MAX_CONCURRENT = 2

/**
 * Returns the queue key of a password sign-in. A known device has its own queue, as it has its own counters, so that attempts of others at
 * the same email address do not delay the user.
 * @param device SHA-256 of the browser's device cookie, if the account knows the browser
 */
export const queueKeyOfAttempt = (email: string, device: Buffer | undefined): string =>
  device ? `${email} ${device.toString('base64')}` : email

/**
 * Creates the queue of sign-ins on this node, by account. Queued sign-ins hold no database connection.
 * @param waiting the maximum length of the queue of one account
 */
export const createSignInQueue = (waiting: number): BoundedQueue =>
  createBoundedQueue({ slots: Number.POSITIVE_INFINITY, perKey: MAX_CONCURRENT, waiting })

/** How often a sign-in is retried because the policies of its team changed, before it compiles them inside the transaction. */
const TRIES = 3

/**
 * Runs the transaction of a sign-in in the queue of its account. If many policies must be compiled for it, compiles them outside the
 * transaction and retries.
 * @param account the queue key, such as the email address
 * @throws rate_limited if too many sign-ins to the account are queued
 */
export async function signInTransaction<T>(
  deps: AccountDeps,
  account: string,
  work: (tx: Transaction, deps: AccountDeps) => Promise<T>,
): Promise<T> {
  const queued = (given: AccountDeps) =>
    deps.signInQueue.take(account, () => deps.db.transaction((tx) => work(tx, given)))
  const compiled: AccountDeps = {
    ...deps,
    decideSignOn: (tx, teamId, request) => deps.decideSignOn(tx, teamId, request, false),
  }
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await queued(compiled)
    } catch (error) {
      if (!(error instanceof SignOnNotCompiled)) throw error
      // The retry reports a failure, such as a deleted team.
      await error.compile().catch(() => undefined)
    }
  }
  return queued(deps)
}
