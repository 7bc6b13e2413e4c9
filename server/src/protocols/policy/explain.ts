import type { CompiledPolicy, PolicySet } from './compile-policies.js'
import type { Condition } from './conditions.js'
import { ContextReader } from './context.js'
import { type AccessRequest, CANDIDATES_PER_STEP, type Draft } from './decide.js'
import { once } from './once.js'
import { byPrecedence, type Policy } from './policy.js'
import { matchesPattern } from './resource-pattern.js'
import type { Steps } from './steps.js'

export interface Considered {
  policy: Policy
  draft: boolean
  matched: boolean
  /** Failed checks: `enabled`, `resource`, `actions`, `conditions.<key>`. */
  failed: string[]
  /** The result of the checks as a sentence. */
  reason: string
}

const MAX_SHOWN_LENGTH = 100
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` : text
}

/** Failed conditions in the reason; `failed` lists them all. */
const MAX_EXPLAINED = 3

/** A request with its printed values, each printed once for all policies. */
class ExplainedRequest {
  readonly reader: ContextReader
  readonly resource: string
  readonly action: string
  private readonly printed = new Map<string, unknown>()

  constructor(readonly request: AccessRequest) {
    this.reader = new ContextReader(request.context)
    this.resource = shown(request.resource)
    this.action = shown(request.action)
  }

  value(key: string): string {
    return once(this.printed, key, () => shown(this.reader.value(key)))
  }
}

function whyConditionFailed({ key, contextKey }: Condition, explained: ExplainedRequest): string {
  if (explained.reader.value(contextKey) === undefined)
    return `the condition ${key} needs ${contextKey} in the context, which has none`
  return `the condition ${key} does not hold for ${contextKey} ${explained.value(contextKey)}`
}

function considerOne(
  { policy, pattern, conditions }: CompiledPolicy,
  explained: ExplainedRequest,
): Omit<Considered, 'draft'> {
  const { resource, action } = explained.request
  const failures: [failed: string, why: string][] = []
  if (!policy.enabled) failures.push(['enabled', 'the policy is disabled'])
  if (!matchesPattern(pattern, resource))
    failures.push(['resource', `the resource ${explained.resource} does not match ${shown(policy.resource)}`])
  if (!policy.actions.includes('*') && !policy.actions.includes(action))
    failures.push(['actions', `the action ${explained.action} is not one of its actions`])
  const unmet = conditions.filter((condition) => !condition.holds(explained.reader))
  const reasons = [
    ...failures.map(([, why]) => why),
    ...unmet.slice(0, MAX_EXPLAINED).map((condition) => whyConditionFailed(condition, explained)),
    ...(unmet.length > MAX_EXPLAINED ? [`${unmet.length - MAX_EXPLAINED} more of its conditions do not hold`] : []),
  ]
  return {
    policy,
    matched: reasons.length === 0,
    failed: [...failures.map(([failed]) => failed), ...unmet.map(({ key }) => `conditions.${key}`)],
    reason: reasons.length === 0 ? 'Resource, action and every condition match' : reasons.join('; '),
  }
}

/** Returns for every policy, including disabled ones, in the order of evaluation, why it matches or not. */
export function* explain(set: PolicySet, request: AccessRequest, draft?: Draft): Steps<Considered[]> {
  const explained = new ExplainedRequest(request)
  const replaced = draft?.all[0]?.policy.id
  const all: Considered[] = []
  for (const [index, compiled] of set.all.entries()) {
    if (index % CANDIDATES_PER_STEP === CANDIDATES_PER_STEP - 1) yield
    if (compiled.policy.id !== replaced) all.push({ ...considerOne(compiled, explained), draft: false })
  }
  for (const compiled of draft?.all ?? []) all.push({ ...considerOne(compiled, explained), draft: true })
  return draft ? all.sort((a, b) => byPrecedence(a.policy, b.policy)) : all
}
