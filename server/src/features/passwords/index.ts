/**
 * Passwords: stored hashes and their history, validation of new passwords against the password policy (`password-rules.ts`), and the
 * keys of the lockout counters of an account; `authentication/limits` counts.
 *
 * Not here: when a password is required (authentication), second factors (mfa), the settings of a team's password policy (password-policy).
 * Tables: passwords, team_passwords, password_history. Errors: password_policy, password_replaced, wrong_password.
 * Audit: none; `authentication` records changes of passwords.
 */
import type { Database } from '../../platform/db/database.js'
import type { Module } from '../../platform/module.js'
import { teamPasswordData } from './account-data.js'
import { PASSWORD_ERRORS } from './errors.js'

export { rejectIfReplaced, requireAcceptablePassword } from './acceptable-password.js'
export { loadCommonPasswords } from './common-passwords.js'
export { rejection as passwordError } from './errors.js'
export {
  currentPassword,
  DELETE_MOVED_TEAM_PASSWORDS,
  findPasswordLogin,
  originsOf,
  type PasswordLogin,
  removePassword,
  removeTeamPassword,
  removeTemporaryPasswords,
  type StoredPassword,
  setOwnPassword,
  setPassword,
  TEMPORARY_PASSWORD_LIFETIME,
  upgradeHash,
} from './password-repository.js'
export { requireCompliantPassword } from './password-rules.js'
export {
  accountKey,
  accountTeamKey,
  directoryKey,
  restrictedKey,
  teamFailuresKey,
  unlockAccount,
  unlockTeam,
} from './unlock-account.js'

export const createPasswords = ({ db }: { db: Database }): Module => ({
  errors: PASSWORD_ERRORS,
  accountData: teamPasswordData(db),
})
