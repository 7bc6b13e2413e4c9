/**
 * Policies: a team's rules for access to resources (ACCESS) and for sign-ins (SIGN_ON, MFA), and the settings of its `password-policy`.
 *
 * Here: the policies of a team, compiled once per version, `evaluation` with drafts and replay, the sign-on decision. Not here: sign-in
 * (authentication), permissions for our own endpoints (permissions), validation of a password against the policy, hashing and history
 * (`credentials/passwords`). The pure engine is `protocols/policy`.
 * Owns: policies, password_policies. Errors: policy_not_found. Audit: policy.created, policy.updated, policy.deleted, policy.evaluated,
 * policy.replayed, password_policy.created, password_policy.updated.
 */

export { POLICY_ERRORS } from './errors.js'
export { passwordPoliciesOf, passwordPolicyOf, strictestPasswordPolicy } from './password-policy/effective-policy.js'
export { type LockoutTeam, lockoutTeamsOf, MAX_CONFIRMED_TEAMS } from './password-policy/lockout-teams.js'
export {
  DEFAULT_PASSWORD_POLICY,
  isPasswordAged,
  MAX_HISTORY,
  type PasswordPolicy,
} from './password-policy/password-policy.js'
export { passwordPolicyRoutes } from './password-policy/routes.js'
export { PasswordRules } from './password-policy/schema.js'
export { createPolicySets, SignOnNotCompiled } from './policy-sets.js'
export { hasSignOnRules, policyNames } from './repository.js'
export { policyRoutes } from './routes.js'
export { signInContext } from './sign-in-context.js'
export {
  createSignOnDecision,
  type DecideSignOn,
  type SignOnDecision,
  type SignOnQuery,
} from './sign-on-decision.js'
export { passwordPolicies, policies } from './tables.js'
