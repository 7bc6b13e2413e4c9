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
import { labelsOf } from '../../platform/db/labels.js'
import type { Module } from '../../platform/module.js'
import { tokenData } from './account-data.js'
import type { TokenDeps } from './create-token.js'
import { ACCESS_TOKEN_ERRORS } from './errors.js'
import { apiTokenRoutes } from './routes.js'
import { apiTokens, scimTokens } from './tables.js'

export { authenticateApiToken, withApiTokens } from './authenticate-api-token.js'
export { authenticateScimToken } from './authenticate-scim-token.js'
export { createScimToken } from './create-token.js'
export { lockCaller } from './lock-caller.js'
export { revokeToken } from './manage-tokens.js'
export { requireActiveActor, requireActiveSetter } from './require-active-actor.js'
export { presentToken, TokenExpiryFields, tokenFields } from './schema.js'
export { scimTokens } from './tables.js'
export { type AccessToken, API_TOKENS, SCIM_TOKENS, scimTokenStatus } from './token.js'
export {
  lockApiToken,
  lockScimToken,
  revokeApiTokensNotCreatedIn,
  revokeTokensOf,
  revokeTokensOfTeam,
  tokenRepository,
} from './token-repository.js'

export const createAccessTokens = (deps: TokenDeps): Module => ({
  routes: apiTokenRoutes(deps),
  errors: ACCESS_TOKEN_ERRORS,
  accountData: tokenData(deps.db),
  labels: { api_token: labelsOf(apiTokens, apiTokens.name), scim_token: labelsOf(scimTokens, scimTokens.name) },
})
