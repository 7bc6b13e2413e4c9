import { type BoundedQueue, createBoundedQueue } from '../../../platform/concurrency/fair-queue.js'

/** Sign-ins to one account that hold a database connection at the same time. They lock the account, so more would only wait. */
const CONCURRENT_SIGN_INS = 2

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
  createBoundedQueue({ slots: Number.POSITIVE_INFINITY, perKey: CONCURRENT_SIGN_INS, waiting })
