import { Circumstances } from './circumstances.js'
import type { CompiledPolicy, PolicySet } from './compile-policies.js'
import type { Condition } from './conditions.js'
import type { Draft, Question } from './decide.js'
import { byPrecedence, type Policy } from './policy.js'
import { matchesPattern } from './resource-pattern.js'

export interface Considered {
  policy: Policy
  draft: boolean
  matched: boolean
  /** What did not fit: `enabled`, `resource`, `actions`, `conditions.<key>`. */
  failed: string[]
  /** The same in words. */
  reason: string
}

const SHOWN = 100
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text
}

function whyConditionFailed({ key, asks }: Condition, circumstances: Circumstances): string {
  const value = circumstances.value(asks)
  if (value === undefined) return `the condition ${key} needs ${asks} in the context, which has none`
  return `the condition ${key} does not hold for ${asks} ${shown(value)}`
}

function considerOne(
  { policy, pattern, conditions }: CompiledPolicy,
  { resource, action }: Question,
  circumstances: Circumstances,
): Omit<Considered, 'draft'> {
  const failures: [failed: string, why: string][] = []
  if (!policy.enabled) failures.push(['enabled', 'the policy is disabled'])
  if (!matchesPattern(pattern, resource))
    failures.push(['resource', `the resource ${shown(resource)} does not match ${shown(policy.resource)}`])
  if (!policy.actions.includes('*') && !policy.actions.includes(action))
    failures.push(['actions', `the action ${shown(action)} is not one of its actions`])
  for (const condition of conditions)
    if (!condition.holds(circumstances))
      failures.push([`conditions.${condition.key}`, whyConditionFailed(condition, circumstances)])
  return {
    policy,
    matched: failures.length === 0,
    failed: failures.map(([failed]) => failed),
    reason:
      failures.length === 0 ? 'Resource, action and every condition match' : failures.map(([, why]) => why).join('; '),
  }
}

/** Every policy in the order of evaluation, disabled ones too, and why it matches or does not. */
export function explain(set: PolicySet, question: Question, draft?: Draft): Considered[] {
  const circumstances = new Circumstances(question.context)
  const replaced = draft?.all[0]?.policy.id
  const saved = set.all.filter(({ policy }) => policy.id !== replaced)
  const all = [
    ...saved.map((compiled) => ({ ...considerOne(compiled, question, circumstances), draft: false })),
    ...(draft?.all ?? []).map((compiled) => ({ ...considerOne(compiled, question, circumstances), draft: true })),
  ]
  return draft ? all.sort((a, b) => byPrecedence(a.policy, b.policy)) : all
}
