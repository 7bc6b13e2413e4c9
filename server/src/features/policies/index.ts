/**
 * Policies: a team's rules for access to resources (ACCESS) and for sign-ins (SIGN_ON, MFA).
 *
 * In this module: the policies of a team, compiled once per version, `evaluation` with drafts and replay, the sign-on decision (`sign-on-decision.ts`,
 * with the attributes of a sign-in). Not here: sign-in
 * (authentication), permissions for Keyward's endpoints (permissions), passwords (password-policy, passwords). The pure engine is `protocols/policy`.
 * Tables: policies. Errors: policy_not_found. Audit: policy.created, policy.updated, policy.deleted, policy.evaluated,
 * policy.replayed.
 */
import { labelsOf } from '../../platform/db/labels.js'
import type { Module } from '../../platform/module.js'
import { POLICY_ERRORS } from './errors.js'
import type { PolicyDeps } from './manage-policies.js'
import { policyRoutes } from './routes.js'
import { policies } from './tables.js'

export { createPolicySets, SignOnNotCompiled } from './policy-sets.js'
export { hasSignOnRules } from './repository.js'
export { createSignOnDecision, type DecideSignOn, type SignOnDecision, signInContext } from './sign-on-decision.js'
export { policies } from './tables.js'

export const createPolicies = (deps: PolicyDeps): Module => ({
  routes: policyRoutes(deps),
  errors: POLICY_ERRORS,
  labels: { policy: labelsOf(policies, policies.name) },
})
