import { HOUR, MINUTE } from '../../../platform/clock.js'
import type { Runner, Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import { sourceOf, type ThrottleKey, throttleKey } from '../../../platform/throttle/throttle.js'
import type { AccountDeps } from '../deps.js'

/** The kinds of requests with separate counters per source. */
export type SourceKind = 'sign-in' | 'challenge' | 'one-time-token' | 'client'

const SOURCE_WINDOW = 10 * MINUTE

const sourceKey = (kind: SourceKind, origin: RequestOrigin): ThrottleKey =>
  throttleKey('source', kind, sourceOf(origin.ip))

/** Admits one request a second of a source that has failed too often. @throws rate_limited */
export async function admitSource({ db, throttle, config }: AccountDeps, kind: SourceKind, origin: RequestOrigin) {
  await throttle.admitSource(db, sourceKey(kind, origin), config.limits.sourceFailures)
}

/**
 * Counts a failure of a source. A success does not reset it: an attacker with an own account could otherwise guess passwords of others
 * without limit.
 */
export async function countSourceFailure(
  runner: Runner,
  { throttle, config }: AccountDeps,
  kind: SourceKind,
  origin: RequestOrigin,
): Promise<void> {
  await throttle.countFailure(runner, sourceKey(kind, origin), {
    max: config.limits.sourceFailures,
    windowMs: SOURCE_WINDOW,
  })
}

const unverifiedKey = (origin: RequestOrigin): ThrottleKey => throttleKey('source', 'unproven', sourceOf(origin.ip))

/**
 * Counts an unauthenticated request that stores data. Beyond the limit, a source may send one a second. Runs in the caller's transaction.
 * @throws rate_limited
 */
export async function countUnverified(
  tx: Transaction,
  { throttle, config }: Pick<AccountDeps, 'throttle' | 'config'>,
  origin: RequestOrigin,
): Promise<void> {
  const key = unverifiedKey(origin)
  await throttle.admitSource(tx, key, config.limits.sourceFailures)
  await throttle.countFailure(tx, key, { max: config.limits.sourceFailures, windowMs: SOURCE_WINDOW })
}

/**
 * Uncounts one request of `countUnverified` that led to a sign-in. The others stay counted, because an attacker can sign in too. Runs in the
 * caller's transaction.
 */
export const uncountUnverified = (
  tx: Transaction,
  { throttle }: Pick<AccountDeps, 'throttle'>,
  origin: RequestOrigin,
): Promise<void> => throttle.uncount(tx, unverifiedKey(origin))

/** Unverified failures per hour that a team's own log records. */
const UNVERIFIED_FAILURES = 100

/**
 * Returns the audit log for a failure of an unknown user: that of the team up to a limit, so that its administrators see it; beyond it that
 * of the instance (null), so that an attacker cannot flood the team's log. Runs in the caller's transaction.
 */
export async function logForUnverified(
  tx: Transaction,
  { throttle }: Pick<AccountDeps, 'throttle'>,
  teamId: TeamId,
): Promise<TeamId | null> {
  // `max` is the count that locks, so one more than is allowed.
  const limit = { max: UNVERIFIED_FAILURES + 1, windowMs: HOUR, lockMs: HOUR }
  return (await throttle.count(tx, throttleKey('strangers', teamId), limit)) ? null : teamId
}

/** Counts a registration of a source. @throws rate_limited beyond the hourly limit */
export const admitRegistration = ({ db, throttle, config }: AccountDeps, origin: RequestOrigin): Promise<void> =>
  throttle.admitHourly(db, throttleKey('registration', sourceOf(origin.ip)), config.limits.registrations)

/** Counts a request for a link of a source. @throws rate_limited beyond the hourly limit */
export const admitLinkRequest = ({ db, throttle, config }: AccountDeps, origin: RequestOrigin): Promise<void> =>
  throttle.admitHourly(db, throttleKey('link', sourceOf(origin.ip)), config.limits.links)
