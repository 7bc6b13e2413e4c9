import { describe, expect, it, vi } from 'vitest'
import type { SsoProvider } from '../../../api/contract'

vi.stubGlobal('location', { protocol: 'https:' })
const { settingsChanges, settingsErrors, settingsValues } = await import('./settings-form')

const provider: SsoProvider = {
  id: 'p',
  orgId: 'o',
  name: 'Okta',
  type: 'VENDORA',
  protocol: 'OIDC',
  enabled: true,
  autoProvision: true,
  allowedDomains: ['acme.example'],
  attributeMapping: {},
  trustsEmail: false,
  trustsMfa: false,
  oidcIssuer: 'https://acme.okta.com',
  oidcClientId: 'client',
  hasClientSecret: true,
  oidcScopes: ['openid', 'email'],
  createdAt: '2030-01-01T00:00:00Z',
  updatedAt: '2030-01-01T00:00:00Z',
}

const unchanged = settingsValues(provider)

describe('the settings form of a provider', () => {
  it('sends a changed CA certificate, and requires the client secret with it', () => {
    const typed = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'
    const changed = { ...unchanged, caCertificate: `${typed}\n` }
    expect(settingsChanges(provider, changed)).toEqual({ caCertificate: typed })
    expect(Object.keys(settingsErrors(provider, changed))).toEqual(['oidcClientSecret'])
    expect(settingsErrors(provider, { ...changed, oidcClientSecret: 's' })).toEqual({})
    const saved = { ...provider, caCertificate: typed.replaceAll('\n', '\r\n') }
    expect(settingsChanges(saved, changed)).toEqual({})
    expect(settingsChanges(saved, unchanged)).toEqual({ caCertificate: null })
    expect(Object.keys(settingsErrors(provider, { ...unchanged, caCertificate: 'x' }))).toContain('caCertificate')
  })

  it('sends changed settings and typed secrets only', () => {
    expect(settingsChanges(provider, unchanged)).toEqual({})
    expect(
      settingsChanges(provider, {
        ...unchanged,
        name: ' Acme ',
        allowedDomains: 'Acme.example, b.example',
        autoProvision: false,
      }),
    ).toEqual({ name: 'Acme', allowedDomains: ['acme.example', 'b.example'], autoProvision: false })
    expect(
      settingsChanges(provider, { ...unchanged, oidcClientSecret: 's', oidcTokenUrl: 'https://t.example' }),
    ).toEqual({
      oidcClientSecret: 's',
      oidcTokenUrl: 'https://t.example',
    })
    expect(settingsChanges({ ...provider, oidcAuthUrl: 'https://a.example' }, unchanged)).toEqual({ oidcAuthUrl: null })
  })

  it('reports every invalid field', () => {
    expect(settingsErrors(provider, unchanged)).toEqual({})
    const wrong = settingsErrors(provider, {
      ...unchanged,
      name: ' ',
      oidcIssuer: 'http://acme.okta.com',
      oidcClientId: '',
      oidcTokenUrl: 'token',
      allowedDomains: 'acme.example, ann@acme.example',
    })
    expect(Object.keys(wrong).sort()).toEqual([
      'allowedDomains',
      'name',
      'oidcClientId',
      'oidcClientSecret',
      'oidcIssuer',
      'oidcTokenUrl',
    ])
  })

  it('requires the secret for another server', () => {
    const asks = (changed: Partial<typeof unchanged>, of = provider) =>
      'oidcClientSecret' in settingsErrors(of, { ...unchanged, ...changed })
    expect(asks({ oidcAuthUrl: 'https://a.example' })).toBe(false)
    expect(asks({ oidcIssuer: 'https://b.okta.com' })).toBe(true)
    expect(asks({ oidcTokenUrl: 'https://t.example' })).toBe(true)
    expect(asks({}, { ...provider, oidcTokenUrl: 'https://t.example' })).toBe(true)
    expect(asks({ oidcTokenUrl: 'https://t.example', oidcClientSecret: 's' })).toBe(false)
    expect(asks({ oidcIssuer: 'https://b.okta.com' }, { ...provider, hasClientSecret: false })).toBe(false)
  })

  it('sends typed metadata and certificates of a SAML provider', () => {
    const saml: SsoProvider = {
      ...provider,
      protocol: 'SAML2',
      allowIdpInitiated: false,
      samlEntityId: 'urn:idp',
      samlSsoUrl: 'https://idp.example/sso',
    }
    const values = { ...unchanged, samlEntityId: 'urn:idp', samlSsoUrl: 'https://idp.example/sso' }
    expect(settingsChanges(saml, values)).toEqual({})
    expect(settingsErrors(saml, { ...values, samlSloUrl: 'slo', samlCertificate: 'abc' })).toHaveProperty('samlSloUrl')
    expect(settingsChanges(saml, { ...values, samlMetadata: '<x/>', allowIdpInitiated: true })).toEqual({
      samlMetadata: '<x/>',
      allowIdpInitiated: true,
    })
  })

  it('requires domains for an issuer that all customers share', () => {
    const google = { ...provider, type: 'VENDORC_WORKSPACE', oidcIssuer: 'https://accounts.google.com' }
    const values = { ...unchanged, oidcIssuer: 'https://accounts.google.com', allowedDomains: '' }
    expect(Object.keys(settingsErrors(google, values))).toEqual(['allowedDomains'])
  })
})
