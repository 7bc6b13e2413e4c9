import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorize,
  confirm,
  locationOf,
  registerApp,
  signInBrowser,
  type TestApp,
  tokensFor,
  uidOf,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import {
  addUser,
  expectError,
  joinTeam,
  makePolicy,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import {
  expectUnnamed,
  received,
  type TestVisitor,
  unconfirmedVisitors,
} from '../../../../test/factories/unconfirmed-visitors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let owner: TestUser
let app: TestApp
let closed: TestApp
let visitors: [who: string, TestVisitor][]
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
  app = await registerApp(service, owner)
  closed = await registerApp(service, owner, { assignmentRequired: true })
  visitors = await unconfirmedVisitors(service, owner)
})
afterAll(() => service.close())

type Params = Record<string, string | undefined>
const silently = (cookies: Record<string, string>, params: Params = {}, at = app) =>
  authorize(service, at, { prompt: 'none', ...params }, cookies)
const errorOf = async (...request: Parameters<typeof silently>) =>
  locationOf(await silently(...request)).searchParams.get('error')

/** Returns a user whom the team knows, with the cookie of an unrestricted session. */
async function member(fields: { counts?: boolean } = {}) {
  const user = await registerUser(service)
  await verifyEmailAddress(service, user)
  await joinTeam(service, user, owner.teamId, fields)
  return { user, ...(await signInBrowser(service, user)) }
}

/** Denies every sign-in to the application while `work` runs. */
async function whileDenied(work: () => Promise<void>): Promise<void> {
  const fields = { type: 'SIGN_ON', resource: `application:${app.id}`, actions: ['login'], effect: 'DENY' }
  const { id } = await makePolicy(service, owner, fields)
  try {
    await work()
  } finally {
    await service.api('DELETE', `/api/v1/policies/${id}`, { token: owner.token })
  }
}

describe('prompt=none of a visitor whom the team must not identify', () => {
  const requests: [what: string, params: Params][] = [
    ['without further parameters', {}],
    ['with scopes', { scope: 'openid profile email offline_access' }],
    ['with max_age', { max_age: '10000' }],
    ['with a requested subject', { claims: JSON.stringify({ id_token: { sub: { value: 'other' } } }) }],
    ['with an essential acr', { claims: JSON.stringify({ id_token: { acr: { essential: true, value: 'mfa' } } }) }],
  ]

  it.each(requests)('returns the response of a visitor without a session (%s)', async (_what, params) => {
    for (const at of [app, withIssuerPath(service, owner.teamId, app), withIssuerPath(service, app.id, app), closed]) {
      const expected = received(await silently({}, params, at))
      expect(new URL(Object.fromEntries(expected.headers).location ?? '').searchParams.get('error')).toBe(
        'login_required',
      )
      for (const [who, { cookies }] of visitors)
        expect(received(await silently(cookies, params, at)), who).toEqual(expected)
    }
  })

  it('returns the response of a visitor without a session for a pushed request', async () => {
    const push = async () => {
      const { status, body, text } = await service.api('POST', `${app.idp}/request`, {
        raw: new URLSearchParams({
          redirect_uri: app.redirectUri,
          response_type: 'code',
          scope: 'openid',
          state: 'pushed',
          prompt: 'none',
        }).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from(`${app.clientId}:${app.secret}`).toString('base64')}`,
        },
      })
      expect(status, text).toBe(201)
      return { prompt: undefined, scope: undefined, state: undefined, request_uri: body.request_uri }
    }
    const expected = received(await silently({}, await push()))
    expect(new URL(Object.fromEntries(expected.headers).location ?? '').searchParams.get('error')).toBe(
      'login_required',
    )
    for (const [who, { cookies }] of visitors)
      expect(received(await silently(cookies, await push())), who).toEqual(expected)
  })

  it('returns that response if a policy of the team denies everyone', async () => {
    await whileDenied(async () => {
      const expected = received(await silently({}))
      for (const [who, { cookies }] of visitors) expect(received(await silently(cookies)), who).toEqual(expected)
    })
  })

  it('returns that response after the user left the team, also with an earlier consent and after the team added the user again', async () => {
    const { user, token, cookies } = await member()
    await tokensFor(service, app, { token })
    expect(await errorOf(cookies)).toBeNull()
    await service.sql('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [user.id, owner.teamId])
    const expected = received(await silently({}))
    expect(received(await silently(cookies))).toEqual(expected)
    await addUser(service, owner, { email: user.email })
    expect(received(await silently(cookies))).toEqual(expected)
  })

  it('returns that response while the team suspends the user, and the specific one again afterwards', async () => {
    const { user, token, cookies } = await member()
    await tokensFor(service, app, { token })
    const put = async (status: string) => {
      const answer = await service.api('PUT', `/api/v1/users/${user.id}`, { token: owner.token, body: { status } })
      expect(answer.status, answer.text).toBe(200)
    }
    await put('suspended')
    expect(received(await silently(cookies))).toEqual(received(await silently({})))
    await put('active')
    expect(await errorOf(cookies)).toBeNull()
  })

  it('returns that response if the team signed in as the user and consented', async () => {
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    const { cookies } = await signInBrowser(service, user)
    const password = 'set by the team, not by the user'
    await addUser(service, owner, { email: user.email, temporaryPassword: password })
    await service.api('PUT', `/api/v1/users/${user.id}`, { token: owner.token, body: { status: 'active' } })
    const body = { email: user.email, password, teamId: owner.teamId }
    const restricted = await service.api('POST', '/api/v1/auth/login', { body })
    await tokensFor(service, app, { token: restricted.body.accessToken })
    expect(received(await silently(cookies))).toEqual(received(await silently({})))
    const own = { keyward_sso: restricted.cookies.keyward_sso?.value ?? '' }
    expect(await errorOf(own)).toBeNull()
    expect(await errorOf(own, { scope: 'openid email' })).toBe('consent_required')
  })
})

describe('prompt=none of a confirmed member', () => {
  it('returns the specific error', async () => {
    const { cookies, token } = await member()
    expect(await errorOf(cookies)).toBe('consent_required')
    expect(await errorOf(cookies, { max_age: '0' })).toBe('login_required')
    expect(await errorOf(cookies, {}, closed)).toBe('access_denied')
    await whileDenied(async () => expect(await errorOf(cookies)).toBe('access_denied'))
    await tokensFor(service, app, { token })
    expect(await errorOf(cookies)).toBeNull()
  })

  it('returns the specific error once the consent has confirmed the membership', async () => {
    const { cookies, token } = await member({ counts: false })
    expect(await errorOf(cookies)).toBe('login_required')
    await confirm(service, app, uidOf(await authorize(service, app, {}, cookies)), { token })
    expect(await errorOf(cookies)).toBeNull()
    expect(await errorOf(cookies, { scope: 'openid email' })).toBe('consent_required')
  })
})

describe('the audit log of the team', () => {
  it('omits an unconfirmed visitor after a policy denial or a denied consent', async () => {
    await whileDenied(async () => {
      for (const [, { user, token, cookies }] of visitors) {
        if (!user || !token) continue
        await silently(cookies)
        const uid = uidOf(await authorize(service, app, {}, cookies))
        const path = `${app.idp}/interaction/${uid}`
        expect((await service.api('GET', path, { token })).status).toBe(403)
        for (const consent of [true, false]) await service.api('POST', `${path}/confirm`, { token, body: { consent } })
        await expectUnnamed(service, owner, user)
      }
    })
  })

  it('records a denied consent of an unconfirmed visitor without the user, and notifies the application', async () => {
    const [, visitor] = visitors.find(([who]) => who === 'who is a user of another team') ?? []
    if (!visitor?.token) throw new Error('no visitor')
    const { token } = visitor
    const uid = uidOf(await authorize(service, app, {}, visitor.cookies))
    expectError(await service.api('GET', `${app.idp}/interaction/${uid}`, { token }), 403, 'application_access_denied')
    const back = await confirm(service, app, uid, { token }, false)
    expect(back.searchParams.get('error')).toBe('access_denied')
    const [entry] = await service.sql(
      "SELECT team_id, user_id, result FROM audit_entries WHERE action = 'application.consented' ORDER BY id DESC LIMIT 1",
    )
    expect(entry).toEqual({ team_id: owner.teamId, user_id: null, result: 'FAILURE' })
  })

  it('names a confirmed member after a policy denial or a denied consent', async () => {
    const { user, cookies, token } = await member()
    await whileDenied(async () => {
      await silently(cookies)
    })
    await confirm(service, app, uidOf(await authorize(service, app, {}, cookies)), { token }, false)
    const { body } = await service.api('GET', `/api/v1/audit/logs?userId=${user.id}`, { token: owner.token })
    const rejected = body.data.filter(({ result }: { result: string }) => result !== 'SUCCESS')
    expect(rejected.map(({ action }: { action: string }) => action)).toEqual([
      'application.consented',
      'application.signed_in',
    ])
  })
})
