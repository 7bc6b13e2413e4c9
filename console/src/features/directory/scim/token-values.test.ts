import { describe, expect, it } from 'vitest'
import { tokenBody, tokenErrors } from './token-values'

const values = { name: ' Okta ', expiry: 'never', expiresInDays: '' }

describe('tokenBody', () => {
  it('contains the days of the choice or the typed days', () => {
    expect(tokenBody(values)).toEqual({ name: 'Okta' })
    expect(tokenBody({ ...values, expiry: '90' })).toEqual({ name: 'Okta', expiresInDays: 90 })
    expect(tokenBody({ ...values, expiry: 'other', expiresInDays: ' 7 ' })).toEqual({ name: 'Okta', expiresInDays: 7 })
  })
})

describe('tokenErrors', () => {
  it('rejects an empty name and one of more than 100 characters', () => {
    expect(tokenErrors(values)).toEqual({})
    expect(tokenErrors({ ...values, name: '  ' })).toHaveProperty('name')
    expect(tokenErrors({ ...values, name: '🔑'.repeat(100) })).toEqual({})
    expect(tokenErrors({ ...values, name: 'x'.repeat(101) })).toHaveProperty('name')
  })

  it('accepts from 1 to 3650 days, and checks them for a custom expiry only', () => {
    for (const expiresInDays of ['', '0', '-1', '1.5', '3651', 'a week', '1e2'])
      expect(tokenErrors({ ...values, expiry: 'other', expiresInDays }), expiresInDays).toHaveProperty('expiresInDays')
    for (const expiresInDays of ['1', ' 30 ', '3650'])
      expect(tokenErrors({ ...values, expiry: 'other', expiresInDays })).toEqual({})
    expect(tokenErrors({ ...values, expiry: '90', expiresInDays: 'nonsense' })).toEqual({})
  })
})
