import { describe, expect, it } from 'vitest'
import vendorMessages from '../../../messages/en/scim-vendors.json'
import { scimSearch } from './scim-search'
import { scimBaseUrl, scimVendors } from './vendors'

describe('scimBaseUrl', () => {
  it('contains the team, and a flag for Entra ID', () => {
    expect(scimBaseUrl('https://id.example', 'acme', 'okta')).toBe('https://id.example/scim/v2/acme')
    expect(scimBaseUrl('https://id.example', 'acme', 'entra')).toBe('https://id.example/scim/v2/acme?aadOptscim062020')
  })
})

describe('scimVendors', () => {
  it('has instructions and a name each', () => {
    const names = scimVendors.map((vendor) => vendorMessages.name({ vendor }))
    expect(new Set(names).size).toBe(scimVendors.length)
    for (const vendor of scimVendors) expect(vendorMessages.steps({ vendor }).split('\n').length).toBeGreaterThan(2)
  })
})

describe('scimSearch', () => {
  it('accepts known values and drops all others', () => {
    expect(scimSearch({ from: 'entra', show: 'rejected', other: 'x' })).toEqual({ from: 'entra', show: 'rejected' })
    expect(scimSearch({ from: 'constructor', show: 'everything' })).toEqual({})
  })
})
