import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { likes, policies, questions } from '../../../test/policy-cases.js'
import {
  type Context,
  compilePolicies,
  decide,
  decideWith,
  explain,
  finish,
  type Policy,
  type Question,
  type Steps,
} from './index.js'

const CASES = process.env.KEYWARD_LONG ? 10_000 : 2_000

/** The oracle: what the documentation says, as slowly and plainly as it can be said. It shares no line with the engine. */
function oracle(policies: Policy[], question: Question): { decision: string; id: string | undefined } {
  const matching = policies.filter((policy) => likes(policy, question))
  const denying = matching.filter(({ effect }) => effect === 'DENY')
  let best: Policy | undefined
  for (const policy of denying.length > 0 ? denying : matching) {
    const wins =
      !best ||
      policy.priority > best.priority ||
      (policy.priority === best.priority && policy.createdAt < best.createdAt) ||
      (policy.priority === best.priority && policy.createdAt === best.createdAt && policy.id < best.id)
    if (wins) best = policy
  }
  return { decision: matching.length > 0 && denying.length === 0 ? 'ALLOW' : 'DENY', id: best?.id }
}

describe('a decision over any set of policies', () => {
  it('is the one that the rules give when they are applied one by one', () => {
    fc.assert(
      fc.property(policies, fc.array(questions, { minLength: 3, maxLength: 3 }), (list, asked) => {
        const set = finish(compilePolicies(list))
        for (const question of asked) {
          const { decision, matched } = finish(decide(set, question))
          expect({ decision, id: matched?.id }).toEqual(oracle(list, question))
        }
      }),
      { numRuns: CASES },
    )
  })

  it('with a draft is the one of the set in which it were saved', () => {
    fc.assert(
      fc.property(policies, questions, fc.nat(30), (list, question, place) => {
        const [draft, ...saved] = list
        if (!draft) return
        // It takes the place of one of the saved ones, or of none.
        const id = saved[place]?.id ?? draft.id
        const after = [...saved.filter((policy) => policy.id !== id), { ...draft, id }]
        const [set, unsaved] = [finish(compilePolicies(saved)), finish(compilePolicies([{ ...draft, id }]))]
        const { decision, matched } = finish(decideWith(set, unsaved, question))
        expect({ decision, id: matched?.id }).toEqual(oracle(after, question))
      }),
      { numRuns: CASES },
    )
  })

  it('is explained by the policies that match, each in its place', () => {
    fc.assert(
      fc.property(policies, questions, (list, question) => {
        const considered = finish(explain(finish(compilePolicies(list)), question))
        expect(considered.map(({ policy }) => policy.id).sort()).toEqual(list.map(({ id }) => id).sort())
        for (const { policy, matched, failed } of considered) {
          expect(matched).toBe(likes(policy, question))
          expect(failed.length === 0).toBe(matched)
        }
        const deciding = considered.filter(({ matched }) => matched)
        const first = deciding.find(({ policy }) => policy.effect === 'DENY') ?? deciding[0]
        expect(first?.policy.id).toBe(oracle(list, question).id)
      }),
      { numRuns: CASES / 4 },
    )
  })
})

const policy = (fields: Partial<Policy>): Policy => ({
  id: 'p',
  name: 'P',
  effect: 'ALLOW',
  priority: 0,
  createdAt: 0,
  resource: '*',
  actions: ['*'],
  conditions: {},
  enabled: true,
  ...fields,
})
const ask = (list: Policy[], question: Partial<Question> = {}) =>
  finish(decide(finish(compilePolicies(list)), { resource: 'doc/1', action: 'read', context: {}, ...question }))

describe('a decision', () => {
  it('is DENY, by no policy, where none matches or all are disabled', () => {
    expect(ask([])).toEqual({ decision: 'DENY', matched: undefined })
    expect(ask([policy({ enabled: false })])).toEqual({ decision: 'DENY', matched: undefined })
  })

  it('is DENY as soon as one DENY policy matches, of whatever priority', () => {
    const { decision, matched } = ask([
      policy({ id: 'a', priority: 100 }),
      policy({ id: 'd', effect: 'DENY', priority: -100 }),
    ])
    expect([decision, matched?.id]).toEqual(['DENY', 'd'])
  })

  it('takes an action as it is, but for `*` alone', () => {
    expect(ask([policy({ actions: ['docs:*'] })], { action: 'docs:read' }).decision).toBe('DENY')
    expect(ask([policy({ actions: ['docs:*'] })], { action: 'docs:*' }).decision).toBe('ALLOW')
    expect(ask([policy({ actions: ['write', '*'] })], { action: 'read' }).decision).toBe('ALLOW')
    expect(ask([policy({ actions: ['read'] })], { action: '*' }).decision).toBe('DENY')
    expect(ask([policy({ actions: ['Read'] })], { action: 'read' }).decision).toBe('DENY')
  })

  it('takes a condition that this node cannot read for the refusing side', () => {
    const conditions = { timeWindow: { start: '09:00', end: '17:00', timezone: 'Mars/Olympus' } }
    expect(ask([policy({ conditions })]).decision).toBe('DENY')
    const denied = ask([policy({ id: 'a' }), policy({ id: 'd', effect: 'DENY', conditions })])
    expect([denied.decision, denied.matched?.id]).toEqual(['DENY', 'd'])
  })

  it('is not misled by names that every object has', () => {
    for (const key of ['constructor', 'toString', 'hasOwnProperty'])
      expect(ask([policy({ conditions: { [key]: 'x' } })]).decision).toBe('DENY')
    expect(ask([policy({ actions: ['read'] })], { action: 'constructor' }).decision).toBe('DENY')
  })
})

describe('over ten thousand policies', () => {
  const list = Array.from({ length: 10_000 }, (_, index) =>
    policy({
      id: `p${index}`,
      effect: index % 2 ? 'ALLOW' : 'DENY',
      conditions: { groups: 'none', other: ['a', 'b'] },
    }),
  )
  const set = finish(compilePolicies(list))
  const question = (context: Context = {}): Question => ({ resource: 'doc/1', action: 'read', context })
  const stepsOf = (work: Steps<unknown>) => {
    let steps = 1
    while (!work.next().done) steps++
    return steps
  }

  it.each<[string, () => Steps<unknown>, number]>([
    ['compiled', () => compilePolicies(list), 1],
    ['decided by', () => decide(set, question()), 20],
    ['explained', () => explain(set, question()), 20],
  ])('others may have their turn while they are %s', (_, work, mostInAStep) => {
    expect(stepsOf(work())).toBeGreaterThan(10_000 / mostInAStep)
  })

  it('a list of the context is read through once', () => {
    let readThrough = 0
    const groups = ['staff', 'ops']
    groups[Symbol.iterator] = function (this: string[]) {
      readThrough++
      return Array.prototype[Symbol.iterator].call(this)
    }
    expect(finish(decide(set, question({ groups }))).decision).toBe('DENY')
    expect(readThrough).toBe(1)
  })

  it('a value of the context is put into words once', () => {
    let written = 0
    const groups = { toJSON: () => `value ${++written}` }
    const considered = finish(explain(set, question({ groups })))
    expect(new Set(considered.map(({ reason }) => reason.split('; ')[0]))).toEqual(
      new Set(['the condition groups does not hold for groups "value 1"']),
    )
  })
})
