/**
 * Policies: what a team's rules say. Attribute-based decisions about resources (ACCESS), what a sign-in must bring (SIGN_ON, MFA),
 * and the rules that passwords meet.
 *
 * Lives here: the policies of a team, compiled once per version, `evaluate`, the decision about a sign-in, the password policy. Not
 * here: signing in (accounts), who may call which route of ours (access), hashing and remembering passwords (credentials). The pure engine is
 * `protocols/policy`.
 * Tables: policies, password_policies. Errors: policy_not_found. Audit: policy.created, policy.updated, policy.deleted,
 * policy.evaluated, policy.replayed, password_policy.created, password_policy.updated.
 */
export { POLICY_ERRORS } from './errors.js'
export { hasSignOnRules } from './has-sign-on-rules.js'
export { DEFAULT_PASSWORD_POLICY, isPasswordAged, MAX_HISTORY, type PasswordPolicy } from './password-policy.js'
export { type LockoutTeam, lockoutTeamsOf, MOST_CONFIRMED } from './password-policy-lockout.js'
export { passwordPoliciesOf, passwordPolicyOf, strictestPasswordPolicy } from './password-policy-of.js'
export { passwordPolicyRoutes } from './password-policy-routes.js'
export { PasswordRules } from './password-policy-schema.js'
export { policyNames } from './policy-names.js'
export { createPolicySets, SignOnNotCompiled } from './policy-sets.js'
export { policyRoutes } from './routes.js'
export { signInContext } from './sign-in-context.js'
export {
  createSignOnDecision,
  type DecideSignOn,
  type SignOnDecision,
  type SignOnQuestion,
} from './sign-on-decision.js'
export { passwordPolicies, policies } from './tables.js'
