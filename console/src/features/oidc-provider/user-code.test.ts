import { describe, expect, it } from 'vitest'
import { readUserCode } from './user-code'

describe('a code from another screen', () => {
  it.each(['BCDF-GHJK', 'bcdfghjk', ' bcdf ghjk ', 'bcdf–ghjk', 'b.c.d.f/g h j k'])('%j is read', (typed) => {
    expect(readUserCode(typed)).toBe('BCDF-GHJK')
  })

  it.each(['', 'BCDF', 'BCDF-GHJKL', 'ABCD-EFGH', '1234-5678', 'BCDF-GHJI', '𝐁CDF-GHJK', 'BCDF-GHJ\u0301'])(
    '%j cannot be one',
    (typed) => {
      expect(readUserCode(typed)).toBeNull()
    },
  )
})
