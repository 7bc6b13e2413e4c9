import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorizePath,
  locationOf,
  registerApp,
  signInBrowser,
  type TestApp,
  tokensFor,
} from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { someOf } from '../../../../test/harness/some-of.js'

const GOOD = 'https://rp.example/callback'
const GOOD_QUERY = 'https://rp.example/q?a=1'

/** URIs that could be mistaken for the registered one or lead elsewhere, as bytes of the query. */
const e = encodeURIComponent
const MUTATIONS: string[] = [
  ...[
    '',
    ' ',
    'https://evil.example/',
    'https://evil.example/callback',
    '//evil.example/callback',
    '/callback',
    'callback',
    'https://RP.example/callback',
    'HTTPS://rp.example/callback',
    'https://rp.example/CALLBACK',
    'https://rp.example/callback/',
    'https://rp.example//callback',
    'https://rp.example/callback?',
    'https://rp.example/callback#',
    'https://rp.example/callback#x',
    'https://rp.example/callback?next=https://evil.example',
    'https://rp.example/callback&x=1',
    'https://rp.example/callback;x=1',
    'https://rp.example/callback/../evil',
    'https://rp.example/./callback',
    'https://rp.example/x/../callback',
    'https://rp.example/%63allback',
    'https://rp.example/callback%2F',
    'https://rp.example/callback%00',
    'https://rp.example/callback%0a',
    'https://rp.example\\callback',
    'https:\\\\rp.example\\callback',
    'https://rp.example:443/callback',
    'https://rp.example:444/callback',
    'https://rp.example./callback',
    'https://user@rp.example/callback',
    'https://rp.example:pw@evil.example/callback',
    'https://rp.example@evil.example/callback',
    'https://rp.example\\@evil.example/callback',
    'https://rp.example%2eevil.example/callback',
    'https://rp.example.evil.example/callback',
    'https://evil.example/https://rp.example/callback',
    'https://evilrp.example/callback',
    'https://sub.rp.example/callback',
    'https://*.example/callback',
    'http://rp.example/callback',
    'ftp://rp.example/callback',
    'javascript:alert(1)//https://rp.example/callback',
    'data:text/html,x',
    'com.example.app:/callback',
    'https://rp.example/callback\u0000',
    'https://rp.example/callback\n',
    'https://rp.example/callback\r\nLocation: https://evil.example',
    '\thttps://rp.example/callback',
    ' https://rp.example/callback',
    'https://rp.example/callback ',
    'https://rp.ехample/callback',
    'https://rp。example/callback',
    'https://rp.example/ｃallback',
    'https://rp.example/callback\u202e',
    'https://rp.exam\u00adple/callback',
    'https://rp.example/callback\ufeff',
    'https://rp.example/q?a=1&a=1',
    'https://rp.example/q?a=2',
    'https://rp.example/q',
    'https://rp.example/q?a=%31',
    'https://[::1]/callback',
    'https://127.0.0.1/callback',
    'localhost',
    'http://localhost:3000/login',
    `${GOOD},https://evil.example`,
    `${GOOD} https://evil.example`,
  ].map(e),
  // Invalid UTF-8, half of a surrogate pair, a double encoding.
  `${e(GOOD)}%ff`,
  `${e(GOOD)}%ed%a0%80`,
  e(e(GOOD)),
]

let service: TestService
let user: TestUser
let app: TestApp
let cookies: Record<string, string>
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  const uris = { redirectUris: [GOOD, GOOD_QUERY], postLogoutRedirectUris: [GOOD, GOOD_QUERY] }
  app = await registerApp(service, user, uris)
  await tokensFor(service, app, user)
  cookies = (await signInBrowser(service, user)).cookies
  await service.settle()
})
afterAll(() => service.close())

const browse = (path: string, headers: Record<string, string> = {}) =>
  service.api('GET', path, { cookies, headers: { accept: 'text/html', ...headers } })

async function expectErrorHere(paths: string[]): Promise<void> {
  const before = await dumpState(service)
  for (const path of paths)
    for (const accept of ['text/html', 'application/json']) {
      const { status, headers, text } = await browse(path, { accept })
      expect(status, path).toBe(400)
      expect(headers.get('location'), path).toBeNull()
      expect(headers.get('refresh'), path).toBeNull()
      expect(text).not.toMatch(/http-equiv|<script|<form/i)
      if (accept === 'text/html') expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/)
    }
  expect(await dumpState(service)).toEqual(before)
}

describe('an authorization request with a session and a consent', () => {
  const withUri = (uri: string) => `${authorizePath(app, { redirect_uri: undefined })}&redirect_uri=${uri}`

  it('redirects to the registered URI, byte for byte', async () => {
    for (const uri of [GOOD, GOOD_QUERY]) {
      const back = locationOf(await browse(withUri(e(uri))))
      expect(back.href.startsWith(`${uri}${uri === GOOD ? '?' : '&'}`), back.href).toBe(true)
      expect(back.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
    }
  })

  it('redirects to no other URI, and stores nothing', async () => {
    expect(MUTATIONS.length).toBeGreaterThan(60)
    await expectErrorHere(someOf(MUTATIONS, 0).map(withUri))
    await expectErrorHere(someOf(MUTATIONS, 1).map((uri) => `${withUri(uri)}&prompt=none`))
  })

  it('redirects nowhere without a redirect URI or with two', async () => {
    const twice = `${withUri(e(GOOD))}&redirect_uri=${e(GOOD)}`
    const mixed = `${withUri(e(GOOD))}&redirect_uri=${e('https://evil.example/')}`
    const other = `${withUri(e('https://evil.example/'))}&redirect_uri=${e(GOOD)}`
    const asList = `${authorizePath(app, { redirect_uri: undefined })}&redirect_uri[]=${e(GOOD)}`
    await expectErrorHere([authorizePath(app, { redirect_uri: undefined }), twice, mixed, other, asList])
  })

  it('redirects nowhere for a client that is unknown, of another team or application, or repeated', async () => {
    const outsider = await registerUser(service)
    const foreign = await registerApp(service, outsider, { redirectUris: [GOOD] })
    const sibling = await registerApp(service, user, { redirectUris: [GOOD] })
    const saml = await service.api('POST', '/api/v1/applications', {
      token: user.token,
      body: { name: 'SAML', type: 'SAML', samlEntityId: 'urn:x' },
    })
    expect(saml.status).toBe(201)
    await service.settle()
    const named = (id: string | undefined) => authorizePath(app, { client_id: id })
    const ids = ['unknown', '', undefined, foreign.clientId, sibling.clientId, saml.body.clientId]
    const odd = [app.id, app.clientId.toUpperCase(), `${app.clientId} `, ` ${app.clientId}`, `${app.clientId}\n`]
    await expectErrorHere([...ids, ...odd, 'x'.repeat(3_000), "' OR 1=1 --", '\u0000'].map(named))
    await expectErrorHere([
      `${named(app.clientId)}&client_id=${foreign.clientId}`,
      `${named(foreign.clientId)}&client_id=${app.clientId}`,
    ])
  })

  it('redirects a posted request only to the same endpoint', async () => {
    const { status, headers } = await service.api('POST', `${app.idp}/authorize`, {
      cookies,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      raw: `client_id=${app.clientId}&redirect_uri=${e('https://evil.example/')}&response_type=code&scope=openid&state=x`,
    })
    expect(status).toBe(303)
    const location = new URL(headers.get('location') as string)
    expect(location.origin + location.pathname).toBe(`${app.issuer}/authorize`)
    await expectErrorHere([location.pathname + location.search])
  })
})

describe('the end-session endpoint', () => {
  let hint: string
  beforeAll(async () => {
    hint = (await tokensFor(service, app, user)).id_token
    await service.settle()
  })
  const withUri = (uri: string, by: string) => `${app.idp}/end-session?post_logout_redirect_uri=${uri}&${by}`

  it('redirects only to a registered URI, with or without a hint, and ends no session otherwise', async () => {
    // An empty URI counts as omitted: the browser gets the signed-out page.
    const mutations = MUTATIONS.filter((uri) => uri !== '')
    for (const [place, by] of [`id_token_hint=${hint}`, `client_id=${app.clientId}`, 'state=x'].entries())
      await expectErrorHere(someOf(mutations, place).map((uri) => withUri(uri, by)))
    const { status } = await service.api('GET', '/api/v1/auth/me', { token: user.token })
    expect(status).toBe(200)
  })

  it('redirects nowhere with two URIs of which one is registered', async () => {
    const [good, evil] = [e(GOOD), e('https://evil.example/')]
    for (const [first, second] of [
      [good, evil],
      [evil, good],
    ]) {
      const answer = await browse(
        `${app.idp}/end-session?id_token_hint=${hint}&post_logout_redirect_uri=${first}&post_logout_redirect_uri=${second}`,
      )
      expect(answer.headers.get('location') ?? '').not.toContain('evil')
      expect(answer.status).toBe(400)
    }
  })

  it('redirects to the registered URI with the state, byte for byte', async () => {
    for (const uri of [GOOD, GOOD_QUERY]) {
      for (const state of [undefined, 'a b&c']) {
        const session = await signInBrowser(service, user)
        const { id_token } = await tokensFor(service, app, session)
        const by = `id_token_hint=${id_token}${state === undefined ? '' : `&state=${e(state)}`}`
        const { headers } = await service.api('GET', withUri(e(uri), by), session)
        const there = headers.get('location') ?? ''
        expect(there.startsWith(uri)).toBe(true)
        expect(new URL(there).searchParams.get('state') ?? undefined).toBe(state)
        if (state === undefined) expect(there).toBe(uri)
      }
    }
  })
})
