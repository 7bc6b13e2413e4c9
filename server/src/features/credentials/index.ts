/**
 * Credentials: what an account proves itself with that it knows (passwords, and the rules for choosing one), and the API tokens by
 * which programs act for a member of a team.
 *
 * Lives here: the password's hash and those before it, the one judge of a new password, the list of common passwords; making,
 * listing, revoking and authenticating API tokens. Not here: when a password is asked for (accounts), second factors (mfa), a team's
 * own password policy (policies).
 * Tables: passwords, team_passwords, password_history, api_tokens. Errors: password_policy, password_replaced, wrong_password, api_token_not_found.
 * Audit: api_token.created, api_token.revoked; those of passwords are recorded by the acts of `accounts`.
 */
export { rejectIfReplaced, requireAcceptablePassword } from './acceptable-password.js'
export { apiTokenNames } from './api-token-names.js'
export {
  lockApiToken,
  revokeApiTokensNotCreatedIn,
  revokeApiTokensOf,
  revokeApiTokensOfTeam,
  revokeTemporaryApiTokens,
} from './api-token-repository.js'
export { apiTokenRoutes } from './api-token-routes.js'
export { TokenEnd } from './api-token-schema.js'
export { authenticateApiToken, withApiTokens } from './authenticate-api-token.js'
export { loadCommonPasswords } from './common-passwords.js'
export { endOfToken, type WantedEnd } from './end-of-token.js'
export { CREDENTIAL_ERRORS, rejection as credentialError } from './errors.js'
export { lockCaller } from './lock-caller.js'
export { requireGoodPassword } from './password-rules.js'
export {
  currentPassword,
  findPasswordLogin,
  type PasswordLogin,
  removePassword,
  removeTemporaryPasswords,
  type StoredPassword,
  setOwnPassword,
  setPassword,
  temporarySetters,
  upgradeHash,
} from './repository.js'
export { requireLiveActor, requireLiveSetter } from './require-live-actor.js'
export {
  accountKey,
  accountTeamKey,
  directoryKey,
  restrictedKey,
  teamFailuresKey,
  unlockAccount,
  unlockTeam,
} from './unlock-account.js'
