import { describe, expect, it } from 'vitest'
import type { SignInSearch } from '../../../navigation/sign-in-search'
import { domainOf } from './domain-of'
import { maxAgeOf, providerSignInHref } from './provider-sign-in'

const nothing = { email: '', maxAge: undefined }
const us = 'https://id.example'
const provider = { id: 'p1', name: 'Okta', type: 'VENDORA', protocol: 'OIDC', orgId: 'o1', automatic: false }

describe('providerSignInHref', () => {
  it('starts at the URL of the protocol, with the typed email address', () => {
    expect(providerSignInHref(provider, {}, { email: 'ann@acme.example', maxAge: undefined }, us)).toBe(
      `${us}/api/v1/sso/oidc/p1/login?loginHint=ann%40acme.example`,
    )
    expect(providerSignInHref({ ...provider, protocol: 'SAML2' }, {}, nothing, us)).toBe(
      `${us}/api/v1/sso/saml/o1/login?providerId=p1`,
    )
  })

  it('carries the destination of the sign-in', () => {
    const returnTo = (search: object) =>
      new URL(providerSignInHref(provider, search, nothing, us)).searchParams.get('returnTo')
    const idp = `${us}/api/v1/sso/oidc-idp/acme`
    expect(returnTo({ uid: 'u1', idp })).toBe(`/login?uid=u1&idp=${encodeURIComponent(idp)}`)
    expect(returnTo({ returnTo: '/account' })).toBe('/account')
    expect(returnTo({ returnTo: '/a b\\c' })).toBe('/a%20b/c')
    for (const elsewhere of ['//evil.example', '/.//evil.example', 'https://evil.example', `/${'x'.repeat(2_000)}`])
      expect(returnTo({ returnTo: elsewhere })).toBeNull()
  })
})

describe('maxAgeOf', () => {
  const ageOf = (search: SignInSearch, asked: number | undefined) => maxAgeOf(search, asked, us)
  const ofApplication = { saml: '0198c0de-0000-7000-8000-000000000001:abcdefghijklmnopqrstuvwx' }

  it('returns the maximum age that the application requests', () => {
    expect(ageOf(ofApplication, 0)).toBe(0)
    expect(ageOf(ofApplication, 300)).toBe(300)
    expect(ageOf(ofApplication, undefined)).toBeUndefined()
    // Longer than a session at a provider: any sign-in is accepted.
    expect(ageOf(ofApplication, 9_000_000_000)).toBeUndefined()
  })

  it('returns 0 if the current session is too old, and no limit without an application', () => {
    expect(ageOf({ ...ofApplication, fresh: true }, undefined)).toBe(0)
    expect(ageOf({ ...ofApplication, fresh: true }, 300)).toBe(0)
    expect(ageOf({ returnTo: '/account' }, 0)).toBeUndefined()
    expect(ageOf({ saml: 'nonsense' }, 0)).toBeUndefined()
  })

  it('sends the maximum age to the service', () => {
    const href = (maxAge: number | undefined) => providerSignInHref(provider, {}, { email: '', maxAge }, us)
    expect(href(0)).toBe(`${us}/api/v1/sso/oidc/p1/login?maxAge=0`)
    expect(href(undefined)).not.toContain('maxAge')
  })
})

describe('domainOf', () => {
  it.each([
    ['ann@Acme.Example', 'acme.example'],
    [' ann@mail.acme.example ', 'mail.acme.example'],
    ['ann@acme', undefined],
    ['ann@acme.', undefined],
    ['acme.example', undefined],
    ['a@b@acme.example', 'acme.example'],
    ['', undefined],
  ])('of %j is %j', (address, domain) => {
    expect(domainOf(address)).toBe(domain)
  })
})
