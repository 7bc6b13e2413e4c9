import { describe, expect, it } from 'vitest'
import { fieldOf, mappingOf, namesFor, namesIn, profileFields, shortNames } from './attribute-names'

const okta = { type: 'VENDORA', protocol: 'OIDC', attributeMapping: { dept: 'department', costCentre: 'unknownField' } }
const empty = Object.fromEntries(profileFields.map((field) => [field, ''])) as Record<
  (typeof profileFields)[number],
  string
>

describe('the attribute mapping', () => {
  it('converts the mapping from and to the form', () => {
    const mapping = mappingOf({ ...empty, email: 'mail, upn ,', department: 'dept' }, okta.attributeMapping)
    expect(mapping).toEqual({ costCentre: 'unknownField', mail: 'email', upn: 'email', dept: 'department' })
    expect(namesFor('email', mapping)).toBe('mail, upn')
    expect(namesFor('title', mapping)).toBe('')
    expect(namesIn(' a, b,a,')).toEqual(['a', 'b'])
  })

  it('takes precedence over the defaults of the vendor', () => {
    expect(fieldOf(okta, 'dept')).toBe('department')
    expect(fieldOf(okta, 'department')).toBeUndefined()
    expect(fieldOf(okta, 'email')).toBe('email')
    expect(fieldOf(okta, 'toString')).toBeUndefined()
  })

  it('includes the SAML defaults and those of the vendor', () => {
    const google = { type: 'VENDORC_WORKSPACE', protocol: 'SAML2', attributeMapping: {} }
    expect(fieldOf(google, 'urn:oid:2.5.4.42')).toBe('firstName')
    expect(fieldOf(google, 'First name')).toBe('firstName')
    expect(fieldOf({ ...google, type: 'GENERIC_SAML' }, 'First name')).toBeUndefined()
    expect(fieldOf({ ...google, protocol: 'OIDC' }, 'firstName')).toBeUndefined()
  })

  it('shows short names first', () => {
    expect(shortNames(['mail', 'urn:oid:1', 'upn'])).toEqual(['mail', 'upn'])
    expect(shortNames(['urn:oid:1'])).toEqual(['urn:oid:1'])
  })
})
