import { safeParse } from 'valibot'
import { describe, expect, it } from 'vitest'
import { firstKept, PRESETS, removesMore, retentionSchema } from './retention-values'

describe('retentionSchema', () => {
  it.each([null, 90, 400, 3_650, ...PRESETS])('accepts %o days', (days) => {
    expect(safeParse(retentionSchema, { days }).success).toBe(true)
  })

  it.each(['', 0, 89, 3_651, 90.5, Number.NaN])('rejects %o days', (days) => {
    expect(safeParse(retentionSchema, { days }).success).toBe(false)
  })
})

describe('removesMore', () => {
  it.each([
    [90, null, true],
    [90, 180, true],
    [180, 90, false],
    [90, 90, false],
    [null, 90, false],
    [null, null, false],
    ['' as const, null, false],
    [30, null, false],
  ])('compares %o days with %o', (days, before, expected) => {
    expect(removesMore(days, before)).toBe(expected)
  })
})

describe('firstKept', () => {
  it('returns the time of the oldest entry that stays', () => {
    const now = Date.parse('2026-12-01T10:00:00Z')
    expect(firstKept(90, now)).toBe('2026-09-02T10:00:00.000Z')
    expect(firstKept(null, now)).toBeNull()
    expect(firstKept('', now)).toBeNull()
    expect(firstKept(89, now)).toBeNull()
  })
})
