/**
 * Policies: a team's rules for access to resources (ACCESS) and for sign-ins (SIGN_ON, MFA), and the settings of its `password-policy`.
 *
 * Here: the policies of a team, compiled once per version, `evaluation` with drafts and replay, the sign-on decision. Not here: sign-in
 * (authentication), permissions for Keyward's endpoints (permissions), password hashing and history (credentials). The pure engine is
 * `protocols/policy`.
 * Owns: policies, password_policies. Errors: policy_not_found. Audit: policy.created, policy.updated, policy.deleted, policy.evaluated,
 * policy.replayed, password_policy.created, password_policy.updated.
 */
import { labelsOf } from '../../platform/db/labels.js'
import type { Module } from '../../platform/module.js'
import type { PolicyDeps } from './deps.js'
import { POLICY_ERRORS } from './errors.js'
import type { PasswordPolicyDeps } from './password-policy/deps.js'
import { passwordPolicyRoutes } from './password-policy/routes.js'
import { policyRoutes } from './routes.js'
import { policies } from './tables.js'

export { passwordPoliciesOf, passwordPolicyOf, strictestPasswordPolicy } from './password-policy/effective-policy.js'
export { type LockoutTeam, lockoutTeamsOf, MAX_CONFIRMED_TEAMS } from './password-policy/lockout-teams.js'
export {
  DEFAULT_PASSWORD_POLICY,
  isPasswordAged,
  MAX_HISTORY,
  type PasswordPolicy,
} from './password-policy/password-policy.js'
export { PasswordRules } from './password-policy/schema.js'
export { createPolicySets, SignOnNotCompiled } from './policy-sets.js'
export { hasSignOnRules } from './repository.js'
export { signInContext } from './sign-in-context.js'
export {
  createSignOnDecision,
  type DecideSignOn,
  type SignOnDecision,
  type SignOnQuery,
} from './sign-on-decision.js'
export { passwordPolicies, policies } from './tables.js'

export const createPolicies = (deps: PolicyDeps & PasswordPolicyDeps): Module => ({
  routes: [...policyRoutes(deps), ...passwordPolicyRoutes(deps)],
  errors: POLICY_ERRORS,
  labels: { policy: labelsOf(policies, policies.name) },
})
