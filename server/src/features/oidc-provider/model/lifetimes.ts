import { type Clock, SECOND } from '../../../platform/clock.js'
import type { TokenPolicy } from '../../oidc-config/index.js'
import type { Client } from './client.js'

/** Lifetimes in seconds that the token policy of an application does not configure. */
export const LIFETIMES = {
  authorizationCode: 60,
  interaction: 3_600,
  /** RFC 9126 2.2. */
  pushedRequest: 60,
  /** The lifetime of a device code (RFC 8628 3.2), and the minimum interval between two polls. */
  deviceCode: 600,
  devicePoll: 5,
  /** Maximum lifetime of a token from a token exchange. */
  exchangedToken: 3_600,
  /** Accepted difference between the clocks of a client and this service. */
  clockDifference: 15,
  /** How far `exp` of a client assertion may be in the future, besides the clock difference. Its `jti` is stored for as long. */
  clientAssertion: 3_600,
} as const

/** Minimum time that the row of a grant is stored, in seconds. */
export const MIN_GRANT_LIFETIME = 2 * 86_400

/** Returns the lifetime of an access token in seconds. The token expires no later than its grant. */
export function effectiveAccessLifetime(
  clock: Clock,
  { accessTokenLifetime }: TokenPolicy,
  grantEndsAt: Date | undefined,
): number {
  if (!grantEndsAt) return accessTokenLifetime
  const left = Math.floor(grantEndsAt.getTime() / SECOND) - Math.floor(clock.ms() / SECOND)
  return Math.max(Math.min(accessTokenLifetime, left), 1)
}

/** Returns the time that a grant is stored, in seconds: longer than any access token issued with it. Refreshing extends it. */
export const grantLifetime = ({ config }: Pick<Client, 'config'>): number =>
  Math.max(MIN_GRANT_LIFETIME, config.tokenPolicy.accessTokenLifetime + LIFETIMES.authorizationCode)
