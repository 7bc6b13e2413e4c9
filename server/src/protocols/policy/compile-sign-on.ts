import { compilePolicies, type PolicySet } from './compile-policies.js'
import { type Condition, compileConditions, conditionFaults } from './conditions.js'
import type { Rule, SignOnPolicy } from './sign-on-policy.js'
import type { Steps } from './steps.js'

export interface CompiledRule {
  rule: Rule
  /** The place in the list as it was written. */
  place: number
  conditions: Condition[]
}

/** The policies about signing in of a team, ready to decide. */
export interface SignOnSet {
  policies: PolicySet
  /** By the id of their policy, each list from the highest priority down, of equal ones as they stand. */
  rules: ReadonlyMap<string, readonly CompiledRule[]>
}

/** What cannot be read counts for the side that refuses or asks for more. */
const isStrict = ({ requirement }: Rule): boolean => requirement === 'DENY' || requirement === 'MFA_REQUIRED'

const isReadable = (conditions: Rule['conditions']): boolean => conditionFaults(conditions, '').length === 0

/** The rules of disabled and refusing policies, which are never asked for, are left out. */
export function* compileSignOn(policies: readonly SignOnPolicy[]): Steps<SignOnSet> {
  const rules = new Map<string, readonly CompiledRule[]>()
  for (const policy of policies) {
    if (!policy.enabled || policy.effect === 'DENY') continue
    const compiled: CompiledRule[] = []
    // A policy that cannot be read matches for its strict rules alone.
    const readable = isReadable(policy.conditions)
    for (const [place, rule] of policy.rules.entries()) {
      yield
      if (isStrict(rule) || (readable && isReadable(rule.conditions)))
        compiled.push({ rule, place, conditions: compileConditions(rule.conditions, true) })
    }
    if (compiled.length > 0) rules.set(policy.id, compiled.sort(byPriority))
  }
  return { policies: yield* compilePolicies(policies, true), rules }
}

const byPriority = (a: CompiledRule, b: CompiledRule): number => b.rule.priority - a.rule.priority || a.place - b.place
