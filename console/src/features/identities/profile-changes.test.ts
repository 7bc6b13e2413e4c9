import { describe, expect, it } from 'vitest'
import { profileChanges, wrongProfile } from './profile-changes'

const profile = { firstName: 'Ada', lastName: null, department: null, title: null, phone: null, locale: 'en' }
const values = { firstName: 'Ada', lastName: '', department: '', title: '', phone: '', locale: 'en' }

describe('what is sent of a profile', () => {
  it('is nothing where nothing was changed', () => {
    expect(profileChanges(profile, values)).toEqual({})
  })

  it('is what was changed, without space around; an emptied field takes away', () => {
    expect(profileChanges(profile, { ...values, firstName: ' ', lastName: ' Lovelace ' })).toEqual({
      firstName: null,
      lastName: 'Lovelace',
    })
  })
})

describe('a language', () => {
  it.each(['', 'en', 'de-AT', 'zh-Hant-TW'])('may be "%s"', (locale) => {
    expect(wrongProfile({ ...values, locale })).toEqual({})
  })
  it.each(['german language', '-', 'd'])('may not be "%s"', (locale) => {
    expect(wrongProfile({ ...values, locale })).toHaveProperty('locale')
  })
})
