import { describe, expect, it } from 'vitest'
import type { Issuer } from '../../../api/issuer'
import type { ClientSettings } from '../overview/env-file'
import { snippet, stacks } from '.'

const web: ClientSettings = {
  issuer: 'https://id.example/api/v1/sso/oidc-idp/t/a' as Issuer,
  clientId: 'client-1',
  clientSecret: 'very-secret',
  redirectUri: 'http://localhost:4000/back/here',
  scopes: ['openid', 'email'],
}

describe.each(stacks)('snippet for $name', ({ value }) => {
  it('reads the secret from the environment and does not contain it', () => {
    const text = snippet(value, web)
    expect(text).toContain('OIDC_CLIENT_SECRET')
    expect(text).not.toContain('very-secret')
  })

  it('contains no secret for a public client', () => {
    expect(snippet(value, { ...web, clientSecret: null })).not.toContain('SECRET')
  })

  it('uses client credentials for a machine', () => {
    const text = snippet(value, { ...web, redirectUri: null, scopes: [] })
    expect(text).toMatch(/client_?credentials/i)
    expect(text).not.toMatch(/REDIRECT_URI|redirect-uri/)
  })
})

it('listens on the port and path of the redirect URL', () => {
  expect(snippet('node', web)).toContain("app.get('/back/here'")
  expect(snippet('node', web)).toContain('app.listen(4000')
  expect(snippet('go', web)).toContain('"/back/here"')
  expect(snippet('python', web)).toContain('--port 4000')
})

it('allows plain http only if the service uses it', () => {
  expect(snippet('node', web)).not.toContain('allowInsecureRequests')
  const plain = { ...web, issuer: 'http://localhost:3000/api/v1/sso/oidc-idp/t/a' as Issuer }
  expect(snippet('node', plain)).toContain('allowInsecureRequests')
})
