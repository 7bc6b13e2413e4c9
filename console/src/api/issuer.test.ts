import { describe, expect, it } from 'vitest'
import { issuerOf, parseIssuer } from './issuer'

const us = 'https://id.example'
const base = `${us}/api/v1/sso/oidc-idp`

describe('parseIssuer', () => {
  it.each([`${base}/acme`, `${base}/0190a1b2-0000-7000-8000-000000000001/0190a1b2-0000-7000-8000-000000000002`])(
    'accepts the issuer %j of this service',
    (idp) => {
      expect(parseIssuer(idp, us)).toBe(idp)
    },
  )

  it.each([
    '',
    'acme',
    '/api/v1/sso/oidc-idp/acme',
    'https://evil.example/api/v1/sso/oidc-idp/acme',
    'http://id.example/api/v1/sso/oidc-idp/acme',
    'https://id.example:8443/api/v1/sso/oidc-idp/acme',
    'https://id.example.evil/api/v1/sso/oidc-idp/acme',
    'https://id.example@evil.example/api/v1/sso/oidc-idp/acme',
    'https://me:pass@id.example/api/v1/sso/oidc-idp/acme',
    `${base}`,
    `${base}/`,
    `${base}/acme/`,
    `${base}/a/b/c`,
    `${base}/acme/../../auth`,
    `${base}/%2e%2e/%2e%2e/auth/me`,
    `${base}/..\\..\\auth`,
    `${base}/acme?x=1`,
    `${base}/acme#x`,
    `${base}/acme%2Fb`,
    `${base}/acme;x`,
    `${us}/api/v1/auth/me`,
    `${us}/api/v1/sso/oidc-idpx/acme`,
    'javascript:alert(1)',
    `blob:${base}/acme`,
    `${base}/${'a'.repeat(65)}`,
  ])('rejects %j', (idp) => {
    expect(parseIssuer(idp, us)).toBeNull()
  })

  it('accepts the issuer of an application', () => {
    const own = issuerOf({ id: 'a1', teamId: 't1' }, us)
    expect(own).toBe(`${base}/t1/a1`)
    expect(parseIssuer(own, us)).toBe(own)
  })
})
