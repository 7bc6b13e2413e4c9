import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  authorize,
  confirm,
  exchangeCode,
  jwtPart,
  locationOf,
  pkce,
  registerApp,
  signInBrowser,
  type TestApp,
  tokensFor,
  uidOf,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import {
  atOnce,
  claimsOf,
  expectError,
  joinTeam,
  logIn,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let owner: TestUser
let user: TestUser
let app: TestApp
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  owner = await registerUser(service)
  user = await registerUser(service)
  await joinTeam(service, user, owner.teamId)
  app = await registerApp(service, owner)
})

type Params = Record<string, string | undefined>
const begin = async (params: Params = {}, cookies?: Record<string, string>) =>
  uidOf(await authorize(service, app, params, cookies))
const answer = (uid: string, who: Pick<TestUser, 'token'>, at: { idp: string } = app, consent = true) =>
  service.api('POST', `${at.idp}/interaction/${uid}/confirm`, { token: who.token, body: { consent } })
const look = (uid: string, who: Pick<TestUser, 'token'>, at: { idp: string } = app) =>
  service.api('GET', `${at.idp}/interaction/${uid}`, { token: who.token })
const silently = async (cookies: Record<string, string>, params: Params = {}) =>
  Object.fromEntries(locationOf(await authorize(service, app, { prompt: 'none', ...params }, cookies)).searchParams)
const codes = async () => (await service.sql<{ n: number }>('SELECT count(*)::int AS n FROM oauth_tokens'))[0]?.n

describe('user consent', () => {
  it('stores the consent by user, application and scope, and requires it again only for new scopes', async () => {
    const { cookies } = await signInBrowser(service, user)
    expect(await silently(cookies)).toMatchObject({ error: 'consent_required', state: 'the-state' })
    const uid = await begin({ scope: 'openid email' })
    const { body } = await look(uid, user)
    expect(body).toMatchObject({ scopes: ['openid', 'email'], newScopes: ['openid', 'email'], consentRequired: true })
    await confirm(service, app, uid, user)
    for (const scope of ['openid', 'openid email', 'email openid'])
      expect(await silently(cookies, { scope })).toHaveProperty('code')
    for (const scope of ['openid profile', 'openid email profile', 'openid offline_access'])
      expect(await silently(cookies, { scope })).toMatchObject({ error: 'consent_required' })
    const more = await begin({ scope: 'openid email profile' }, cookies)
    expect((await look(more, user)).body).toMatchObject({ newScopes: ['profile'], consentRequired: true })
    await confirm(service, app, more, user)
    // Earlier consents remain stored.
    expect(await silently(cookies, { scope: 'openid email profile' })).toHaveProperty('code')
  })

  it('requires a consent of each user and for each application', async () => {
    await tokensFor(service, app, user)
    const { cookies } = await signInBrowser(service, owner)
    expect(await silently(cookies)).toMatchObject({ error: 'consent_required' })
    const mine = await signInBrowser(service, user)
    const other = await registerApp(service, owner)
    const back = locationOf(await authorize(service, other, { prompt: 'none' }, mine.cookies))
    expect(back.searchParams.get('error')).toBe('consent_required')
  })

  it('returns access_denied with the state if denied, and stores no consent', async () => {
    const back = await confirm(service, app, await begin(), user, false)
    expect(back.origin + back.pathname).toBe(app.redirectUri)
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: 'the-state',
      iss: app.issuer,
    })
    const { cookies } = await signInBrowser(service, user)
    expect(await silently(cookies)).toMatchObject({ error: 'consent_required' })
    const [entry] = await service.sql(
      "SELECT result FROM audit_entries WHERE action = 'application.consented' AND user_id = $1",
      [user.id],
    )
    expect(entry).toEqual({ result: 'FAILURE' })
  })

  it('keeps the consent after a later denial', async () => {
    await tokensFor(service, app, user)
    await confirm(service, app, await begin({ prompt: 'consent' }), user, false)
    const { cookies } = await signInBrowser(service, user)
    expect(await silently(cookies)).toHaveProperty('code')
  })

  it('requires consent again if the application requests it', async () => {
    await tokensFor(service, app, user)
    const { cookies } = await signInBrowser(service, user)
    const begun = await authorize(service, app, { prompt: 'consent' }, cookies)
    expect(locationOf(begun).pathname).toBe('/consent')
    const uid = uidOf(begun)
    expect((await look(uid, user)).body).toMatchObject({ newScopes: [], consentRequired: true })
    expect((await confirm(service, app, uid, user)).searchParams.has('code')).toBe(true)
  })

  it('issues a refresh token for offline_access, and later ones without a page', async () => {
    const scope = 'openid offline_access'
    expect((await tokensFor(service, app, user, { scope })).refresh_token).toMatch(/^[\w-]{43}$/)
    const { cookies } = await signInBrowser(service, user)
    const { verifier, challenge } = pkce()
    const { code } = await silently(cookies, { scope, code_challenge: challenge, code_challenge_method: 'S256' })
    const { body } = await exchangeCode(service, app, { code: code as string, verifier })
    expect(body.refresh_token).toMatch(/^[\w-]{43}$/)
  })
})

describe('a user without access to the application', () => {
  const expectNothing = async (who: TestUser) => {
    const before = await codes()
    const { cookies, token } = await signInBrowser(service, who)
    expect(await silently(cookies)).toMatchObject({
      error: expect.stringMatching(/^(access_denied|consent_required|login_required|interaction_required)$/),
    })
    const uid = await begin({}, cookies)
    expectError(await look(uid, { token }), 403, 'application_access_denied')
    for (const at of [app, withIssuerPath(service, app.id, app), withIssuerPath(service, app.teamId, app)])
      expectError(await answer(uid, { token }, at), 403, 'application_access_denied')
    expect(await codes()).toBe(before)
  }

  it('receives no code as a user of another team', async () => {
    await expectNothing(await registerUser(service))
  })

  it('receives no code without an assignment, even with an earlier consent', async () => {
    await tokensFor(service, app, user)
    await service.api('PUT', `/api/v1/applications/${app.id}`, {
      token: owner.token,
      body: { assignmentRequired: true },
    })
    await expectNothing(user)
    const put = (userIds: string[]) =>
      service.api('PUT', `/api/v1/applications/${app.id}/users`, { token: owner.token, body: { userIds } })
    expect((await put([owner.id])).status).toBe(200)
    await expectNothing(user)
    await put([user.id])
    const { cookies } = await signInBrowser(service, user)
    expect(await silently(cookies)).toHaveProperty('code')
  })

  it('receives no code with a suspended membership', async () => {
    await tokensFor(service, app, user)
    await service.sql("UPDATE memberships SET status = 'suspended' WHERE user_id = $1 AND organization_id = $2", [
      user.id,
      owner.teamId,
    ])
    await expectNothing(user)
  })

  it('receives no code in a session that is restricted to another team', async () => {
    await tokensFor(service, app, user)
    const { cookies, token } = await signInBrowser(service, user)
    const restrict = (teamId: string) =>
      service.sql('UPDATE sessions SET confined_team_id = $2, organization_id = $2 WHERE id = $1', [
        claimsOf(token).sid,
        teamId,
      ])
    await restrict(user.teamId)
    expect(await silently(cookies)).toMatchObject({ error: 'login_required' })
    const begun = await authorize(service, app, {}, cookies)
    expect(locationOf(begun).pathname).toBe('/login')
    const uid = uidOf(begun)
    for (const consent of [true, false])
      expectError(await answer(uid, { token }, app, consent), 403, 'team_sign_in_required')
    expectError(await look(uid, { token }), 403, 'team_sign_in_required')
    await restrict(owner.teamId)
    // A consent from an unrestricted session does not apply to it.
    expect(await silently(cookies)).toMatchObject({ error: 'consent_required' })
    await service.sql('UPDATE consents SET restricted = true WHERE user_id = $1', [user.id])
    expect(await silently(cookies)).toHaveProperty('code')
  })

  it('receives no code if the team is suspended, even as its owner', async () => {
    await tokensFor(service, app, user)
    const { cookies, token } = await signInBrowser(service, owner)
    const uid = await begin({}, cookies)
    await service.sql("UPDATE organizations SET status = 'SUSPENDED' WHERE id = $1", [owner.teamId])
    const { status, headers } = await authorize(service, app, {}, cookies)
    expect([status, headers.get('location')]).toEqual([403, null])
    expectError(await answer(uid, { token }), 403, 'team_suspended')
  })
})

describe('a pending request', () => {
  it('completes the request exactly once across twenty concurrent decisions', async () => {
    const uid = await begin()
    const before = (await codes()) ?? 0
    const answers = await atOnce(20, (index) => answer(uid, user, app, index % 4 !== 0))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const rejected of answers) if (rejected.status !== 200) expectError(rejected, 404, 'interaction_not_found')
    expect((await codes()) ?? 0).toBeLessThanOrEqual(before + 1)
    expectError(await look(uid, user), 404, 'interaction_not_found')
  })

  it('accepts a decision under every issuer URL of the application, and redirects from the requested one', async () => {
    const issuerPaths = [app.teamId, app.id, `${app.teamId}/${app.id}`]
    for (const asked of issuerPaths)
      for (const at of issuerPaths) {
        const uid = uidOf(await authorize(service, withIssuerPath(service, asked, app)))
        const back = await confirm(service, withIssuerPath(service, at, app), uid, user)
        expect(back.searchParams.get('iss')).toBe(withIssuerPath(service, asked, app).issuer)
        const redeemed = await exchangeCode(service, withIssuerPath(service, asked, app), {
          code: back.searchParams.get('code') as string,
          verifier: undefined as unknown as string,
        })
        expect(jwtPart(redeemed.body.id_token).iss).toBe(withIssuerPath(service, asked, app).issuer)
      }
  })

  it('returns 404 under any other issuer, and does not change', async () => {
    const sibling = await registerApp(service, owner)
    const foreign = await registerApp(service, await registerUser(service))
    const uid = await begin()
    const others = [sibling.id, `${owner.teamId}/${sibling.id}`, foreign.id, foreign.teamId]
    for (const path of others) {
      const at = withIssuerPath(service, path, app)
      expectError(await answer(uid, user, at), 404, 'interaction_not_found')
      expectError(await look(uid, user, at), 404, 'interaction_not_found')
    }
    const mixed = withIssuerPath(service, `${foreign.teamId}/${app.id}`, app)
    expectError(await answer(uid, user, mixed), 404, 'issuer_not_found')
    expect((await answer(uid, user)).status).toBe(200)
  })

  it('expires after an hour', async () => {
    const [early, late] = [await begin(), await begin()]
    await service.clock.advance(3_590_000)
    expect((await answer(early, await logIn(service, user))).status).toBe(200)
    await service.clock.advance(10_000)
    expectError(await answer(late, await logIn(service, user)), 404, 'interaction_not_found')
  })

  it('returns 404 after its application was deleted', async () => {
    const uid = await begin()
    await service.api('DELETE', `/api/v1/applications/${app.id}`, { token: owner.token })
    expectError(await answer(uid, user), 404, 'issuer_not_found')
    expectError(await answer(uid, user, withIssuerPath(service, app.teamId, app)), 404, 'interaction_not_found')
  })

  it('accepts a decision only in the browser that began it', async () => {
    const begun = await authorize(service, app)
    const uid = uidOf(begun)
    const browser = begun.cookies.keyward_browser
    expect(browser?.attributes).toMatch(/HttpOnly/i)
    expect(browser?.attributes).toMatch(/SameSite=Lax/i)
    const byPage = (cookies: Record<string, string>) =>
      service.api('POST', `${app.idp}/interaction/${uid}/confirm`, {
        token: user.token,
        console: true,
        cookies,
        body: { consent: true },
      })
    const other = (await authorize(service, app)).cookies.keyward_browser?.value ?? ''
    for (const cookies of [{}, { keyward_browser: '' }, { keyward_browser: 'x' }, { keyward_browser: other }])
      expectError(await byPage(cookies as Record<string, string>), 403, 'wrong_browser')
    expect((await byPage({ keyward_browser: browser?.value ?? '' })).status).toBe(200)
  })

  it('leaves the request of another tab unchanged', async () => {
    const first = await authorize(service, app)
    const cookies = { keyward_browser: first.cookies.keyward_browser?.value ?? '' }
    const second = await authorize(service, app, {}, cookies)
    for (const begun of [first, second])
      expect(
        (
          await service.api('POST', `${app.idp}/interaction/${uidOf(begun)}/confirm`, {
            token: user.token,
            console: true,
            cookies,
            body: { consent: true },
          })
        ).status,
      ).toBe(200)
  })

  it('requires a valid session of a user', async () => {
    const uid = await begin()
    const tokens = await tokensFor(service, app, user)
    for (const token of [tokens.access_token, tokens.id_token, 'x'])
      expectError(await answer(uid, { token }), 401, 'invalid_access_token')
    await service.api('POST', '/api/v1/auth/logout', { token: user.token })
    expectError(await answer(uid, user), 401, 'invalid_access_token')
  })
})

describe('an application that requires a sign-in newer than', () => {
  it.each([
    ['its request', { prompt: 'login' }],
    ['its request, with consent', { prompt: 'login consent' }],
    ['one minute', { max_age: '60' }],
    ['zero seconds', { max_age: '0' }],
  ])('receives a code only after a sign-in newer than %s', async (_, params) => {
    await tokensFor(service, app, user)
    const { cookies, token } = await signInBrowser(service, user)
    await service.clock.advance(90_000)
    const begun = await authorize(service, app, params, cookies)
    expect(locationOf(begun).pathname).toBe('/login')
    const uid = uidOf(begun)
    expect((await look(uid, { token })).body.loginRequired).toBe(true)
    expectError(await answer(uid, { token }), 403, 'reauthentication_required')
    if ('max_age' in params) expect(await silently(cookies, params)).toMatchObject({ error: 'login_required' })
    await service.clock.advance(2_000)
    const fresh = await logIn(service, user)
    expect((await look(uid, fresh)).body.loginRequired).toBe(false)
    const back = await confirm(service, app, uid, fresh)
    const { body } = await exchangeCode(service, app, {
      code: back.searchParams.get('code') as string,
      verifier: undefined as unknown as string,
    })
    const signedIn = Number(jwtPart(body.id_token).auth_time)
    expect(Math.abs(signedIn - service.clock.ms() / 1_000)).toBeLessThan(10)
  })

  it('receives a code and auth_time without a page if the last sign-in is recent enough', async () => {
    await tokensFor(service, app, user)
    const { cookies } = await signInBrowser(service, user)
    await service.clock.advance(50_000)
    expect(await silently(cookies, { max_age: '60' })).toHaveProperty('code')
    await service.clock.advance(20_000)
    expect(await silently(cookies, { max_age: '60' })).toMatchObject({ error: 'login_required' })
  })
})

describe('an application that requests a certain user', () => {
  it('receives no code for another user', async () => {
    const { id_token: hint } = await tokensFor(service, app, user)
    const other = await registerUser(service)
    await joinTeam(service, other, owner.teamId)
    await tokensFor(service, app, other)
    const { cookies, token } = await signInBrowser(service, other)
    expect(await silently(cookies, { id_token_hint: hint })).toMatchObject({ error: 'login_required' })
    const uid = await begin({ id_token_hint: hint }, cookies)
    expectError(await answer(uid, { token }), 403, 'wrong_user')
    const bySub = { claims: JSON.stringify({ id_token: { sub: { value: user.id } } }) }
    expectError(await answer(await begin(bySub, cookies), { token }), 403, 'wrong_user')
    expect((await confirm(service, app, uid, user)).searchParams.has('code')).toBe(true)
    const own = await signInBrowser(service, user)
    expect(await silently(own.cookies, { id_token_hint: hint })).toHaveProperty('code')
  })

  it('rejects a forged ID token, or one of another application, as a hint', async () => {
    const { id_token: hint, access_token: access } = await tokensFor(service, app, user)
    const sibling = await registerApp(service, owner)
    const { id_token: foreign } = await tokensFor(service, sibling, user)
    const forged = `${hint.slice(0, -6)}AAAAAA`
    for (const wrong of [forged, access, foreign, 'x']) {
      const back = locationOf(await authorize(service, app, { id_token_hint: wrong }))
      expect(back.searchParams.get('error'), wrong.slice(0, 20)).toBe('invalid_request')
    }
  })
})
