import { Circumstances, once } from './circumstances.js'
import type { CompiledPolicy, PolicySet } from './compile-policies.js'
import type { Condition } from './conditions.js'
import { AT_A_TIME, type Draft, type Question } from './decide.js'
import { byPrecedence, type Policy } from './policy.js'
import { matchesPattern } from './resource-pattern.js'
import type { Steps } from './steps.js'

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

/** Conditions of a policy that are told in words; `failed` names the others too. */
const TOLD = 3

/** What is asked, with the words for it, each made once for all policies. */
class Asked {
  readonly circumstances: Circumstances
  readonly resource: string
  readonly action: string
  private readonly words = new Map<string, unknown>()

  constructor(readonly question: Question) {
    this.circumstances = new Circumstances(question.context)
    this.resource = shown(question.resource)
    this.action = shown(question.action)
  }

  value(key: string): string {
    return once(this.words, key, () => shown(this.circumstances.value(key)))
  }
}

function whyConditionFailed({ key, asks }: Condition, asked: Asked): string {
  if (asked.circumstances.value(asks) === undefined)
    return `the condition ${key} needs ${asks} in the context, which has none`
  return `the condition ${key} does not hold for ${asks} ${asked.value(asks)}`
}

function considerOne({ policy, pattern, conditions }: CompiledPolicy, asked: Asked): Omit<Considered, 'draft'> {
  const { resource, action } = asked.question
  const failures: [failed: string, why: string][] = []
  if (!policy.enabled) failures.push(['enabled', 'the policy is disabled'])
  if (!matchesPattern(pattern, resource))
    failures.push(['resource', `the resource ${asked.resource} does not match ${shown(policy.resource)}`])
  if (!policy.actions.includes('*') && !policy.actions.includes(action))
    failures.push(['actions', `the action ${asked.action} is not one of its actions`])
  const unmet = conditions.filter((condition) => !condition.holds(asked.circumstances))
  const words = [
    ...failures.map(([, why]) => why),
    ...unmet.slice(0, TOLD).map((condition) => whyConditionFailed(condition, asked)),
    ...(unmet.length > TOLD ? [`${unmet.length - TOLD} more of its conditions do not hold`] : []),
  ]
  return {
    policy,
    matched: words.length === 0,
    failed: [...failures.map(([failed]) => failed), ...unmet.map(({ key }) => `conditions.${key}`)],
    reason: words.length === 0 ? 'Resource, action and every condition match' : words.join('; '),
  }
}

/** Every policy in the order of evaluation, disabled ones too, and why it matches or does not. */
export function* explain(set: PolicySet, question: Question, draft?: Draft): Steps<Considered[]> {
  const asked = new Asked(question)
  const replaced = draft?.all[0]?.policy.id
  const all: Considered[] = []
  for (const [index, compiled] of set.all.entries()) {
    if (index % AT_A_TIME === AT_A_TIME - 1) yield
    if (compiled.policy.id !== replaced) all.push({ ...considerOne(compiled, asked), draft: false })
  }
  for (const compiled of draft?.all ?? []) all.push({ ...considerOne(compiled, asked), draft: true })
  return draft ? all.sort((a, b) => byPrecedence(a.policy, b.policy)) : all
}
