/**
 * Credentials: passwords of users, and API tokens of programs that act for a member of a team.
 *
 * - `passwords/`: stored hashes and their history, validation of new passwords against the password policy (`password-rules.ts`), and the
 *   lockout counters of an account.
 * - `access-tokens/`: creation, list, revocation and authentication of API tokens.
 *
 * Not here: when a password is required (authentication), second factors (mfa), the settings of a team's password policy (policies).
 * Tables: passwords, team_passwords, password_history, api_tokens. Errors: password_policy, password_replaced, wrong_password, api_token_not_found.
 * Audit: api_token.created, api_token.revoked; `authentication` records changes of passwords.
 */
import type { Module } from '../../platform/module.js'
import { apiTokenNames } from './access-tokens/api-token-repository.js'
import type { ApiTokenDeps } from './access-tokens/create-api-token.js'
import { apiTokenRoutes } from './access-tokens/routes.js'
import { CREDENTIAL_ERRORS } from './errors.js'

export {
  lockApiToken,
  revokeApiTokensNotCreatedIn,
  revokeApiTokensOfTeam,
  revokeApiTokensOfUser,
  revokeTemporaryApiTokens,
} from './access-tokens/api-token-repository.js'
export { authenticateApiToken, withApiTokens } from './access-tokens/authenticate-api-token.js'
export { TokenExpiryFields } from './access-tokens/schema.js'
export { type RequestedExpiry, tokenExpiry } from './access-tokens/token-expiry.js'
export { rejection as credentialError } from './errors.js'
export { lockCaller } from './lock-caller.js'
export { rejectIfReplaced, requireAcceptablePassword } from './passwords/acceptable-password.js'
export { loadCommonPasswords } from './passwords/common-passwords.js'
export {
  currentPassword,
  DELETE_MOVED_TEAM_PASSWORDS,
  findPasswordLogin,
  type PasswordLogin,
  removePassword,
  removeTemporaryPasswords,
  type StoredPassword,
  setOwnPassword,
  setPassword,
  temporarySetters,
  upgradeHash,
} from './passwords/password-repository.js'
export { requireCompliantPassword } from './passwords/password-rules.js'
export {
  accountKey,
  accountTeamKey,
  directoryKey,
  restrictedKey,
  teamFailuresKey,
  unlockAccount,
  unlockTeam,
} from './passwords/unlock-account.js'
export { requireActiveActor, requireActiveSetter } from './require-active-actor.js'

export const createCredentials = (deps: ApiTokenDeps): Module => ({
  routes: apiTokenRoutes(deps),
  errors: CREDENTIAL_ERRORS,
  labels: { api_token: apiTokenNames },
})
