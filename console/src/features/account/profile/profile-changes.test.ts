import { safeParse } from 'valibot'
import { describe, expect, it } from 'vitest'
import { profileChanges, profileSchema } from './profile-changes'

const profile = { firstName: 'Ada', lastName: null, department: null, title: null, phone: null, locale: 'en' }
const values = { firstName: 'Ada', lastName: '', department: '', title: '', phone: '', locale: 'en' }

describe('profileChanges', () => {
  it('returns nothing without changes', () => {
    expect(profileChanges(profile, values)).toEqual({})
  })

  it('returns trimmed changes, and null for an emptied field', () => {
    expect(profileChanges(profile, { ...values, firstName: ' ', lastName: ' Lovelace ' })).toEqual({
      firstName: null,
      lastName: 'Lovelace',
    })
  })
})

describe('language tags', () => {
  it.each(['', 'en', 'de-AT', 'zh-Hant-TW'])('accepts "%s"', (locale) => {
    expect(safeParse(profileSchema, { ...values, locale }).success).toBe(true)
  })
  it.each(['german language', '-', 'd'])('rejects "%s"', (locale) => {
    expect(safeParse(profileSchema, { ...values, locale }).issues?.[0].path?.[0].key).toBe('locale')
  })
})
