import { describe, expect, it } from 'vitest'
import { roundedShare } from './share'

describe('roundedShare', () => {
  it('rounds down, so that 1 means all', () => {
    expect(roundedShare(999, 1000)).toBe(0.99)
    expect(roundedShare(999, 1000, 3)).toBe(0.999)
    expect(roundedShare(9_999, 10_000, 3)).toBe(0.999)
    expect(roundedShare(3, 3)).toBe(1)
    expect(roundedShare(29, 100)).toBe(0.29)
  })

  it('returns 0 for a part of nothing', () => {
    expect(roundedShare(0, 0)).toBe(0)
  })
})
