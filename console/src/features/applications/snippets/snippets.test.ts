import { describe, expect, it } from 'vitest'
import type { Application } from '../../../api/contract'
import type { Issuer } from '../../../api/issuer'
import type { ClientSettings } from '../overview/env-file'
import { redirectOf, snippet, stackInfo, stacksFor } from '.'

const web: ClientSettings = {
  issuer: 'https://id.example/api/v1/sso/oidc-idp/t/a' as Issuer,
  clientId: 'client-1',
  clientSecret: 'very-secret',
  redirectUri: 'http://localhost:4000/back/here',
  scopes: ['openid', 'email'],
}
const spa = { ...web, clientSecret: null }
const machine = { ...web, redirectUri: null, scopes: [] }

const withNames = (settings: ClientSettings) =>
  stacksFor(settings).map((stack) => ({ stack, name: stackInfo(stack).name }))

describe('snippets for a web app', () => {
  it.each(withNames(web))('$name reads the secret from the environment and does not contain it', ({ stack }) => {
    const text = snippet(stack, web)
    expect(text).toContain('OIDC_CLIENT_SECRET')
    expect(text).not.toContain('very-secret')
  })
})

describe('snippets for a public client', () => {
  it.each(withNames(spa))('$name contains no secret', ({ stack }) => {
    expect(snippet(stack, spa)).not.toContain('SECRET')
  })
})

describe('snippets for a machine', () => {
  it.each(withNames(machine))('$name uses client credentials', ({ stack }) => {
    const text = snippet(stack, machine)
    expect(text).toMatch(/client_?credentials/i)
    expect(text).not.toMatch(/REDIRECT_URI|redirect-uri/)
  })
})

it('offers React to public clients alone, and Next.js to clients with a secret', () => {
  expect(stacksFor(web)).toContain('nextjs')
  expect(stacksFor(web)).not.toContain('react')
  expect(stacksFor(spa)).toContain('react')
  expect(stacksFor(spa)).not.toContain('nextjs')
  expect(stacksFor(machine)).not.toContain('aspnet')
})

it('listens on the port and path of the redirect URL', () => {
  expect(snippet('node', web)).toContain("app.get('/back/here'")
  expect(snippet('node', web)).toContain('app.listen(4000')
  expect(snippet('go', web)).toContain('"/back/here"')
  expect(snippet('python', web)).toContain('--port 4000')
  expect(snippet('aspnet', web)).toContain('CallbackPath = "/back/here"')
})

it('allows plain http only if the service uses it', () => {
  expect(snippet('node', web)).not.toContain('allowInsecureRequests')
  const plain = { ...web, issuer: 'http://localhost:3000/api/v1/sso/oidc-idp/t/a' as Issuer }
  expect(snippet('node', plain)).toContain('allowInsecureRequests')
})

it('finds out whether the redirect URL of a library is registered', () => {
  const withUris = (...redirectUris: string[]) => ({ redirectUris }) as Application
  const own = { uri: web.redirectUri, isRegistered: true }
  expect(redirectOf('node', web, withUris('http://localhost:4000/back/here'))).toEqual(own)
  const nextjs = 'http://localhost:3000/api/auth/callback/keyward'
  expect(redirectOf('nextjs', web, withUris())).toEqual({ uri: nextjs, isRegistered: false })
  const live = 'https://app.example/api/auth/callback/keyward'
  expect(redirectOf('nextjs', web, withUris(live))).toEqual({ uri: live, isRegistered: true })
  expect(redirectOf('go', machine, withUris())).toBeUndefined()
})
