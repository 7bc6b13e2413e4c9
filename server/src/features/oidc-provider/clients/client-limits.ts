import { MINUTE } from '../../../platform/clock.js'
import type { Runner, Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import { sourceOf, type ThrottleKey, throttleKey } from '../../../platform/throttle/throttle.js'
import type { OidcProviderDeps } from '../model/deps.js'

type LimitDeps = Pick<OidcProviderDeps, 'throttle' | 'config'>

const WINDOW = 10 * MINUTE

/** Returns the throttle key that counts failed client authentications of a source. */
export const clientSourceKey = (origin: RequestOrigin): ThrottleKey =>
  throttleKey('source', 'client', sourceOf(origin.ip))

/** SQL subquery: the number of failures of the source in the current window; null if there are none. */
export const clientFailures = (key: string, now: string): string =>
  `(SELECT c.count FROM throttle_counters c WHERE c.key = ${key} AND c.window_ends_at > ${now})`

/** Returns whether a source with this number of failures is limited to one request per second. */
export const isThrottled = ({ config }: Pick<LimitDeps, 'config'>, failures: number | null | undefined): boolean =>
  config.limits.sourceFailures > 0 && (failures ?? 0) >= config.limits.sourceFailures

/** Limits a source with too many failed client authentications to one request per second. @throws rate_limited */
export const admitClientSource = (runner: Runner, { throttle, config }: LimitDeps, origin: RequestOrigin) =>
  throttle.admitSource(runner, clientSourceKey(origin), config.limits.sourceFailures)

/** Counts a failed client authentication of the source. */
export const countClientFailure = (tx: Transaction, { throttle, config }: LimitDeps, origin: RequestOrigin) =>
  throttle.countFailure(tx, clientSourceKey(origin), { max: config.limits.sourceFailures, windowMs: WINDOW })
