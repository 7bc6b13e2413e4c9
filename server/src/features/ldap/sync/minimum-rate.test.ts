import { describe, expect, it } from 'vitest'
import { isTooSlow } from './minimum-rate.js'

describe('isTooSlow', () => {
  it('tolerates any rate for five minutes and then requires ten entries per second', () => {
    expect(isTooSlow(300_000, 0)).toBe(false)
    expect(isTooSlow(300_001, 1)).toBe(true)
    expect(isTooSlow(600_000, 5_999)).toBe(true)
    expect(isTooSlow(600_000, 6_000)).toBe(false)
  })
})
