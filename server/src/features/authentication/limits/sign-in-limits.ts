import { HOUR, MINUTE } from '../../../platform/clock.js'
import type { Runner, Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import { sourceOf, type ThrottleKey, throttleKey } from '../../../platform/throttle/throttle.js'
import type { AccountDeps } from '../deps.js'

/** What is counted apart for a source. */
export type SourceKind = 'sign-in' | 'challenge' | 'one-time-token' | 'client'

const SOURCE_WINDOW = 10 * MINUTE

const sourceKey = (kind: SourceKind, origin: RequestOrigin): ThrottleKey =>
  throttleKey('source', kind, sourceOf(origin.ip))

/** Lets a source that has failed too often try once a second. @throws rate_limited */
export async function admitSource(
  { db, throttle, config }: AccountDeps,
  kind: SourceKind,
  origin: RequestOrigin,
): Promise<void> {
  await throttle.admitSource(db, sourceKey(kind, origin), config.limits.sourceFailures)
}

export async function countSourceFailure(
  runner: Runner,
  { throttle, config }: AccountDeps,
  kind: SourceKind,
  origin: RequestOrigin,
): Promise<void> {
  await throttle.countFailure(runner, sourceKey(kind, origin), {
    most: config.limits.sourceFailures,
    windowMs: SOURCE_WINDOW,
  })
}

const unverifiedKey = (origin: RequestOrigin): ThrottleKey => throttleKey('source', 'unproven', sourceOf(origin.ip))

/**
 * A step: counts a request that nobody has proven and of which something is kept. A source that sends very many gets one a second.
 * @throws rate_limited
 */
export async function countUnproven(
  tx: Transaction,
  { throttle, config }: Pick<AccountDeps, 'throttle' | 'config'>,
  origin: RequestOrigin,
): Promise<void> {
  const key = unverifiedKey(origin)
  await throttle.admitSource(tx, key, config.limits.sourceFailures)
  await throttle.countFailure(tx, key, { most: config.limits.sourceFailures, windowMs: SOURCE_WINDOW })
}

/**
 * Takes back one request that `countUnproven` counted, because it led to a sign-in. The others stay counted: an attacker can sign in
 * too. Runs in the caller's transaction.
 */
export const clearUnproven = (
  tx: Transaction,
  { throttle }: Pick<AccountDeps, 'throttle'>,
  origin: RequestOrigin,
): Promise<void> => throttle.uncount(tx, unverifiedKey(origin))

/** Failures of strangers that a team's own log takes in an hour. */
const UNVERIFIED_FAILURES = 100

/**
 * A step: whose audit log takes the entry of a failure in which nobody is known: the team's, so that its administrators see it, as
 * long as there are few; then the instance's (null), so that nobody buries what a team looks for.
 */
export async function logOfOutsider(
  tx: Transaction,
  { throttle }: Pick<AccountDeps, 'throttle'>,
  teamId: TeamId,
): Promise<TeamId | null> {
  // One more than the number locks: the number itself is allowed.
  const limit = { most: UNVERIFIED_FAILURES + 1, windowMs: HOUR, lockMs: HOUR }
  return (await throttle.count(tx, throttleKey('strangers', teamId), limit)) ? null : teamId
}

/**
 * Clears the counters of an account after a success. Those of the source stay: an attacker has an account too, and could otherwise test
 * passwords of others without limit. Runs in the caller's transaction.
 */
export async function clearFailures(
  tx: Transaction,
  { throttle }: AccountDeps,
  _kinds: SourceKind[],
  _origin: RequestOrigin,
  account: ThrottleKey[] = [],
): Promise<void> {
  if (account.length > 0) await throttle.clear(tx, account)
}

/** Counts a registration of a source. @throws rate_limited beyond the hourly number */
export const admitRegistration = ({ db, throttle, config }: AccountDeps, origin: RequestOrigin): Promise<void> =>
  throttle.admitHourly(db, throttleKey('registration', sourceOf(origin.ip)), config.limits.registrations)

/** Counts a request for a link of a source. @throws rate_limited beyond the hourly number */
export const admitLinkRequest = ({ db, throttle, config }: AccountDeps, origin: RequestOrigin): Promise<void> =>
  throttle.admitHourly(db, throttleKey('link', sourceOf(origin.ip)), config.limits.links)
