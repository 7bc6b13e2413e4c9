import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conditions, likes, likesConditions, policies, questions } from '../../../test/factories/policy-cases.js'
import { LONG } from '../../../test/harness/some-of.js'
import {
  type AccessRequest,
  compileSignOn,
  decideSignOn,
  finish,
  type Rule,
  type SignOnPolicy,
  type SignOnSet,
} from './index.js'

const CASES = LONG ? 10_000 : 2_000

/** The reference implementation: sorts every matching rule as documented. It shares no code with the engine. */
function oracle(list: SignOnPolicy[], request: AccessRequest) {
  const inOrder = list
    .filter((policy) => likes(policy, request))
    .sort((a, b) => b.priority - a.priority || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  const denying = inOrder.find(({ effect }) => effect === 'DENY')
  if (denying) return { verdict: 'DENY', requirement: null, policy: denying.id, rule: undefined }
  const [first] = inOrder
    .flatMap((policy) => policy.rules.map((rule) => ({ policy, rule })))
    .filter(({ rule }) => likesConditions(rule.conditions, request.context))
    .sort((a, b) => b.rule.priority - a.rule.priority)
  const requirement = first?.rule.requirement ?? null
  return {
    verdict: requirement === 'DENY' ? 'DENY' : 'ALLOW',
    requirement: requirement === 'DENY' ? null : requirement,
    policy: first?.policy.id,
    rule: first?.rule.id,
  }
}

const requirements = fc.constantFrom<Rule['requirement']>('MFA_REQUIRED', 'MFA_OPTIONAL', 'MFA_NOT_REQUIRED', 'DENY')
const rules = fc
  .array(
    fc.record({
      conditions: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, conditions),
      requirement: requirements,
      priority: fc.integer({ min: -2, max: 2 }),
    }),
    { maxLength: 4 },
  )
  .map((list) => list.map((rule, index): Rule => ({ ...rule, id: `r${index}` })))
const signOnPolicies = policies.chain((list) =>
  fc.tuple(...list.map(() => fc.tuple(rules, fc.integer({ max: 4, min: 0 })))).map((extras) =>
    list.map((policy, index): SignOnPolicy => {
      const [own = [], rejects = 0] = extras[index] ?? []
      // Most allow: no rule is evaluated where one denies.
      return { ...policy, effect: rejects === 4 ? 'DENY' : 'ALLOW', rules: own }
    }),
  ),
)

describe('decideSignOn over any set of policies', () => {
  it('equals the reference implementation', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(signOnPolicies, fc.array(questions, { minLength: 3, maxLength: 3 }), (list, requests) => {
        const set = finish(compileSignOn(list))
        for (const request of requests) {
          const { verdict, requirement, policy, rule } = finish(decideSignOn(set, request))
          const outcome = { verdict, requirement, policy: policy?.id, rule: rule?.id }
          expect(outcome).toEqual(oracle(list, request))
          seen.add(`${verdict} ${requirement} ${rule ? 'by a rule' : policy ? 'by a policy' : 'by none'}`)
        }
      }),
      { numRuns: CASES },
    )
    expect([...seen].sort()).toEqual([
      'ALLOW MFA_NOT_REQUIRED by a rule',
      'ALLOW MFA_OPTIONAL by a rule',
      'ALLOW MFA_REQUIRED by a rule',
      'ALLOW null by none',
      'DENY null by a policy',
      'DENY null by a rule',
    ])
  })
})

let made = 0
const rule = (requirement: Rule['requirement'], fields: Partial<Rule> = {}): Rule => ({
  id: `r${made++}`,
  conditions: {},
  priority: 0,
  requirement,
  ...fields,
})
const policy = (rules: Rule[], fields: Partial<SignOnPolicy> = {}): SignOnPolicy => ({
  id: `p${made++}`,
  name: 'P',
  effect: 'ALLOW',
  priority: 0,
  createdAt: 0,
  resource: '*',
  actions: ['login'],
  conditions: {},
  enabled: true,
  rules,
  ...fields,
})
const outcomeOf = (list: SignOnPolicy[], context: AccessRequest['context'] = {}, resource = 'sign-in') => {
  const decision = finish(decideSignOn(finish(compileSignOn(list)), { resource, action: 'login', context }))
  return decision.verdict === 'DENY' ? 'DENY' : decision.requirement
}

const ON_MARS = { timeWindow: { start: '09:00', end: '17:00', timezone: 'Mars/Olympus' } }

describe('compileSignOn with a former set', () => {
  const compiled = (list: SignOnPolicy[], former?: SignOnSet) => finish(compileSignOn(list, former))
  const holdsOf = ({ policies, rules }: SignOnSet, { id }: SignOnPolicy) => [
    ...(policies.all.find(({ policy: { id: one } }) => one === id)?.conditions ?? []).map(({ holds }) => holds),
    ...(rules.get(id) ?? []).flatMap(({ conditions: own }) => own.map(({ holds }) => holds)),
  ]
  it('compiles nothing after a new name or priority, and only the changed policy otherwise', () => {
    const conditions = { ipRange: ['10.0.0.0/8'], role: 'MEMBER' }
    const list = [1, 2, 3].map(() => policy([rule('MFA_REQUIRED', { conditions })], { conditions }))
    const [one, two, three] = list as [SignOnPolicy, SignOnPolicy, SignOnPolicy]
    const former = compiled(list)
    const changed = { ...three, rules: [rule('DENY', { conditions })] }
    const set = compiled([{ ...one, name: 'Renamed', priority: 5, actions: ['*'] }, two, changed], former)
    expect(holdsOf(former, one)).toHaveLength(4)
    const same = (id: SignOnPolicy) => holdsOf(set, id).map((holds, at) => holds === holdsOf(former, id)[at])
    expect(same(one)).toEqual([true, true, true, true])
    expect(same(two)).toEqual([true, true, true, true])
    expect(same(three)).not.toContain(true)
    expect(set.policies.all[0]?.policy.name).toBe('Renamed')
  })

  it('decides as if it were compiled without the former set', () => {
    fc.assert(
      fc.property(signOnPolicies, signOnPolicies, questions, (before, after, request) => {
        const set = compiled(after, compiled(before))
        expect(finish(decideSignOn(set, request))).toEqual(finish(decideSignOn(compiled(after), request)))
      }),
      { numRuns: CASES / 10 },
    )
  })
})

describe('decideSignOn', () => {
  it('requires nothing if no policy matches, no rule holds, or there is none', () => {
    const required = [rule('MFA_REQUIRED')]
    expect(outcomeOf([])).toBe(null)
    expect(outcomeOf([policy([])])).toBe(null)
    expect(outcomeOf([policy(required, { enabled: false })])).toBe(null)
    expect(outcomeOf([policy(required, { resource: 'application:a' })])).toBe(null)
    expect(outcomeOf([policy(required, { actions: ['logout'] })])).toBe(null)
    expect(outcomeOf([policy(required, { conditions: { role: 'ADMIN' } })], { role: 'MEMBER' })).toBe(null)
    expect(outcomeOf([policy([rule('DENY', { conditions: { role: 'ADMIN' } })])], { role: 'MEMBER' })).toBe(null)
  })

  it('denies if any policy of effect DENY matches, regardless of rules', () => {
    const allowing = policy([rule('MFA_NOT_REQUIRED', { priority: 100 })], { priority: 100 })
    expect(outcomeOf([allowing, policy([], { effect: 'DENY', priority: -100 })])).toBe('DENY')
    expect(outcomeOf([allowing, policy([rule('MFA_NOT_REQUIRED')], { effect: 'DENY' })])).toBe('DENY')
    expect(outcomeOf([allowing, policy([], { effect: 'DENY', conditions: { method: 'magic_link' } })])).toBe(
      'MFA_NOT_REQUIRED',
    )
  })

  it('applies the rule of the highest priority across policies, regardless of policy priorities', () => {
    const low = policy([rule('DENY', { priority: 1 })], { priority: 100 })
    const high = policy([rule('MFA_OPTIONAL', { priority: 2 })], { priority: 0 })
    expect(outcomeOf([low, high])).toBe('MFA_OPTIONAL')
    expect(outcomeOf([high, low])).toBe('MFA_OPTIONAL')
  })

  it('prefers among equal rules the first policy, then the first rule', () => {
    const [older, younger] = [{ createdAt: 1 }, { createdAt: 2 }]
    const optional = [rule('MFA_OPTIONAL'), rule('DENY')]
    expect(outcomeOf([policy([rule('MFA_REQUIRED')], younger), policy(optional, older)])).toBe('MFA_OPTIONAL')
    expect(outcomeOf([policy([rule('MFA_REQUIRED')], { ...younger, priority: 1 }), policy(optional, older)])).toBe(
      'MFA_REQUIRED',
    )
  })

  it('applies a lower rule if the higher one does not hold', () => {
    const rules = [rule('DENY', { priority: 9, conditions: { geoLocations: ['KP'] } }), rule('MFA_REQUIRED')]
    expect(outcomeOf([policy(rules)], { geoLocation: 'KP' })).toBe('DENY')
    expect(outcomeOf([policy(rules)], { geoLocation: 'DE' })).toBe('MFA_REQUIRED')
  })

  it('treats an unknown attribute as not matching', () => {
    const conditions = { geoLocations: ['DE'] }
    expect(outcomeOf([policy([rule('MFA_REQUIRED', { conditions })])])).toBe(null)
    expect(outcomeOf([policy([rule('MFA_REQUIRED')], { conditions })])).toBe(null)
    expect(outcomeOf([policy([], { effect: 'DENY', conditions })])).toBe(null)
  })

  it('applies an unreadable rule if it denies or requires more', () => {
    const outcome = (requirement: Rule['requirement']) =>
      outcomeOf([policy([rule(requirement, { conditions: ON_MARS })])])
    expect(outcome('DENY')).toBe('DENY')
    expect(outcome('MFA_REQUIRED')).toBe('MFA_REQUIRED')
    expect(outcome('MFA_OPTIONAL')).toBe(null)
    expect(outcome('MFA_NOT_REQUIRED')).toBe(null)
    // The readable conditions must hold nevertheless.
    const conditions = { ...ON_MARS, role: 'ADMIN' }
    expect(outcomeOf([policy([rule('DENY', { conditions })])], { role: 'MEMBER' })).toBe(null)
    expect(outcomeOf([policy([rule('DENY', { conditions })])], { role: 'ADMIN' })).toBe('DENY')
  })

  it('applies only the denying and requiring rules of an unreadable policy', () => {
    const outcome = (...rules: Rule[]) => outcomeOf([policy(rules, { conditions: ON_MARS })])
    expect(outcome(rule('MFA_NOT_REQUIRED', { priority: 1 }), rule('MFA_REQUIRED'))).toBe('MFA_REQUIRED')
    expect(outcome(rule('MFA_OPTIONAL', { priority: 1 }), rule('DENY'))).toBe('DENY')
    expect(outcome(rule('MFA_OPTIONAL'))).toBe(null)
    expect(outcomeOf([policy([], { effect: 'DENY', conditions: ON_MARS })])).toBe('DENY')
  })

  it.each([
    ['policies of a rule each', 10_000, 1],
    ['rules of few policies', 200, 50],
  ])('yields often while ten thousand %s are compiled and evaluated', (_, policies, each) => {
    const conditions = { role: ['ADMIN', 'OWNER'] }
    const list = Array.from({ length: policies }, () =>
      policy(Array.from({ length: each }, () => rule('MFA_REQUIRED', { conditions }))),
    )
    const stepsOf = (work: Iterator<unknown>) => {
      let steps = 1
      while (!work.next().done) steps++
      return steps
    }
    expect(stepsOf(compileSignOn(list))).toBeGreaterThan(10_000)
    const set = finish(compileSignOn(list))
    const request = { resource: 'sign-in', action: 'login', context: { role: 'MEMBER' } }
    expect(stepsOf(decideSignOn(set, request))).toBeGreaterThan(10_000 / 20)
  })
})
