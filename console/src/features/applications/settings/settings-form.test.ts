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

/** What the untouched form reads: the page's own order of choices, rows with line breaks between them. */
const untouched = {
  name: 'Shop',
  description: '',
  logoUrl: 'https://shop.example/logo.png',
  launchUrl: '',
  redirectUris: 'https://shop.example/cb',
  postLogoutRedirectUris: '',
  backchannelLogoutUri: '',
  scopes: 'openid\nemail\norders',
  grantTypes: 'authorization_code\nrefresh_token',
  resources: 'https://api.example',
  dpop: '',
}

describe('saving settings', () => {
  it('sends nothing that was not changed', () => {
    expect(settingsChanges(application, untouched)).toEqual({})
  })

  it('sends what was changed, without empty and repeated rows, and empty texts as none', () => {
    expect(
      settingsChanges(application, {
        ...untouched,
        name: ' Store ',
        logoUrl: '',
        redirectUris: '\n https://shop.example/cb \nhttps://shop.example/new\nhttps://shop.example/cb\n',
        scopes: 'openid\norders',
        launchUrl: ' https://shop.example ',
        resources: '',
        dpop: 'requireDpop',
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

  it('leaves alone what its page does not show', () => {
    const machine: Application = { ...application, grantTypes: ['client_credentials'] }
    expect(settingsChanges(machine, { ...untouched, redirectUris: '', grantTypes: 'client_credentials' })).toEqual({})
    const saml: Application = { ...application, type: 'SAML' }
    expect(settingsChanges(saml, { ...untouched, scopes: '', grantTypes: '', resources: '' })).toEqual({})
  })
})
