import type { CompiledPolicy } from './compile-policies.js'
import type { CompiledRule, SignOnSet } from './compile-sign-on.js'
import { ContextReader } from './context.js'
import { type AccessRequest, CANDIDATES_PER_STEP, candidates, firstMatch, matches } from './decide.js'
import type { Policy, Requirement, Rule } from './policy.js'
import type { Steps } from './steps.js'

export interface SignOnVerdict {
  verdict: 'ALLOW' | 'DENY'
  /** Null if no rule matches or sign-in is denied. */
  requirement: Requirement | null
  /** The deciding policy, if any. */
  policy: Policy | undefined
  /** Undefined if the policy itself denies. */
  rule: Rule | undefined
}

/**
 * Decides whether a user may sign in and which factors are required. A matching policy of effect DENY denies. Otherwise the matching rule
 * with the highest priority decides; among equal priorities that of the policy that is first in the order of evaluation, then the first
 * rule. Policies that do not match change nothing.
 */
export function* decideSignOn({ policies, rules }: SignOnSet, request: AccessRequest): Steps<SignOnVerdict> {
  const lists = candidates(policies, request)
  const reader = new ContextReader(request.context)
  const deny = yield* firstMatch(lists, 'DENY', request.resource, reader)
  if (deny) return { verdict: 'DENY', requirement: null, policy: deny.policy, rule: undefined }

  let best: { by: CompiledPolicy; rule: Rule } | undefined
  let considered = 0
  for (const list of lists)
    for (const by of list.ALLOW) {
      if (++considered % CANDIDATES_PER_STEP === 0) yield
      const own = rules.get(by.policy.id)
      if (!own || !goesBefore(own[0], by, best) || !matches(by, request.resource, reader)) continue
      for (const compiled of own) {
        if (++considered % CANDIDATES_PER_STEP === 0) yield
        if (!goesBefore(compiled, by, best)) break
        if (!compiled.conditions.every((condition) => condition.holds(reader))) continue
        best = { by, rule: compiled.rule }
        break
      }
    }
  if (!best) return { verdict: 'ALLOW', requirement: null, policy: undefined, rule: undefined }
  const { by, rule } = best
  const { requirement } = rule
  if (requirement === 'DENY') return { verdict: 'DENY', requirement: null, policy: by.policy, rule }
  return { verdict: 'ALLOW', requirement, policy: by.policy, rule }
}

/** Returns whether a rule precedes the best one found so far, which belongs to another policy. */
function goesBefore(
  compiled: CompiledRule | undefined,
  by: CompiledPolicy,
  best: { by: CompiledPolicy; rule: Rule } | undefined,
): boolean {
  if (!compiled || !best) return compiled !== undefined
  const { priority } = compiled.rule
  return priority > best.rule.priority || (priority === best.rule.priority && by.rank < best.by.rank)
}
