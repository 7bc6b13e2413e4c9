import { describe, expect, it } from 'vitest'
import { readUserCode } from './user-code'

describe('readUserCode', () => {
  it.each(['BCDF-GHJK', 'bcdfghjk', ' bcdf ghjk ', 'bcdf–ghjk', 'b.c.d.f/g h j k'])('accepts %j', (typed) => {
    expect(readUserCode(typed)).toBe('BCDF-GHJK')
  })

  it.each(['', 'BCDF', 'BCDF-GHJKL', 'ABCD-EFGH', '1234-5678', 'BCDF-GHJI', '𝐁CDF-GHJK', 'BCDF-GHJ\u0301'])(
    'rejects %j',
    (typed) => {
      expect(readUserCode(typed)).toBeNull()
    },
  )
})
