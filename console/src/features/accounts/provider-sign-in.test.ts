import { describe, expect, it } from 'vitest'
import { domainOf } from './domain-of'
import { providerSignInHref } from './provider-sign-in'

const us = 'https://id.example'
const provider = { id: 'p1', name: 'Okta', type: 'VENDORA', protocol: 'OIDC', orgId: 'o1', automatic: false }

describe('the way to a provider', () => {
  it('begins at the address of its protocol, with the address that was typed', () => {
    expect(providerSignInHref(provider, {}, 'ann@acme.example', us)).toBe(
      `${us}/api/v1/sso/oidc/p1/login?loginHint=ann%40acme.example`,
    )
    expect(providerSignInHref({ ...provider, protocol: 'SAML2' }, {}, '', us)).toBe(
      `${us}/api/v1/sso/saml/o1/login?providerId=p1`,
    )
  })

  it('takes along where the sign-in leads', () => {
    const returnTo = (search: object) =>
      new URL(providerSignInHref(provider, search, '', us)).searchParams.get('returnTo')
    const idp = `${us}/api/v1/sso/oidc-idp/acme`
    expect(returnTo({ uid: 'u1', idp })).toBe(`/login?uid=u1&idp=${encodeURIComponent(idp)}`)
    expect(returnTo({ returnTo: '/account' })).toBe('/account')
    expect(returnTo({ returnTo: '/a b\\c' })).toBe('/a%20b/c')
    for (const elsewhere of ['//evil.example', '/.//evil.example', 'https://evil.example', `/${'x'.repeat(2_000)}`])
      expect(returnTo({ returnTo: elsewhere })).toBeNull()
  })
})

describe('the domain of an address', () => {
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
