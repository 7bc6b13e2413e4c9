/**
 * Attribute-based decisions: policies with resource patterns, actions and conditions, compiled into a set that answers a question
 * in microseconds. Deny overrides; no match is DENY. Of signing in they say what it must bring; there no match changes nothing. Pure: the
 * time, like everything that is asked for, is in the context. Work over many policies comes in steps, between which whoever runs it
 * may do something else.
 */
export { type Context, contextFaults } from './circumstances.js'
export { compilePolicies, type PolicySet } from './compile-policies.js'
export { compileSignOn, type SignOnSet } from './compile-sign-on.js'
export { conditionFaults } from './conditions.js'
export { type Decision, type Draft, decide, decideWith, type Question } from './decide.js'
export { decideSignOn } from './decide-sign-on.js'
export { type Considered, explain } from './explain.js'
export type { Effect, Policy } from './policy.js'
export type { Requirement, Rule, SignOnPolicy } from './sign-on-policy.js'
export { finish, type Steps } from './steps.js'
