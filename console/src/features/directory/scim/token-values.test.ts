import { describe, expect, it } from 'vitest'
import { checkToken, tokenOf } from './token-values'

const values = { name: ' Okta ', end: 'never', expiresInDays: '' }

describe('a token that is to be made', () => {
  it('ends never, after a number of days of the list, or after a number of its own', () => {
    expect(tokenOf(values)).toEqual({ name: 'Okta' })
    expect(tokenOf({ ...values, end: '90' })).toEqual({ name: 'Okta', expiresInDays: 90 })
    expect(tokenOf({ ...values, end: 'other', expiresInDays: ' 7 ' })).toEqual({ name: 'Okta', expiresInDays: 7 })
  })

  it('has a name of at most a hundred characters, and days that the service takes', () => {
    expect(checkToken(values)).toEqual({})
    expect(checkToken({ ...values, name: '  ' })).toHaveProperty('name')
    expect(checkToken({ ...values, name: '🔑'.repeat(100) })).toEqual({})
    expect(checkToken({ ...values, name: 'x'.repeat(101) })).toHaveProperty('name')
    for (const expiresInDays of ['', '0', '-1', '1.5', '3651', 'a week', '1e2'])
      expect(checkToken({ ...values, end: 'other', expiresInDays }), expiresInDays).toHaveProperty('expiresInDays')
    for (const expiresInDays of ['1', ' 30 ', '3650'])
      expect(checkToken({ ...values, end: 'other', expiresInDays })).toEqual({})
    // What was typed before another end was chosen is not meant any more.
    expect(checkToken({ ...values, end: '90', expiresInDays: 'nonsense' })).toEqual({})
  })
})
