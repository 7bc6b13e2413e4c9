import type { FieldError } from '../../platform/app-error.js'
import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import { rejection } from '../../platform/errors.js'
import type { Rule } from '../../protocols/policy/index.js'
import { conditionErrors } from '../../protocols/policy/index.js'
import type { policies } from './tables.js'

export type Policy = typeof policies.$inferSelect
export type PolicyType = Policy['type']

/** The writable fields of a policy. */
export type Definition = Omit<Policy, 'id' | 'organizationId' | 'createdAt' | 'updatedAt'>

type WrittenRule = Pick<Rule, 'requirement'> & {
  [Field in 'id' | 'name' | 'conditions' | 'priority']?: Rule[Field] | null
}

/** A policy as it is sent: null means the default. */
export type Written = Partial<Omit<Definition, 'rules' | 'conditions'>> & {
  conditions?: Record<string, unknown> | null
  rules?: WrittenRule[] | null
}

/** Characters of JSON. */
const MAX_CONDITIONS = 16_384
const MAX_RULES = 49_152
/** Maximum number of reported errors: fifty rules can have a quarter of a million. */
const MAX_ERRORS = 100

const DEFAULTS = {
  description: null,
  type: 'ACCESS',
  effect: 'ALLOW',
  rules: [],
  conditions: {},
  priority: 0,
  enabled: true,
} as const satisfies Partial<Definition>

/** Returns a complete new policy. @throws invalid_request */
export const newDefinition = (
  clock: Clock,
  written: Written & Pick<Definition, 'name' | 'resource' | 'actions'>,
  path = '',
): Definition => validated({ ...DEFAULTS, rules: [], ...given(written, clock) } as Definition, path)

/** Returns the policy with the given fields changed. @throws invalid_request */
export const changedDefinition = (clock: Clock, before: Definition, written: Written): Definition =>
  validated({ ...before, ...given(written, clock) }, '')

function given({ conditions, rules, ...rest }: Written, clock: Clock): Partial<Definition> {
  return {
    ...rest,
    ...(conditions !== undefined && { conditions: conditions ?? {} }),
    ...(rules !== undefined && { rules: (rules ?? []).map((rule) => ruleOf(rule, clock)) }),
  }
}

const ruleOf = ({ id, name, conditions, requirement, priority }: WrittenRule, clock: Clock): Rule => ({
  id: id ?? uuidv7(clock),
  ...(name != null && { name }),
  conditions: conditions ?? {},
  requirement,
  priority: priority ?? 0,
})

function validated(definition: Definition, path: string): Definition {
  const errors = violationsOf(definition)
    .slice(0, MAX_ERRORS)
    .map((violation) => ({ ...violation, path: `${path}${violation.path}` }))
  if (errors.length > 0) throw rejection('invalid_request', { detail: 'The policy is not valid', errors })
  return definition
}

/** Returns the number of characters that are compiled for sign-ins; 0 if the policy does not apply to them. */
export const sizeAtSignIn = ({ type, enabled, actions, conditions, rules, resource }: Definition): number =>
  enabled && (type === 'SIGN_ON' || type === 'MFA') ? sizeOf([actions, conditions, rules, resource]) : 0

const sizeOf = (value: unknown): number => JSON.stringify(value).length

function violationsOf({ actions, conditions, rules }: Definition): FieldError[] {
  const errors: FieldError[] = []
  if (actions.length === 0)
    errors.push({ path: '/actions', message: 'must contain an action; ["*"] means every action' })
  errors.push(...conditionErrors(conditions, '/conditions'))
  const ids = new Set<string>()
  for (const [index, rule] of rules.entries()) {
    if (ids.has(rule.id)) errors.push({ path: `/rules/${index}/id`, message: 'must be unique' })
    ids.add(rule.id)
    errors.push(...conditionErrors(rule.conditions, `/rules/${index}/conditions`))
  }
  if (sizeOf(conditions) > MAX_CONDITIONS)
    errors.push({ path: '/conditions', message: `must not be longer than ${MAX_CONDITIONS} characters of JSON` })
  if (sizeOf(rules) > MAX_RULES)
    errors.push({ path: '/rules', message: `must not be longer than ${MAX_RULES} characters of JSON` })
  return errors
}
