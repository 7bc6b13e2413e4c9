import { describe, expect, it } from 'vitest'
import type { Application } from '../../../api/contract'
import { settingsChanges } from './settings-form'

const application: Application = {
  id: 'a',
  teamId: 't',
  name: 'Shop',
  logoUrl: 'https://shop.example/logo.png',
  type: 'OIDC',
  clientId: 'c',
  redirectUris: ['https://shop.example/cb'],
  postLogoutRedirectUris: [],
  grantTypes: ['refresh_token', 'authorization_code'],
  responseTypes: ['code'],
  scopes: ['openid', 'email', 'orders'],
  resources: ['https://api.example'],
  tokenEndpointAuthMethod: 'client_secret_basic',
  isPublicClient: false,
  requireDpop: false,
  dpopNonceEnabled: false,
  isAiAgent: false,
  assignmentRequired: false,
  samlEncryptAssertion: false,
  samlAllowIdpInitiated: false,
  hasSecret: true,
  managedByClient: false,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
}

/** The unchanged form, with the checkboxes in the order of the page. */
const untouched = {
  name: 'Shop',
  description: '',
  logoUrl: 'https://shop.example/logo.png',
  launchUrl: '',
  redirectUris: 'https://shop.example/cb',
  postLogoutRedirectUris: '',
  backchannelLogoutUri: '',
  scopes: ['openid', 'email', 'orders'],
  grantTypes: ['authorization_code', 'refresh_token'],
  resources: 'https://api.example',
  requireDpop: false,
  dpopNonceEnabled: false,
}

describe('settingsChanges', () => {
  it('omits unchanged settings', () => {
    expect(settingsChanges(application, untouched)).toEqual({})
  })

  it('trims values, removes empty and repeated lines, and sends null for empty values', () => {
    expect(
      settingsChanges(application, {
        ...untouched,
        name: ' Store ',
        logoUrl: '',
        redirectUris: '\n https://shop.example/cb \nhttps://shop.example/new\nhttps://shop.example/cb\n',
        scopes: ['openid', 'orders'],
        launchUrl: ' https://shop.example ',
        resources: '',
        requireDpop: true,
      }),
    ).toEqual({
      name: 'Store',
      logoUrl: null,
      redirectUris: ['https://shop.example/cb', 'https://shop.example/new'],
      scopes: ['openid', 'orders'],
      launchUrl: 'https://shop.example',
      resources: [],
      requireDpop: true,
    })
  })

  it('omits settings without a field', () => {
    const machine: Application = { ...application, grantTypes: ['client_credentials'] }
    expect(settingsChanges(machine, { ...untouched, redirectUris: '', grantTypes: ['client_credentials'] })).toEqual({})
    const saml: Application = { ...application, type: 'SAML' }
    expect(settingsChanges(saml, { ...untouched, scopes: [], grantTypes: [], resources: '' })).toEqual({})
  })
})
