/**
 * Access tokens: API tokens of programs that act for a member of a team, and SCIM tokens of SCIM clients that provision users in a team. Both
 * have at most their creator's permissions. A token is valid while its creator is an active member (SCIM tokens: with `scim:token`) and the
 * account is in the epoch of the token.
 *
 * In this module: creation, listing, revocation, authentication, and the guard (`lockCaller`, `requireActiveActor`) that rejects a revoked
 * session or token.
 * Not here: access tokens of sessions (sessions) and of applications (oidc-provider), the requests of SCIM clients and the endpoints for
 * SCIM tokens (scim).
 * Tables: api_tokens, scim_tokens. Errors: api_token_not_found, scim_token_not_found.
 * Audit: api_token.created, api_token.revoked, scim_token.created, scim_token.revoked.
 */
import { labelsOf } from '../../platform/db/labels.js'
import { purgeJob } from '../../platform/jobs/purge-job.js'
import type { Module } from '../../platform/module.js'
import { tokenData } from './account-data.js'
import type { TokenDeps } from './create-token.js'
import { ACCESS_TOKEN_ERRORS } from './errors.js'
import { TOKEN_RETENTION } from './purge.js'
import { apiTokenRoutes } from './routes.js'
import { apiTokens, scimTokens } from './tables.js'

export { authenticateApiToken, withApiTokens } from './authenticate-api-token.js'
export { authenticateScimToken } from './authenticate-scim-token.js'
export { createScimToken } from './create-token.js'
export { lockCaller } from './lock-caller.js'
export { revokeToken } from './manage-tokens.js'
export { TOKEN_RETENTION } from './purge.js'
export { lockCallerForTemporaryPassword, requireActiveActor } from './require-active-actor.js'
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
  jobs: [purgeJob(deps, 'access_tokens.purge', TOKEN_RETENTION)],
  errors: ACCESS_TOKEN_ERRORS,
  accountData: tokenData(deps.db),
  labels: { api_token: labelsOf(apiTokens, apiTokens.name), scim_token: labelsOf(scimTokens, scimTokens.name) },
})
