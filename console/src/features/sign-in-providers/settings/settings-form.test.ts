import { describe, expect, it, vi } from 'vitest'
import type { SsoProvider } from '../../../api/contract'

vi.stubGlobal('location', { protocol: 'https:' })
const { settingsChanges, wrongSettings } = await import('./settings-form')

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

const unchanged = {
  name: 'Okta',
  oidcIssuer: 'https://acme.okta.com',
  oidcClientId: 'client',
  oidcClientSecret: '',
  oidcAuthUrl: '',
  oidcTokenUrl: '',
  oidcUserinfoUrl: '',
  oidcScopes: 'openid\nemail',
  caCertificate: '',
  samlMetadataUrl: '',
  samlMetadata: '',
  samlEntityId: '',
  samlSsoUrl: '',
  samlSloUrl: '',
  samlSloPostUrl: '',
  samlCertificate: '',
  allowedDomains: 'acme.example',
  options: 'autoProvision',
}

describe('the settings of a provider', () => {
  it('send a changed CA certificate, and require the client secret with it', () => {
    const typed = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'
    const changed = { ...unchanged, caCertificate: `${typed}\n` }
    expect(settingsChanges(provider, changed)).toEqual({ caCertificate: typed })
    expect(Object.keys(wrongSettings(provider, changed))).toEqual(['oidcClientSecret'])
    expect(wrongSettings(provider, { ...changed, oidcClientSecret: 's' })).toEqual({})
    const saved = { ...provider, caCertificate: typed.replaceAll('\n', '\r\n') }
    expect(settingsChanges(saved, changed)).toEqual({})
    expect(settingsChanges(saved, unchanged)).toEqual({ caCertificate: null })
    expect(Object.keys(wrongSettings(provider, { ...unchanged, caCertificate: 'x' }))).toContain('caCertificate')
  })

  it('send only what was changed, and no secret that was not typed', () => {
    expect(settingsChanges(provider, unchanged)).toEqual({})
    expect(
      settingsChanges(provider, {
        ...unchanged,
        name: ' Acme ',
        allowedDomains: 'Acme.example\n\nb.example',
        options: '',
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

  it('are whole, and point to what is not', () => {
    expect(wrongSettings(provider, unchanged)).toEqual({})
    const wrong = wrongSettings(provider, {
      ...unchanged,
      name: ' ',
      oidcIssuer: 'http://acme.okta.com',
      oidcClientId: '',
      oidcTokenUrl: 'token',
      allowedDomains: 'acme.example\nann@acme.example',
    })
    expect(Object.keys(wrong).sort()).toEqual([
      'allowedDomains/1',
      'name',
      'oidcClientId',
      'oidcClientSecret',
      'oidcIssuer',
      'oidcTokenUrl',
    ])
  })

  it('ask for the secret where it would be sent to another place', () => {
    const asks = (changed: Partial<typeof unchanged>, of = provider) =>
      'oidcClientSecret' in wrongSettings(of, { ...unchanged, ...changed })
    expect(asks({ oidcAuthUrl: 'https://a.example' })).toBe(false)
    expect(asks({ oidcIssuer: 'https://b.okta.com' })).toBe(true)
    expect(asks({ oidcTokenUrl: 'https://t.example' })).toBe(true)
    expect(asks({}, { ...provider, oidcTokenUrl: 'https://t.example' })).toBe(true)
    expect(asks({ oidcTokenUrl: 'https://t.example', oidcClientSecret: 's' })).toBe(false)
    expect(asks({ oidcIssuer: 'https://b.okta.com' }, { ...provider, hasClientSecret: false })).toBe(false)
  })

  it('of SAML send metadata and certificates where they were given', () => {
    const saml: SsoProvider = {
      ...provider,
      protocol: 'SAML2',
      allowIdpInitiated: false,
      samlEntityId: 'urn:idp',
      samlSsoUrl: 'https://idp.example/sso',
    }
    const values = { ...unchanged, samlEntityId: 'urn:idp', samlSsoUrl: 'https://idp.example/sso' }
    expect(settingsChanges(saml, values)).toEqual({})
    expect(wrongSettings(saml, { ...values, samlSloUrl: 'slo', samlCertificate: 'abc' })).toHaveProperty('samlSloUrl')
    expect(
      settingsChanges(saml, { ...values, samlMetadata: '<x/>', options: 'autoProvision\nallowIdpInitiated' }),
    ).toEqual({
      samlMetadata: '<x/>',
      allowIdpInitiated: true,
    })
  })

  it('of an issuer that signs for everybody name the domains', () => {
    const google = { ...provider, type: 'VENDORC_WORKSPACE', oidcIssuer: 'https://accounts.google.com' }
    const values = { ...unchanged, oidcIssuer: 'https://accounts.google.com', allowedDomains: '' }
    expect(Object.keys(wrongSettings(google, values))).toEqual(['allowedDomains'])
  })
})
