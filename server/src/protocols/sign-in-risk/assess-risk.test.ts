import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assessRisk,
  CHALLENGE_FROM,
  type PastSignIn,
  RISK_REASONS,
  type RiskReason,
  type SignInFacts,
} from './index.js'

const NOW = new Date('2026-03-01T12:00:00Z')
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000)

const now = (fields: Partial<SignInFacts> = {}): SignInFacts => ({
  ip: '192.0.2.7',
  country: 'DE',
  deviceKnown: true,
  failures: 0,
  at: NOW,
  ...fields,
})
const earlier = (fields: Partial<PastSignIn> = {}): PastSignIn => ({
  ip: '192.0.2.7',
  country: 'DE',
  lastSeenAt: hoursAgo(48),
  ...fields,
})
const reasonsOf = (facts: Partial<SignInFacts>, ...past: PastSignIn[]) => assessRisk(now(facts), past).reasons

describe('the weights', () => {
  it('sum to 100, and no light reason alone leads to a challenge', () => {
    const weights = Object.values(RISK_REASONS).map(({ weight }) => weight as number)
    expect(weights.reduce((sum, weight) => sum + weight)).toBe(100)
    expect(RISK_REASONS.new_device.weight).toBeGreaterThanOrEqual(CHALLENGE_FROM)
    expect(RISK_REASONS.new_network.weight).toBeLessThan(CHALLENGE_FROM)
  })
})

describe('a sign-in', () => {
  it('like the one before is no risk', () => {
    expect(assessRisk(now(), [earlier()])).toEqual({ score: 0, reasons: [] })
  })

  it('that is the first of its account has a new browser and a new network, and no new country', () => {
    expect(assessRisk(now({ deviceKnown: false }), [])).toEqual({ score: 40, reasons: ['new_device', 'new_network'] })
  })

  it('with everything against it scores 100', () => {
    const facts = { deviceKnown: false, failures: 3, country: 'JP', ip: '198.51.100.1' }
    expect(assessRisk(now(facts), [earlier({ lastSeenAt: hoursAgo(1) })])).toEqual({
      score: 100,
      reasons: ['new_device', 'new_network', 'new_country', 'impossible_travel', 'recent_failures'],
    })
  })

  it('after three failures is a risk, after two none', () => {
    expect(reasonsOf({ failures: 3 }, earlier())).toEqual(['recent_failures'])
    expect(reasonsOf({ failures: 2 }, earlier())).toEqual([])
  })
})

describe('a network', () => {
  it.each([
    ['the /24 of IPv4', '192.0.2.7', '192.0.2.200', false],
    ['another /24', '192.0.2.7', '192.0.3.7', true],
    ['IPv4 mapped into IPv6', '192.0.2.7', '::ffff:192.0.2.200', false],
    ['the same, in hexadecimal', '::ffff:c000:207', '192.0.2.200', false],
    ['the /48 of IPv6', '2001:db8:1::1', '2001:db8:1:ffff::2', false],
    ['another /48', '2001:db8:1::1', '2001:db8:2::1', true],
    ['an address that is not known', null, null, true],
    ['a text that is no address', 'x', 'x', true],
  ])('is %s', (_, before, after, isNew) => {
    const reasons = reasonsOf({ ip: after }, earlier({ ip: before }))
    expect(reasons).toEqual(isNew ? ['new_network'] : [])
  })

  it('is known when any earlier sign-in came from it', () => {
    const elsewhere = earlier({ ip: '198.51.100.1' })
    expect(reasonsOf({}, elsewhere, earlier(), elsewhere)).toEqual([])
  })
})

describe('a country', () => {
  const longAgo = hoursAgo(1_000)
  it('is new where others are known and it is not among them', () => {
    expect(reasonsOf({ country: 'FR' }, earlier({ lastSeenAt: longAgo }))).toEqual(['new_country'])
    const french = earlier({ country: 'FR', lastSeenAt: longAgo })
    expect(reasonsOf({ country: 'FR' }, earlier({ lastSeenAt: longAgo }), french)).toEqual([])
  })

  it('is not new where it is not known, or no earlier one is', () => {
    expect(reasonsOf({ country: undefined }, earlier())).toEqual([])
    expect(reasonsOf({ country: 'FR' }, earlier({ country: null }))).toEqual([])
  })
})

describe('a journey', () => {
  /** Home is known, so that the country is not new and only the journey counts. */
  const home = earlier({ lastSeenAt: hoursAgo(1_000) })
  const from = (country: string | null, hours: number) => earlier({ country, lastSeenAt: hoursAgo(hours) })

  it('is impossible from Japan to Germany in three hours, and possible in a day', () => {
    expect(reasonsOf({}, home, from('JP', 3))).toEqual(['impossible_travel'])
    expect(reasonsOf({}, home, from('JP', 24))).toEqual([])
  })

  it('is possible between neighbours in an hour', () => {
    expect(reasonsOf({}, home, from('NL', 1))).toEqual([])
  })

  it('across the date line is the short way round', () => {
    const facts = { country: 'FJ' }
    const fijian = earlier({ country: 'FJ', lastSeenAt: hoursAgo(1_000) })
    expect(reasonsOf(facts, fijian, from('WS', 2))).toEqual([])
    expect(reasonsOf(facts, fijian, from('WS', 1))).toEqual(['impossible_travel'])
  })

  it('is judged from the last sign-in in another country that is known, in whatever order they come', () => {
    const past = [from('JP', 24), from('NL', 2), from(null, 1), from('ZZ', 1), home, from('DE', 1)]
    expect(reasonsOf({}, ...past)).toEqual([])
    expect(reasonsOf({}, ...past.toReversed(), from('JP', 1))).toEqual(['impossible_travel'])
  })

  it('is not judged where the country is not known', () => {
    expect(reasonsOf({ country: null }, home, from('JP', 1))).toEqual([])
    expect(reasonsOf({ country: 'ZZ' }, earlier({ country: 'ZZ' }), from('JP', 1))).toEqual([])
  })

  it('is judged by the farthest of two countries that were last seen at one moment, whichever is named first', () => {
    const [near, far] = [from('DE', 4), from('JP', 4)]
    for (const past of [
      [near, far],
      [far, near],
    ])
      expect(reasonsOf({ country: 'NL' }, ...past)).toEqual(['new_country', 'impossible_travel'])
  })

  it('from a moment that a clock of another node has yet to reach took no time', () => {
    expect(reasonsOf({}, home, from('JP', -0.001))).toEqual(['impossible_travel'])
  })
})

const addresses = fc.constantFrom(null, '192.0.2.1', '192.0.2.9', '198.51.100.1', '::ffff:192.0.2.3', '2001:db8::1')
const countries = fc.constantFrom(null, undefined, 'DE', 'NL', 'JP', 'US', 'ZZ')
const facts = fc.record({
  ip: addresses,
  country: countries,
  deviceKnown: fc.boolean(),
  failures: fc.nat(6),
  at: fc.nat(100).map((hours) => hoursAgo(-hours)),
})
const history = fc.array(fc.record({ ip: addresses, country: countries, lastSeenAt: fc.nat(100).map(hoursAgo) }), {
  maxLength: 6,
})

const CASES = process.env.KEYWARD_LONG ? 20_000 : 2_000

describe('of any sign-in', () => {
  it('the score is the sum of its reasons, each named once, from 0 to 100', () => {
    const seen = new Set<RiskReason>()
    fc.assert(
      fc.property(facts, history, (sign, past) => {
        const { score, reasons } = assessRisk(sign, past)
        expect(new Set(reasons).size).toBe(reasons.length)
        expect(score).toBe(reasons.reduce((sum, reason) => sum + RISK_REASONS[reason].weight, 0))
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(100)
        for (const reason of reasons) seen.add(reason)
      }),
      { numRuns: CASES },
    )
    expect(seen.size).toBe(Object.keys(RISK_REASONS).length)
  })

  it('no fact that is worse makes the score lower', () => {
    fc.assert(
      fc.property(facts, history, fc.nat(100), (sign, past, more) => {
        const score = (changed: Partial<SignInFacts>, before = past) =>
          assessRisk({ ...sign, ...changed }, before).score
        const { score: own } = assessRisk(sign, past)
        expect(score({ deviceKnown: false })).toBeGreaterThanOrEqual(own)
        expect(score({ failures: sign.failures + more })).toBeGreaterThanOrEqual(own)
        expect(score({ ip: null })).toBeGreaterThanOrEqual(own)
        expect(score({ country: null })).toBeLessThanOrEqual(own)
        expect(score({ at: new Date(sign.at.getTime() + more * 3_600_000) })).toBeLessThanOrEqual(own)
        // One more sign-in like this, at whatever time, makes nothing more unusual.
        const same = { ip: sign.ip, country: sign.country, lastSeenAt: hoursAgo(more) }
        expect(score({}, [...past, same])).toBeLessThanOrEqual(own)
        expect(score({}, past.toReversed())).toBe(own)
      }),
      { numRuns: CASES },
    )
  })
})
