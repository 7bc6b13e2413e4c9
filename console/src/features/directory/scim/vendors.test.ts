import { describe, expect, it } from 'vitest'
import { scimVendorWords } from '../../../words'
import { scimSearch } from './scim-search'
import { scimAddress, scimVendors } from './vendors'

describe('the address that a directory is given', () => {
  it('is that of the team, and asks Entra ID to follow the standard', () => {
    expect(scimAddress('https://id.example', 'acme', 'okta')).toBe('https://id.example/scim/v2/acme')
    expect(scimAddress('https://id.example', 'acme', 'entra')).toBe('https://id.example/scim/v2/acme?aadOptscim062020')
  })
})

describe('the address of the page', () => {
  it('names a directory that there are words for, and nothing else', () => {
    expect(scimVendors).toEqual(Object.keys(scimVendorWords))
    expect(scimSearch({ from: 'entra', show: 'refused', other: 'x' })).toEqual({ from: 'entra', show: 'refused' })
    expect(scimSearch({ from: 'constructor', show: 'everything' })).toEqual({})
  })
})
