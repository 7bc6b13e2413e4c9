import { createHash } from 'node:crypto'
import { compilePolicies, type PolicySet } from './compile-policies.js'
import { type Condition, compileConditions, conditionErrors } from './conditions.js'
import type { Rule, SignOnPolicy } from './policy.js'
import type { Steps } from './steps.js'

export interface CompiledRule {
  rule: Rule
  /** The position in the list of the policy. */
  place: number
  conditions: Condition[]
}

/** A team's compiled sign-on policies. */
export interface SignOnSet {
  policies: PolicySet
  /** Rules by policy ID; each list by descending priority, rules of the same priority in their original order. */
  rules: ReadonlyMap<string, readonly CompiledRule[]>
  /** Digests of the sources by policy ID. */
  digests: ReadonlyMap<string, string>
}

/** Unreadable rules fail closed: they match if they deny or require more. */
const isStrict = ({ requirement }: Rule): boolean => requirement === 'DENY' || requirement === 'MFA_REQUIRED'

const isReadable = (conditions: Rule['conditions']): boolean => conditionErrors(conditions, '').length === 0

const digestOf = ({ enabled, effect, resource, conditions, rules }: SignOnPolicy): string =>
  createHash('sha256')
    .update(JSON.stringify([enabled, effect, resource, conditions, rules]))
    .digest('base64')

/**
 * The rules of disabled and denying policies are never evaluated and are left out.
 * @param former a set of the same team: policies with the same content are not compiled again, for example after a new name
 */
export function* compileSignOn(policies: readonly SignOnPolicy[], former?: SignOnSet): Steps<SignOnSet> {
  const rules = new Map<string, readonly CompiledRule[]>()
  const digests = new Map<string, string>()
  const partsBefore = new Map(former?.policies.all.map((compiled) => [compiled.policy.id, compiled]))
  const isAsBefore = ({ id }: { id: string }) => digests.get(id) === former?.digests.get(id)
  for (const policy of policies) {
    yield
    digests.set(policy.id, digestOf(policy))
    const compiled = isAsBefore(policy) ? (former?.rules.get(policy.id) ?? []) : yield* compileRules(policy)
    if (compiled.length > 0) rules.set(policy.id, compiled)
  }
  const compiledBefore = (policy: { id: string }) => (isAsBefore(policy) ? partsBefore.get(policy.id) : undefined)
  return { policies: yield* compilePolicies(policies, true, compiledBefore), rules, digests }
}

function* compileRules(policy: SignOnPolicy): Steps<CompiledRule[]> {
  const compiled: CompiledRule[] = []
  if (!policy.enabled || policy.effect === 'DENY') return compiled
  // Only the strict rules of an unreadable policy apply.
  const readable = isReadable(policy.conditions)
  for (const [place, rule] of policy.rules.entries()) {
    yield
    if (isStrict(rule) || (readable && isReadable(rule.conditions)))
      compiled.push({ rule, place, conditions: compileConditions(rule.conditions, true) })
  }
  return compiled.sort(byPriority)
}

const byPriority = (a: CompiledRule, b: CompiledRule): number => b.rule.priority - a.rule.priority || a.place - b.place
