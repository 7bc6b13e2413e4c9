/**
 * Credentials: what an account proves itself with that it knows. Passwords, and the rules for choosing one.
 *
 * Lives here: the password's hash, the rules, the list of common passwords. Not here: when a password is asked for (accounts),
 * second factors (mfa), a team's own password policy (policies).
 * Tables: passwords. Errors: password_policy, wrong_password. Audit: recorded by the acts of `accounts`.
 */
export { loadCommonPasswords } from './common-passwords.js'
export { CREDENTIAL_ERRORS, refusal as credentialRefusal } from './errors.js'
export { DEFAULT_PASSWORD_POLICY, type PasswordPolicy, requireGoodPassword } from './password-rules.js'
export {
  currentPassword,
  findPasswordLogin,
  type PasswordLogin,
  removePassword,
  setPassword,
  upgradeHash,
} from './repository.js'
