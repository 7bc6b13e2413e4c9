import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONG } from '../../../test/harness/some-of.js'
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

describe('RISK_REASONS', () => {
  it('sums to 100, and requires more than one light reason for a challenge', () => {
    const weights = Object.values(RISK_REASONS).map(({ weight }) => weight as number)
    expect(weights.reduce((sum, weight) => sum + weight)).toBe(100)
    expect(RISK_REASONS.new_device.weight).toBeGreaterThanOrEqual(CHALLENGE_FROM)
    expect(RISK_REASONS.new_network.weight).toBeLessThan(CHALLENGE_FROM)
  })
})

describe('assessRisk', () => {
  it('returns 0 for a sign-in like the previous one', () => {
    expect(assessRisk(now(), [earlier()])).toEqual({ score: 0, reasons: [] })
  })

  it('returns a new device and network, but no new country, for the first sign-in of an account', () => {
    expect(assessRisk(now({ deviceKnown: false }), [])).toEqual({ score: 40, reasons: ['new_device', 'new_network'] })
  })

  it('returns 100 with every reason', () => {
    const facts = { deviceKnown: false, failures: 3, country: 'JP', ip: '198.51.100.1' }
    expect(assessRisk(now(facts), [earlier({ lastSeenAt: hoursAgo(1) })])).toEqual({
      score: 100,
      reasons: ['new_device', 'new_network', 'new_country', 'impossible_travel', 'recent_failures'],
    })
  })

  it('returns recent_failures after three failures, not after two', () => {
    expect(reasonsOf({ failures: 3 }, earlier())).toEqual(['recent_failures'])
    expect(reasonsOf({ failures: 2 }, earlier())).toEqual([])
  })
})

describe('the reason new_network', () => {
  it.each([
    ['the /24 of IPv4', '192.0.2.7', '192.0.2.200', false],
    ['another /24', '192.0.2.7', '192.0.3.7', true],
    ['IPv4 mapped into IPv6', '192.0.2.7', '::ffff:192.0.2.200', false],
    ['the same, in hexadecimal', '::ffff:c000:207', '192.0.2.200', false],
    ['the /48 of IPv6', '2001:db8:1::1', '2001:db8:1:ffff::2', false],
    ['another /48', '2001:db8:1::1', '2001:db8:2::1', true],
    ['an unknown address', null, null, true],
    ['a malformed address', 'x', 'x', true],
  ])('compares %s', (_, before, after, isNew) => {
    const reasons = reasonsOf({ ip: after }, earlier({ ip: before }))
    expect(reasons).toEqual(isNew ? ['new_network'] : [])
  })

  it('applies only if no earlier sign-in came from the network', () => {
    const elsewhere = earlier({ ip: '198.51.100.1' })
    expect(reasonsOf({}, elsewhere, earlier(), elsewhere)).toEqual([])
  })
})

describe('the reason new_country', () => {
  const longAgo = hoursAgo(1_000)
  it('applies to a country that is not among the known ones', () => {
    expect(reasonsOf({ country: 'FR' }, earlier({ lastSeenAt: longAgo }))).toEqual(['new_country'])
    const french = earlier({ country: 'FR', lastSeenAt: longAgo })
    expect(reasonsOf({ country: 'FR' }, earlier({ lastSeenAt: longAgo }), french)).toEqual([])
  })

  it('applies only with a country and known earlier ones', () => {
    expect(reasonsOf({ country: undefined }, earlier())).toEqual([])
    expect(reasonsOf({ country: 'FR' }, earlier({ country: null }))).toEqual([])
  })
})

describe('the reason impossible_travel', () => {
  /** The home country is known, so that only the travel counts. */
  const home = earlier({ lastSeenAt: hoursAgo(1_000) })
  const from = (country: string | null, hours: number) => earlier({ country, lastSeenAt: hoursAgo(hours) })

  it('applies to Japan and Germany within three hours, but not within a day', () => {
    expect(reasonsOf({}, home, from('JP', 3))).toEqual(['impossible_travel'])
    expect(reasonsOf({}, home, from('JP', 24))).toEqual([])
  })

  it('ignores neighboring countries within an hour', () => {
    expect(reasonsOf({}, home, from('NL', 1))).toEqual([])
  })

  it('uses the shorter way across the date line', () => {
    const facts = { country: 'FJ' }
    const fijian = earlier({ country: 'FJ', lastSeenAt: hoursAgo(1_000) })
    expect(reasonsOf(facts, fijian, from('WS', 2))).toEqual([])
    expect(reasonsOf(facts, fijian, from('WS', 1))).toEqual(['impossible_travel'])
  })

  it('compares with the latest sign-in from another known country, in any order of the history', () => {
    const past = [from('JP', 24), from('NL', 2), from(null, 1), from('ZZ', 1), home, from('DE', 1)]
    expect(reasonsOf({}, ...past)).toEqual([])
    expect(reasonsOf({}, ...past.toReversed(), from('JP', 1))).toEqual(['impossible_travel'])
  })

  it('applies only with a known country', () => {
    expect(reasonsOf({ country: null }, home, from('JP', 1))).toEqual([])
    expect(reasonsOf({ country: 'ZZ' }, earlier({ country: 'ZZ' }), from('JP', 1))).toEqual([])
  })

  it('uses the farthest of two countries last seen at the same time, in any order', () => {
    const [near, far] = [from('DE', 4), from('JP', 4)]
    for (const past of [
      [near, far],
      [far, near],
    ])
      expect(reasonsOf({ country: 'NL' }, ...past)).toEqual(['new_country', 'impossible_travel'])
  })

  it('treats a timestamp slightly in the future, from another node, as no elapsed time', () => {
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

const CASES = LONG ? 20_000 : 2_000

describe('any sign-in', () => {
  it('scores the sum of its distinct reasons, from 0 to 100', () => {
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

  it('scores no lower with a worse attribute', () => {
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
        // One more sign-in like this at any time makes nothing more unusual.
        const same = { ip: sign.ip, country: sign.country, lastSeenAt: hoursAgo(more) }
        expect(score({}, [...past, same])).toBeLessThanOrEqual(own)
        expect(score({}, past.toReversed())).toBe(own)
      }),
      { numRuns: CASES },
    )
  })
})
