import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conditions, likes, likesConditions, policies, questions } from '../../../test/policy-cases.js'
import {
  compileSignOn,
  decideSignOn,
  finish,
  type Question,
  type Rule,
  type SignOnPolicy,
  type SignOnSet,
} from './index.js'

const CASES = process.env.KEYWARD_LONG ? 10_000 : 2_000

/** The oracle: every rule that holds, sorted as the documentation says. It shares no line with the engine. */
function oracle(list: SignOnPolicy[], question: Question) {
  const inOrder = list
    .filter((policy) => likes(policy, question))
    .sort((a, b) => b.priority - a.priority || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  const denying = inOrder.find(({ effect }) => effect === 'DENY')
  if (denying) return { verdict: 'DENY', requirement: null, policy: denying.id, rule: undefined }
  const [first] = inOrder
    .flatMap((policy) => policy.rules.map((rule) => ({ policy, rule })))
    .filter(({ rule }) => likesConditions(rule.conditions, question.context))
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
      // Most allow: where one refuses no rule is asked.
      return { ...policy, effect: rejects === 4 ? 'DENY' : 'ALLOW', rules: own }
    }),
  ),
)

describe('a decision about signing in over any set of policies', () => {
  it('is the one that the rules give when they are applied one by one', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(signOnPolicies, fc.array(questions, { minLength: 3, maxLength: 3 }), (list, asked) => {
        const set = finish(compileSignOn(list))
        for (const question of asked) {
          const { verdict, requirement, policy, rule } = finish(decideSignOn(set, question))
          const said = { verdict, requirement, policy: policy?.id, rule: rule?.id }
          expect(said).toEqual(oracle(list, question))
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
const ask = (list: SignOnPolicy[], context: Question['context'] = {}, resource = 'sign-in') => {
  const decision = finish(decideSignOn(finish(compileSignOn(list)), { resource, action: 'login', context }))
  return decision.verdict === 'DENY' ? 'DENY' : decision.requirement
}

const ON_MARS = { timeWindow: { start: '09:00', end: '17:00', timezone: 'Mars/Olympus' } }

describe('a set of policies about signing in that is compiled after another one', () => {
  const compiled = (list: SignOnPolicy[], former?: SignOnSet) => finish(compileSignOn(list, former))
  const holdsOf = ({ policies, rules }: SignOnSet, { id }: SignOnPolicy) => [
    ...(policies.all.find(({ policy: { id: one } }) => one === id)?.conditions ?? []).map(({ holds }) => holds),
    ...(rules.get(id) ?? []).flatMap(({ conditions: own }) => own.map(({ holds }) => holds)),
  ]
  it('compiles nothing after a new name or priority, and of a change that policy alone', () => {
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

  it('decides as if it were compiled alone', () => {
    fc.assert(
      fc.property(signOnPolicies, signOnPolicies, questions, (before, after, question) => {
        const set = compiled(after, compiled(before))
        expect(finish(decideSignOn(set, question))).toEqual(finish(decideSignOn(compiled(after), question)))
      }),
      { numRuns: CASES / 10 },
    )
  })
})

describe('a decision about signing in', () => {
  it('asks for nothing where no policy matches, no rule holds, or none is written', () => {
    const required = [rule('MFA_REQUIRED')]
    expect(ask([])).toBe(null)
    expect(ask([policy([])])).toBe(null)
    expect(ask([policy(required, { enabled: false })])).toBe(null)
    expect(ask([policy(required, { resource: 'application:a' })])).toBe(null)
    expect(ask([policy(required, { actions: ['logout'] })])).toBe(null)
    expect(ask([policy(required, { conditions: { role: 'ADMIN' } })], { role: 'MEMBER' })).toBe(null)
    expect(ask([policy([rule('DENY', { conditions: { role: 'ADMIN' } })])], { role: 'MEMBER' })).toBe(null)
  })

  it('is a refusal as soon as a policy of effect DENY matches, whatever rules say', () => {
    const allowing = policy([rule('MFA_NOT_REQUIRED', { priority: 100 })], { priority: 100 })
    expect(ask([allowing, policy([], { effect: 'DENY', priority: -100 })])).toBe('DENY')
    expect(ask([allowing, policy([rule('MFA_NOT_REQUIRED')], { effect: 'DENY' })])).toBe('DENY')
    expect(ask([allowing, policy([], { effect: 'DENY', conditions: { method: 'magic_link' } })])).toBe(
      'MFA_NOT_REQUIRED',
    )
  })

  it('is the rule of the highest priority across policies, whatever the priorities of these', () => {
    const low = policy([rule('DENY', { priority: 1 })], { priority: 100 })
    const high = policy([rule('MFA_OPTIONAL', { priority: 2 })], { priority: 0 })
    expect(ask([low, high])).toBe('MFA_OPTIONAL')
    expect(ask([high, low])).toBe('MFA_OPTIONAL')
  })

  it('of equal rules is that of the policy that goes first, and there the one that stands first', () => {
    const [older, younger] = [{ createdAt: 1 }, { createdAt: 2 }]
    const optional = [rule('MFA_OPTIONAL'), rule('DENY')]
    expect(ask([policy([rule('MFA_REQUIRED')], younger), policy(optional, older)])).toBe('MFA_OPTIONAL')
    expect(ask([policy([rule('MFA_REQUIRED')], { ...younger, priority: 1 }), policy(optional, older)])).toBe(
      'MFA_REQUIRED',
    )
  })

  it('is given by a lower rule where the higher one does not hold', () => {
    const rules = [rule('DENY', { priority: 9, conditions: { geoLocations: ['KP'] } }), rule('MFA_REQUIRED')]
    expect(ask([policy(rules)], { geoLocation: 'KP' })).toBe('DENY')
    expect(ask([policy(rules)], { geoLocation: 'DE' })).toBe('MFA_REQUIRED')
  })

  it('takes a fact that is not known for one that does not hold', () => {
    const conditions = { geoLocations: ['DE'] }
    expect(ask([policy([rule('MFA_REQUIRED', { conditions })])])).toBe(null)
    expect(ask([policy([rule('MFA_REQUIRED')], { conditions })])).toBe(null)
    expect(ask([policy([], { effect: 'DENY', conditions })])).toBe(null)
  })

  it('takes a rule that this node cannot read for the side that refuses or asks for more', () => {
    const said = (requirement: Rule['requirement']) => ask([policy([rule(requirement, { conditions: ON_MARS })])])
    expect(said('DENY')).toBe('DENY')
    expect(said('MFA_REQUIRED')).toBe('MFA_REQUIRED')
    expect(said('MFA_OPTIONAL')).toBe(null)
    expect(said('MFA_NOT_REQUIRED')).toBe(null)
    // What of its conditions can be read must hold all the same.
    const conditions = { ...ON_MARS, role: 'ADMIN' }
    expect(ask([policy([rule('DENY', { conditions })])], { role: 'MEMBER' })).toBe(null)
    expect(ask([policy([rule('DENY', { conditions })])], { role: 'ADMIN' })).toBe('DENY')
  })

  it('takes a policy that this node cannot read for its refusing and requiring rules alone', () => {
    const said = (...rules: Rule[]) => ask([policy(rules, { conditions: ON_MARS })])
    expect(said(rule('MFA_NOT_REQUIRED', { priority: 1 }), rule('MFA_REQUIRED'))).toBe('MFA_REQUIRED')
    expect(said(rule('MFA_OPTIONAL', { priority: 1 }), rule('DENY'))).toBe('DENY')
    expect(said(rule('MFA_OPTIONAL'))).toBe(null)
    expect(ask([policy([], { effect: 'DENY', conditions: ON_MARS })])).toBe('DENY')
  })

  it.each([
    ['policies of a rule each', 10_000, 1],
    ['rules of few policies', 200, 50],
  ])('lets others have their turn while ten thousand %s are compiled and asked', (_, policies, each) => {
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
    const question = { resource: 'sign-in', action: 'login', context: { role: 'MEMBER' } }
    expect(stepsOf(decideSignOn(set, question))).toBeGreaterThan(10_000 / 20)
  })
})
