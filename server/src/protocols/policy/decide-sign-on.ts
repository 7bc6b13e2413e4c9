import { Circumstances } from './circumstances.js'
import type { CompiledPolicy } from './compile-policies.js'
import type { CompiledRule, SignOnSet } from './compile-sign-on.js'
import { AT_A_TIME, candidates, firstMatch, matches, type Question } from './decide.js'
import type { Policy } from './policy.js'
import type { Requirement, Rule } from './sign-on-policy.js'
import type { Steps } from './steps.js'

export interface SignOnVerdict {
  verdict: 'ALLOW' | 'DENY'
  /** Null where no rule holds, and where signing in is refused. */
  requirement: Requirement | null
  /** What decided; undefined where nothing did. */
  policy: Policy | undefined
  /** Undefined where the policy itself refuses. */
  rule: Rule | undefined
}

/**
 * Whether somebody may sign in and what they must bring. Policies that do not match change nothing. One of effect DENY that matches
 * refuses. Of the rules of all others that match the one of the highest priority whose conditions hold decides; of equal priorities that
 * of the policy that goes first, and there the one that stands first.
 */
export function* decideSignOn({ policies, rules }: SignOnSet, question: Question): Steps<SignOnVerdict> {
  const lists = candidates(policies, question)
  const circumstances = new Circumstances(question.context)
  const deny = yield* firstMatch(lists, 'DENY', question.resource, circumstances)
  if (deny) return { verdict: 'DENY', requirement: null, policy: deny.policy, rule: undefined }

  let best: { by: CompiledPolicy; rule: Rule } | undefined
  let asked = 0
  for (const list of lists)
    for (const by of list.ALLOW) {
      if (++asked % AT_A_TIME === 0) yield
      const own = rules.get(by.policy.id)
      if (!own || !goesBefore(own[0], by, best) || !matches(by, question.resource, circumstances)) continue
      for (const compiled of own) {
        if (++asked % AT_A_TIME === 0) yield
        if (!goesBefore(compiled, by, best)) break
        if (!compiled.conditions.every((condition) => condition.holds(circumstances))) continue
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

/** Whether a rule would decide before the best one found so far, which is of another policy. */
function goesBefore(
  compiled: CompiledRule | undefined,
  by: CompiledPolicy,
  best: { by: CompiledPolicy; rule: Rule } | undefined,
): boolean {
  if (!compiled || !best) return compiled !== undefined
  const { priority } = compiled.rule
  return priority > best.rule.priority || (priority === best.rule.priority && by.rank < best.by.rank)
}
