import { createHmac, sign } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  jwtPart,
  locationOf,
  registerApp,
  signInBrowser,
  type TestApp,
  tokensFor,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import {
  addUser,
  expectSession,
  joinTeam,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { nextRsaKeyPair } from '../../../../test/harness/rsa-keys.mjs'
import { startService, type TestService } from '../../../../test/harness/service.js'

const AFTER = 'https://rp.example/after'

let service: TestService
let owner: TestUser
let user: TestUser
let app: TestApp
let browser: Awaited<ReturnType<typeof signInBrowser>>
let hint: string
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  owner = await registerUser(service)
  user = await registerUser(service)
  await joinTeam(service, user, owner.teamId)
  app = await registerApp(service, owner, { postLogoutRedirectUris: [AFTER] })
  browser = await signInBrowser(service, user)
  hint = (await tokensFor(service, app, browser)).id_token
})

type Params = Record<string, string>
const leave = (params: Params, cookies: Record<string, string> = browser.cookies, at: { idp: string } = app) =>
  service.api('GET', `${at.idp}/end-session?${new URLSearchParams(params)}`, {
    cookies,
    headers: { accept: 'text/html' },
  })
const back = { post_logout_redirect_uri: AFTER, state: 's' }

describe('the end-session endpoint', () => {
  it('ends the session and redirects with the state for an ID token of the signed-in user', async () => {
    const answer = await leave({ id_token_hint: hint, ...back })
    expect(locationOf(answer).href).toBe(`${AFTER}?state=s`)
    expect(answer.cookies.keyward_sso?.value).toBe('')
    await expectSession(service, browser.token, 'revoked')
  })

  it('accepts an expired ID token', async () => {
    await service.clock.advance(2 * 3_600_000)
    expect(locationOf(await leave({ id_token_hint: hint, ...back })).href).toBe(`${AFTER}?state=s`)
    await expectSession(service, browser.token, 'revoked')
  })

  it('accepts another issuer URL of the application', async () => {
    for (const path of [app.id, app.teamId]) {
      const one = await signInBrowser(service, user)
      const { id_token } = await tokensFor(service, app, one)
      const answer = await leave({ id_token_hint: id_token, ...back }, one.cookies, withIssuerPath(service, path, app))
      expect(locationOf(answer).href).toBe(`${AFTER}?state=s`)
      await expectSession(service, one.token, 'revoked')
    }
  })

  const expectAsked = async (answer: Awaited<ReturnType<typeof leave>>) => {
    const location = locationOf(answer)
    expect(location.origin + location.pathname).toBe(`${service.baseUrl}/logout`)
    expect(answer.cookies.keyward_sso).toBeUndefined()
    await expectSession(service, browser.token, 'active')
    return location.searchParams.get('resume') as string
  }

  it('asks the user without an ID token, so that an image on another site ends no session', async () => {
    for (const params of [{}, back, { client_id: app.clientId }, { client_id: app.clientId, ...back }] as Params[]) {
      const resume = await expectAsked(await leave(params))
      const { body } = await service.api('GET', `/api/v1/public/logout/${resume}`)
      expect(body.redirectTo).toBe('post_logout_redirect_uri' in params ? `${AFTER}?state=s` : null)
      expect(body.application.name).toBe('App')
    }
    const image = await service.api('GET', `${app.idp}/end-session`, {
      cookies: browser.cookies,
      headers: { accept: 'image/*', 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' },
    })
    await expectAsked(image)
  })

  it('asks the signed-in user for an ID token of another user', async () => {
    const { id_token: others } = await tokensFor(service, app, owner)
    await expectAsked(await leave({ id_token_hint: others, ...back }))
  })

  it('expires after ten minutes without confirmation', async () => {
    const resume = await expectAsked(await leave(back))
    await service.clock.advance(600_000)
    const { status } = await service.api('GET', `/api/v1/public/logout/${resume}`)
    expect(status).toBe(404)
  })

  it('redirects a browser without a session at once, but only to a registered URI', async () => {
    for (const cookies of [{}, { keyward_sso: 'x' }, { keyward_sso: '' }] as Record<string, string>[]) {
      expect(locationOf(await leave({ client_id: app.clientId, ...back }, cookies)).href).toBe(`${AFTER}?state=s`)
      expect(locationOf(await leave({}, cookies)).href).toBe(`${service.baseUrl}/logged-out`)
      const evil = await leave({ client_id: app.clientId, post_logout_redirect_uri: 'https://evil.example' }, cookies)
      expect([evil.status, evil.headers.get('location')]).toEqual([400, null])
    }
  })

  it('ends no session for an ID token from a browser without a session', async () => {
    const other = await signInBrowser(service, user)
    expect(locationOf(await leave({ id_token_hint: hint, ...back }, {})).href).toBe(`${AFTER}?state=s`)
    await expectSession(service, browser.token, 'active')
    await leave({ id_token_hint: hint })
    await expectSession(service, browser.token, 'revoked')
    await expectSession(service, other.token, 'active')
  })

  describe('with a hint that does not match the session of the browser', () => {
    /** Everything by which a page of another site could distinguish visitors. */
    async function seen(params: Params, cookies: Record<string, string>) {
      const { status, headers, text } = await leave(params, cookies)
      const shown = Object.fromEntries(headers)
      for (const name of ['date', 'x-request-id']) delete shown[name]
      return { status, text, headers: { ...shown, location: shown.location?.replace(/(resume=)[\w-]{43}$/, '$1…') } }
    }

    /** Browsers of signed-in visitors with every relation to the application's team, none of them signed in to the application. */
    async function visitors(): Promise<[string, Record<string, string>][]> {
      const password = 'set by the team, not by the user'
      const [outsider, added, former] = [
        await registerUser(service),
        await registerUser(service),
        await registerUser(service),
      ]
      await verifyEmailAddress(service, added)
      await joinTeam(service, added, owner.teamId, { counts: false })
      await verifyEmailAddress(service, former)
      await joinTeam(service, former, owner.teamId)
      const left = await signInBrowser(service, former)
      await tokensFor(service, app, left)
      await service.api('POST', `/api/v1/organizations/${owner.teamId}/leave`, { token: left.token })
      const other = await registerUser(service)
      const held = await registerUser(service)
      const { id } = await addUser(service, other, { email: held.email, temporaryPassword: password })
      await service.api('PUT', `/api/v1/users/${id}`, { token: other.token, body: { status: 'active' } })
      const restricted = await service.api('POST', '/api/v1/auth/login', {
        body: { email: held.email, password, teamId: other.teamId },
      })
      return [
        ['an unrelated user', (await signInBrowser(service, outsider)).cookies],
        ['an unconfirmed member', (await signInBrowser(service, added)).cookies],
        ['a former member', left.cookies],
        ['restricted to another team', { keyward_sso: restricted.cookies.keyward_sso?.value ?? '' }],
        ['a session after the one of the hint', (await signInBrowser(service, user)).cookies],
      ]
    }

    it('redirects every visitor with a session to the same page', async () => {
      const browsers = await visitors()
      for (const params of [
        {},
        back,
        { client_id: app.clientId },
        { client_id: app.clientId, ...back },
        { id_token_hint: hint },
        { id_token_hint: hint, ...back },
      ] as Params[]) {
        const [[, first] = ['', {}], ...others] = browsers
        const expected = await seen(params, first)
        expect(expected).toMatchObject({ status: 302, headers: { location: `${service.baseUrl}/logout?resume=…` } })
        expect(expected.headers).not.toHaveProperty('set-cookie')
        for (const [visitor, cookies] of others)
          expect({ visitor, ...(await seen(params, cookies)) }).toEqual({ visitor, ...expected })
      }
    })
  })

  it('rejects every hint that is no ID token of this issuer, and ends no session', async () => {
    const outsider = await registerUser(service)
    const foreign = await registerApp(service, outsider, { postLogoutRedirectUris: [AFTER] })
    const tokens = await tokensFor(service, app, user, { scope: 'openid offline_access' })
    const [header = '', claims = ''] = hint.split('.')
    const { privateKey } = nextRsaKeyPair()
    const { body: jwks } = await service.api('GET', `${app.idp}/jwks`)
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = (head: object, key: (input: string) => Buffer) => {
      const input = `${part({ ...jwtPart(hint, 0), ...head })}.${claims}`
      return `${input}.${key(input).toString('base64url')}`
    }
    const forged = [
      'x',
      'a.b.c',
      `${header}.${claims}.`,
      `${hint.slice(0, -8)}AAAAAAAA`,
      `${part({ alg: 'none' })}.${claims}.`,
      `${header}.${part({ ...jwtPart(hint), sub: owner.id })}.${hint.split('.')[2]}`,
      signed({}, (input) => sign('sha256', Buffer.from(input), privateKey)),
      signed({ alg: 'HS256' }, (input) => createHmac('sha256', jwks.keys[0].n).update(input).digest()),
      tokens.access_token,
      tokens.refresh_token,
      browser.token,
      (await tokensFor(service, foreign, outsider)).id_token,
    ]
    for (const text of forged) {
      const { status, headers } = await leave({ id_token_hint: text, ...back })
      expect([status, headers.get('location')], text.slice(0, 60)).toEqual([400, null])
    }
    const { status } = await leave({ id_token_hint: hint, client_id: foreign.clientId })
    expect(status).toBe(400)
    await expectSession(service, browser.token, 'active')
  })

  it('redirects to no URI of one application for the ID token of another', async () => {
    const sibling = await registerApp(service, owner, { redirectUris: ['https://other.example/cb'] })
    const { id_token } = await tokensFor(service, sibling, browser)
    const { status, headers } = await leave({ id_token_hint: id_token, ...back })
    expect([status, headers.get('location')]).toEqual([400, null])
    await expectSession(service, browser.token, 'active')
  })

  it('redirects a posted form to the GET request, which includes the session cookie', async () => {
    const { status, headers } = await service.api('POST', `${app.idp}/end-session`, {
      raw: new URLSearchParams({ id_token_hint: hint, ...back }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(status).toBe(303)
    await expectSession(service, browser.token, 'active')
    const next = new URL(headers.get('location') as string)
    const answer = await service.api('GET', next.pathname + next.search, { cookies: browser.cookies })
    expect(locationOf(answer).href).toBe(`${AFTER}?state=s`)
    await expectSession(service, browser.token, 'revoked')
  })
})
