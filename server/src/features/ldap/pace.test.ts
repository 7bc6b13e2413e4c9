import { describe, expect, it } from 'vitest'
import { isTooSlow } from './pace.js'

describe('the pace of a directory', () => {
  it('is borne for five minutes, and then from ten entries a second on', () => {
    expect(isTooSlow(300_000, 0)).toBe(false)
    expect(isTooSlow(300_001, 1)).toBe(true)
    expect(isTooSlow(600_000, 5_999)).toBe(true)
    expect(isTooSlow(600_000, 6_000)).toBe(false)
  })
})
