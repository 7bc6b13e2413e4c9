/**
 * Access tokens: API tokens of programs that act for a member of a team, and SCIM tokens of clients that provision a team. Both have the
 * permissions of their creator at most, and are valid as long as the creator is an active member.
 *
 * In this module: their creation, list, revocation and authentication, and the check that a caller's session or token is still active.
 * Not here: access tokens of sessions (sessions) and of applications (oidc-provider), the requests of SCIM clients and the endpoints for
 * SCIM tokens (scim).
 * Tables: api_tokens, scim_tokens. Errors: api_token_not_found, scim_token_not_found.
 * Audit: api_token.created, api_token.revoked, scim_token.created, scim_token.revoked.
 */
import type { Module } from '../../platform/module.js'
import { apiTokenNames } from './api-token-repository.js'
import type { ApiTokenDeps } from './create-api-token.js'
import { ACCESS_TOKEN_ERRORS } from './errors.js'
import { apiTokenRoutes } from './routes.js'
import { scimTokenNames } from './scim-token-repository.js'

export {
  lockApiToken,
  revokeApiTokensNotCreatedIn,
  revokeApiTokensOfTeam,
  revokeApiTokensOfUser,
  revokeTemporaryApiTokens,
} from './api-token-repository.js'
export { authenticateApiToken, withApiTokens } from './authenticate-api-token.js'
export { authenticateScimToken } from './authenticate-scim-token.js'
export { createScimToken } from './create-scim-token.js'
export { lockCaller } from './lock-caller.js'
export { requireActiveActor, requireActiveSetter } from './require-active-actor.js'
export { revokeScimToken } from './revoke-scim-token.js'
export { TokenExpiryFields } from './schema.js'
export { statusOf as scimTokenStatus } from './scim-token.js'
export {
  lockScimToken,
  revokeScimTokensOf,
  revokeScimTokensOfTeam,
  type ScimToken,
  tokenRepository as scimTokenRepository,
} from './scim-token-repository.js'
export { scimTokens } from './tables.js'

export const createAccessTokens = (deps: ApiTokenDeps): Module => ({
  routes: apiTokenRoutes(deps),
  errors: ACCESS_TOKEN_ERRORS,
  labels: { api_token: apiTokenNames, scim_token: scimTokenNames },
})
