import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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

/* The oracle: what the documentation says, as slowly and plainly as it can be said. It shares no line with the engine. */

function likesResource(pattern: string, resource: string): boolean {
  // reach[j]: whether the pattern read so far matches the first j characters.
  let reach = Array.from({ length: resource.length + 1 }, (_, j) => j === 0)
  for (const sign of pattern) {
    const next = reach.map(() => false)
    for (let j = 0; j <= resource.length; j++) {
      if (sign === '*') next[j] = reach[j] === true || (j > 0 && next[j - 1] === true)
      else next[j] = j > 0 && reach[j - 1] === true && resource[j - 1] === sign
    }
    reach = next
  }
  return reach[resource.length] === true
}

const numberOf = (address: string) => address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)

function likesAddress(wanted: string, given: unknown): boolean {
  if (typeof given !== 'string') return false
  const plain = given.startsWith('::ffff:') ? given.slice(7) : given
  const [base = '', bits = '32'] = wanted.split('/')
  const size = 2 ** (32 - Number(bits))
  return Math.floor(numberOf(plain) / size) === Math.floor(numberOf(base) / size)
}

const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

function likesTime(window: { start: string; end: string; days?: string[] }, given: unknown): boolean {
  const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))
  const at = new Date(String(given))
  // Minute by minute through the window of this day and of the day before.
  for (const back of [0, 1]) {
    const day = new Date(at.getTime() - back * 86_400_000)
    if (window.days && !window.days.includes(DAYS[day.getUTCDay()] ?? '')) continue
    const length = (minutes(window.end) - minutes(window.start) + 1_440) % 1_440
    const since = at.getUTCHours() * 60 + at.getUTCMinutes() + back * 1_440 - minutes(window.start)
    if (since >= 0 && since < length) return true
  }
  return false
}

function likes(policy: Policy, { resource, action, context }: Question): boolean {
  if (!policy.enabled || !likesResource(policy.resource, resource)) return false
  if (!policy.actions.some((each) => each === '*' || each === action)) return false
  return Object.entries(policy.conditions).every(([key, wanted]) => {
    const list = Array.isArray(wanted) ? wanted : [wanted]
    if (key === 'ipRange') return list.some((range) => likesAddress(range, context.ipAddress))
    if (key === 'geoLocations')
      return list.some((code) => typeof context.geoLocation === 'string' && code === context.geoLocation.toUpperCase())
    if (key === 'timeWindow') return context.timestamp !== undefined && likesTime(wanted as never, context.timestamp)
    return key in context && list.some((value) => value === context[key])
  })
}

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

const words = fc.array(fc.constantFrom('a', 'b', 'ab', '/', 'doc', ':', '1', '*', '**'), { maxLength: 6 })
const patterns = fc.oneof(
  words.map((parts) => parts.join('')).filter((text) => text !== ''),
  fc.constantFrom(
    '*',
    'doc/*',
    '*/1',
    'doc/*/1',
    'doc/1',
    `doc/${'ab'.repeat(40)}*`,
    `*${'ab'.repeat(40)}`,
    '*abababababab*',
  ),
)
const resources = fc.oneof(
  words.map((parts) => parts.join('').replaceAll('*', 'b')).filter((text) => text !== ''),
  fc.constantFrom('doc/1', 'doc/a/1', 'doc/a/b/1', 'doc/*', `doc/${'ab'.repeat(42)}`, 'doc', '/1', 'ababababababab'),
)
const actions = fc.constantFrom('read', 'write', 'read:all', '*', 'docs:*')
const times = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '30'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`)
const addresses = fc.tuple(fc.constantFrom(10, 192), fc.nat(3), fc.nat(3), fc.nat(255)).map((bytes) => bytes.join('.'))
const one = <T>(values: fc.Arbitrary<T>) => fc.oneof(values, fc.array(values, { minLength: 1, maxLength: 3 }))
const conditions = fc.record(
  {
    ipRange: one(
      fc.tuple(addresses, fc.constantFrom('', '/8', '/16', '/24', '/31', '/0')).map((parts) => parts.join('')),
    ),
    geoLocations: one(fc.constantFrom('DE', 'US', 'FR')),
    timeWindow: fc
      .record(
        { start: times, end: times, days: fc.uniqueArray(fc.constantFrom(...DAYS), { minLength: 1 }) },
        { requiredKeys: ['start', 'end'] },
      )
      .filter(({ start, end }) => start !== end),
    department: one(fc.constantFrom('sales', 'it', 7, true, null, '7')),
  },
  { requiredKeys: [] },
)
const policies = fc
  .array(
    fc.record({
      effect: fc.constantFrom('ALLOW' as const, 'DENY' as const),
      priority: fc.integer({ min: -2, max: 2 }),
      createdAt: fc.nat(3),
      resource: patterns,
      actions: fc.array(actions, { minLength: 1, maxLength: 3 }),
      conditions: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, conditions),
      enabled: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
    }),
    { maxLength: 25 },
  )
  .map((list) => list.map((policy, index): Policy => ({ ...policy, id: `p${index}`, name: `Policy ${index}` })))
const questions = fc.record({
  resource: resources,
  action: actions,
  context: fc.record(
    {
      ipAddress: fc.oneof(
        addresses,
        addresses.map((address) => `::ffff:${address}`),
      ),
      geoLocation: fc.constantFrom('DE', 'us', 'FR'),
      timestamp: fc
        .integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) })
        .map((at) => new Date(at).toISOString()),
      department: fc.constantFrom('sales', 'it', 7, true, null, '7'),
    },
    { requiredKeys: [] },
  ),
})

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
