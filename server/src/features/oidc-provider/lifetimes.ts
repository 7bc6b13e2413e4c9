/** How long things live, in seconds. */
export const LIFETIMES = {
  authorizationCode: 60,
  interaction: 3_600,
  accessToken: 3_600,
  idToken: 3_600,
  refreshToken: 2_592_000,
  /** The most that the JWT by which a client proves itself may last: five minutes, and what clocks differ by. */
  clientAssertion: 315,
  /** For so long a rotated refresh token gets its successor once more. */
  reuseInterval: 30,
} as const

/** How long the row of a grant is kept at least: longer than any access token given with it. A refresh token prolongs it. */
export const GRANT_LIFE = 2 * 86_400
