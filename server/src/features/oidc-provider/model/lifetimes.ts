import { type Clock, SECOND } from '../../../platform/clock.js'
import type { TokenPolicy } from '../../oidc-config/index.js'
import type { Client } from './client.js'

/** How long things live, in seconds, where the token policy of the application does not say it. */
export const LIFETIMES = {
  authorizationCode: 60,
  interaction: 3_600,
  /** A request that was pushed (RFC 9126 2.2). */
  pushedRequest: 60,
  /** A device that waits for somebody to let it in (RFC 8628 3.2), and how long it must wait between two questions. */
  deviceCode: 600,
  devicePoll: 5,
  /** The most that a token lives that an agent got for one of a user. */
  exchangedToken: 3_600,
  /** By how much the clock of a client may differ from ours. */
  clockDifference: 15,
  /** The most that the JWT by which a client proves itself may last: five minutes, and what clocks differ by. */
  clientAssertion: 315,
} as const

/** How long the row of a grant is kept at least. */
export const MIN_GRANT_LIFETIME = 2 * 86_400

/** Seconds that an access token lasts: no longer than its grant, where it has one. */
export function effectiveAccessLifetime(
  clock: Clock,
  { accessTokenLifetime }: TokenPolicy,
  grantEndsAt: Date | undefined,
): number {
  if (!grantEndsAt) return accessTokenLifetime
  const left = Math.floor(grantEndsAt.getTime() / SECOND) - Math.floor(clock.ms() / SECOND)
  return Math.max(Math.min(accessTokenLifetime, left), 1)
}

/** How long it is kept for a client: longer than any access token given with it. A refresh token prolongs it. */
export const grantLifetime = ({ config }: Pick<Client, 'config'>): number =>
  Math.max(MIN_GRANT_LIFETIME, config.tokenPolicy.accessTokenLifetime + LIFETIMES.authorizationCode)
