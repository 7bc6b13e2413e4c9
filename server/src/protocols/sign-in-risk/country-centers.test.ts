import { describe, expect, it } from 'vitest'
import { isCountryCode } from '../../platform/geo/country-codes.js'
import { centerOf, type Place } from './country-centers.js'
import { distanceKm } from './distance.js'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const CODES = [...LETTERS].flatMap((first) => [...LETTERS].map((second) => `${first}${second}`))
const center = (code: string): Place => {
  const place = centerOf(code)
  if (!place) throw new Error(`${code} has no center`)
  return place
}

describe('centerOf', () => {
  it('returns a location for every country of ISO 3166-1 and Kosovo, and for no other code', () => {
    expect(CODES.filter((code) => centerOf(code) !== undefined)).toEqual(CODES.filter(isCountryCode))
    expect(CODES.filter(isCountryCode)).toHaveLength(250)
  })

  it('returns valid coordinates in half degrees', () => {
    for (const code of CODES.filter(isCountryCode)) {
      const [latitude, longitude] = center(code)
      expect(Math.abs(latitude), code).toBeLessThanOrEqual(90)
      expect(Math.abs(longitude), code).toBeLessThanOrEqual(180)
      expect([latitude * 2, longitude * 2].every(Number.isInteger), code).toBe(true)
    }
  })

  /** Approximate distances between the centers. */
  it.each([
    ['DE', 'FR', 800],
    ['DE', 'JP', 9_000],
    ['NZ', 'ES', 19_500],
    ['US', 'CA', 2_050],
    ['AU', 'NZ', 4_000],
    ['FJ', 'WS', 1_100],
    ['DE', 'DE', 0],
  ])('returns locations for %s and %s about %i km apart', (one, other, km) => {
    const distance = distanceKm(center(one), center(other))
    expect(Math.abs(distance - km)).toBeLessThan(0.15 * km + 1)
    expect(distanceKm(center(other), center(one))).toBeCloseTo(distance)
  })

  it('measures antipodes as half the circumference of the earth', () => {
    expect(distanceKm([0, 0], [0, 180])).toBeCloseTo(Math.PI * 6_371)
    expect(distanceKm([42.5, 13], [-42.5, -167])).toBeCloseTo(Math.PI * 6_371)
  })
})
