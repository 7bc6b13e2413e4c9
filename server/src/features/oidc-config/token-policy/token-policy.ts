/** Token lifetimes of an application in seconds, and the rotation of refresh tokens. */
export interface TokenPolicy {
  accessTokenLifetime: number
  idTokenLifetime: number
  refreshTokenLifetime: number
  /** Whether each use of a refresh token replaces it. */
  rotationEnabled: boolean
  /** Seconds for which a rotated refresh token returns the same successor again. */
  reuseInterval: number
}

export const DEFAULT_TOKEN_POLICY: TokenPolicy = {
  accessTokenLifetime: 3_600,
  idTokenLifetime: 3_600,
  refreshTokenLifetime: 2_592_000,
  rotationEnabled: true,
  reuseInterval: 30,
}
