/**
 * Attribute-based access decisions: policies with resource patterns, actions and conditions, compiled into a set that decides a request in
 * microseconds. DENY overrides ALLOW, and no match is DENY. For sign-ins, policies decide the required factors, and no match requires
 * nothing. Pure: the time is part of the context. Work over many policies is a generator of steps, between which the event loop may run.
 */

export { compilePolicies, type PolicySet } from './compile-policies.js'
export { compileSignOn, type SignOnSet } from './compile-sign-on.js'
export { conditionErrors } from './conditions.js'
export { type Context, contextErrors } from './context.js'
export { type AccessRequest, type Decision, type Draft, decide, decideWith } from './decide.js'
export { decideSignOn } from './decide-sign-on.js'
export { type Considered, explain } from './explain.js'
export type { Effect, Policy, Requirement, Rule, SignOnPolicy } from './policy.js'
export { finish, type Steps } from './steps.js'
