/** How long the tokens of an application live, in seconds, and what the use of a refresh token gives. */
export interface TokenPolicy {
  accessTokenLifetime: number
  idTokenLifetime: number
  refreshTokenLifetime: number
  /** Whether each use of a refresh token gives another. */
  rotationEnabled: boolean
  /** For so long a rotated refresh token gets its successor once more. */
  reuseInterval: number
}

export const DEFAULT_TOKEN_POLICY: TokenPolicy = {
  accessTokenLifetime: 3_600,
  idTokenLifetime: 3_600,
  refreshTokenLifetime: 2_592_000,
  rotationEnabled: true,
  reuseInterval: 30,
}
