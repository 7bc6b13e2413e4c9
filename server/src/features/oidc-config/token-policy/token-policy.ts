import type { oidcTokenPolicies } from '../tables.js'

/** Token lifetimes of an application in seconds, and the rotation of refresh tokens. */
export type TokenPolicy = Omit<typeof oidcTokenPolicies.$inferSelect, 'applicationId' | 'tokensUntil' | 'updatedAt'>

export const DEFAULT_TOKEN_POLICY: TokenPolicy = {
  accessTokenLifetime: 3_600,
  idTokenLifetime: 3_600,
  refreshTokenLifetime: 2_592_000,
  rotationEnabled: true,
  reuseInterval: 30,
}
