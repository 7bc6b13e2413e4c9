import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { likes, policies, questions } from '../../../test/factories/policy-cases.js'
import { LONG } from '../../../test/harness/some-of.js'
import {
  type AccessRequest,
  type Context,
  compilePolicies,
  decide,
  decideWith,
  explain,
  finish,
  type Policy,
  type Steps,
} from './index.js'

const CASES = LONG ? 10_000 : 2_000

/** The reference implementation of the documentation, without any optimization. It shares no code with the engine. */
function oracle(policies: Policy[], request: AccessRequest): { decision: string; id: string | undefined } {
  const matching = policies.filter((policy) => likes(policy, request))
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

describe('decide over any set of policies', () => {
  it('equals the reference implementation', () => {
    fc.assert(
      fc.property(policies, fc.array(questions, { minLength: 3, maxLength: 3 }), (list, accessRequests) => {
        const set = finish(compilePolicies(list))
        for (const request of accessRequests) {
          const { decision, matched } = finish(decide(set, request))
          expect({ decision, id: matched?.id }).toEqual(oracle(list, request))
        }
      }),
      { numRuns: CASES },
    )
  })

  it('equals the decision of the saved set for a draft', () => {
    fc.assert(
      fc.property(policies, questions, fc.nat(30), (list, request, place) => {
        const [draft, ...saved] = list
        if (!draft) return
        // It replaces one of the saved policies, or none.
        const id = saved[place]?.id ?? draft.id
        const after = [...saved.filter((policy) => policy.id !== id), { ...draft, id }]
        const [set, unsaved] = [finish(compilePolicies(saved)), finish(compilePolicies([{ ...draft, id }]))]
        const { decision, matched } = finish(decideWith(set, unsaved, request))
        expect({ decision, id: matched?.id }).toEqual(oracle(after, request))
      }),
      { numRuns: CASES },
    )
  })

  it('explains exactly the matching policies, in order', () => {
    fc.assert(
      fc.property(policies, questions, (list, request) => {
        const considered = finish(explain(finish(compilePolicies(list)), request))
        expect(considered.map(({ policy }) => policy.id).sort()).toEqual(list.map(({ id }) => id).sort())
        for (const { policy, matched, failed } of considered) {
          expect(matched).toBe(likes(policy, request))
          expect(failed.length === 0).toBe(matched)
        }
        const deciding = considered.filter(({ matched }) => matched)
        const first = deciding.find(({ policy }) => policy.effect === 'DENY') ?? deciding[0]
        expect(first?.policy.id).toBe(oracle(list, request).id)
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
const decisionOf = (list: Policy[], request: Partial<AccessRequest> = {}) =>
  finish(decide(finish(compilePolicies(list)), { resource: 'doc/1', action: 'read', context: {}, ...request }))

describe('decide', () => {
  it('denies without a policy if none matches or all are disabled', () => {
    expect(decisionOf([])).toEqual({ decision: 'DENY', matched: undefined })
    expect(decisionOf([policy({ enabled: false })])).toEqual({ decision: 'DENY', matched: undefined })
  })

  it('denies if any DENY policy matches, regardless of its priority', () => {
    const { decision, matched } = decisionOf([
      policy({ id: 'a', priority: 100 }),
      policy({ id: 'd', effect: 'DENY', priority: -100 }),
    ])
    expect([decision, matched?.id]).toEqual(['DENY', 'd'])
  })

  it('compares actions exactly, except for the single `*`', () => {
    expect(decisionOf([policy({ actions: ['docs:*'] })], { action: 'docs:read' }).decision).toBe('DENY')
    expect(decisionOf([policy({ actions: ['docs:*'] })], { action: 'docs:*' }).decision).toBe('ALLOW')
    expect(decisionOf([policy({ actions: ['write', '*'] })], { action: 'read' }).decision).toBe('ALLOW')
    expect(decisionOf([policy({ actions: ['read'] })], { action: '*' }).decision).toBe('DENY')
    expect(decisionOf([policy({ actions: ['Read'] })], { action: 'read' }).decision).toBe('DENY')
  })

  it('fails closed for a condition that this node cannot read', () => {
    const conditions = { timeWindow: { start: '09:00', end: '17:00', timezone: 'Mars/Olympus' } }
    expect(decisionOf([policy({ conditions })]).decision).toBe('DENY')
    const denied = decisionOf([policy({ id: 'a' }), policy({ id: 'd', effect: 'DENY', conditions })])
    expect([denied.decision, denied.matched?.id]).toEqual(['DENY', 'd'])
  })

  it('treats names of Object.prototype as ordinary keys', () => {
    for (const key of ['constructor', 'toString', 'hasOwnProperty'])
      expect(decisionOf([policy({ conditions: { [key]: 'x' } })]).decision).toBe('DENY')
    expect(decisionOf([policy({ actions: ['read'] })], { action: 'constructor' }).decision).toBe('DENY')
  })
})

describe('ten thousand policies', () => {
  const list = Array.from({ length: 10_000 }, (_, index) =>
    policy({
      id: `p${index}`,
      effect: index % 2 ? 'ALLOW' : 'DENY',
      conditions: { groups: 'none', other: ['a', 'b'] },
    }),
  )
  const set = finish(compilePolicies(list))
  const request = (context: Context = {}): AccessRequest => ({ resource: 'doc/1', action: 'read', context })
  const stepsOf = (work: Steps<unknown>) => {
    let steps = 1
    while (!work.next().done) steps++
    return steps
  }

  it.each<[string, () => Steps<unknown>, number]>([
    ['compiled', () => compilePolicies(list), 1],
    ['decided by', () => decide(set, request()), 20],
    ['explained', () => explain(set, request()), 20],
  ])('yields often while ten thousand policies are %s', (_, work, mostInAStep) => {
    expect(stepsOf(work())).toBeGreaterThan(10_000 / mostInAStep)
  })

  it('reads a list of the context once', () => {
    let readThrough = 0
    const groups = ['staff', 'ops']
    groups[Symbol.iterator] = function (this: string[]) {
      readThrough++
      return Array.prototype[Symbol.iterator].call(this)
    }
    expect(finish(decide(set, request({ groups }))).decision).toBe('DENY')
    expect(readThrough).toBe(1)
  })

  it('prints a value of the context once', () => {
    let written = 0
    const groups = { toJSON: () => `value ${++written}` }
    const considered = finish(explain(set, request({ groups })))
    expect(new Set(considered.map(({ reason }) => reason.split('; ')[0]))).toEqual(
      new Set(['the condition groups does not hold for groups "value 1"']),
    )
  })
})
