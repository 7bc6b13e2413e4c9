/**
 * Password policy: a team's rules for passwords (length, characters, age, history) and for the lockout after failed sign-ins.
 *
 * In this module: the settings of a team, and the policies that apply to an account. Not here: validation, hashing and history of passwords
 * (passwords), counting of failures (authentication).
 * Tables: password_policies. Errors: none. Audit: password_policy.created, password_policy.updated.
 */
import type { Module } from '../../platform/module.js'
import type { PasswordPolicyDeps } from './manage-password-policy.js'
import { passwordPolicyRoutes } from './routes.js'

export { passwordPoliciesOf, passwordPolicyOf, strictestPasswordPolicy } from './effective-policy.js'
export { type LockoutTeam, lockoutTeamsOf, MAX_CONFIRMED_TEAMS } from './lockout-teams.js'
export { DEFAULT_PASSWORD_POLICY, isPasswordExpired, MAX_HISTORY, type PasswordPolicy } from './password-policy.js'
export { PasswordRules } from './schema.js'

export const createPasswordPolicy = (deps: PasswordPolicyDeps): Module => ({ routes: passwordPolicyRoutes(deps) })
