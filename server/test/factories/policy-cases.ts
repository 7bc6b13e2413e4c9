import fc from 'fast-check'
import type { AccessRequest, Context, Policy } from '../../src/protocols/policy/index.js'

function likesResource(pattern: string, resource: string): boolean {
  // reach[j]: whether the pattern up to here matches the first j characters.
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

function matchesAddress(wanted: string, actual: unknown): boolean {
  if (typeof actual !== 'string') return false
  const plain = actual.startsWith('::ffff:') ? actual.slice(7) : actual
  const [base = '', bits = '32'] = wanted.split('/')
  const size = 2 ** (32 - Number(bits))
  return Math.floor(numberOf(plain) / size) === Math.floor(numberOf(base) / size)
}

const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

function matchesTime(window: { start: string; end: string; days?: string[] }, actual: unknown): boolean {
  const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))
  const at = new Date(String(actual))
  // Steps by minute through the windows of this day and the previous day.
  for (const back of [0, 1]) {
    const day = new Date(at.getTime() - back * 86_400_000)
    if (window.days && !window.days.includes(DAYS[day.getUTCDay()] ?? '')) continue
    const length = (minutes(window.end) - minutes(window.start) + 1_440) % 1_440
    const since = at.getUTCHours() * 60 + at.getUTCMinutes() + back * 1_440 - minutes(window.start)
    if (since >= 0 && since < length) return true
  }
  return false
}

/**
 * Returns whether a policy matches, as a test oracle: a slow, simple implementation of the documentation that shares no code with the
 * engine.
 */
export function likes(policy: Policy, { resource, action, context }: AccessRequest): boolean {
  if (!policy.enabled || !likesResource(policy.resource, resource)) return false
  if (!policy.actions.some((each) => each === '*' || each === action)) return false
  return likesConditions(policy.conditions, context)
}

/** Returns whether all conditions hold. */
export function likesConditions(conditions: Policy['conditions'], context: Context): boolean {
  return Object.entries(conditions).every(([key, wanted]) => {
    const list = Array.isArray(wanted) ? wanted : [wanted]
    if (key === 'ipRange') return list.some((range) => matchesAddress(range, context.ipAddress))
    if (key === 'geoLocations')
      return list.some((code) => typeof context.geoLocation === 'string' && code === context.geoLocation.toUpperCase())
    if (key === 'timeWindow') return context.timestamp !== undefined && matchesTime(wanted as never, context.timestamp)
    return key in context && list.some((value) => value === context[key])
  })
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
/** Generates valid conditions. */
export const conditions = fc.record(
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
/** Generates a set of policies. */
export const policies = fc
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
/** Generates a request. Most match some of the policies. */
export const questions = fc.record({
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
