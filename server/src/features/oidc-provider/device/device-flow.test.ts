import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  expectOAuthError,
  isActive,
  jwtPart,
  refresh,
  registerApp,
  requestTokens,
  type TestApp,
  userinfo,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import {
  atOnce,
  CONCURRENT,
  expectError,
  logIn,
  newEmail,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const GRANTS = [DEVICE_GRANT, 'refresh_token']

let service: TestService
let user: TestUser
let tv: TestApp
let confidential: TestApp
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  tv = await registerApp(service, user, {
    isPublicClient: true,
    grantTypes: GRANTS,
    responseTypes: [],
    redirectUris: [],
  })
  confidential = await registerApp(service, user, { grantTypes: GRANTS, responseTypes: [], redirectUris: [] })
})
afterAll(() => service.close())
beforeEach(async () => {
  await service.clock.advance(10_000)
  // These tests advance the clock beyond the lifetime of a session.
  user = await logIn(service, user)
})

interface Codes {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}

const ask = (app: TestApp, form: Record<string, string> = { scope: 'openid email' }, secret = app.secret) =>
  service.api('POST', `${app.idp}/device/auth`, {
    raw: new URLSearchParams({
      client_id: app.clientId,
      ...form,
    }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'TV/1.0',
      ...(secret && { authorization: `Basic ${Buffer.from(`${app.clientId}:${secret}`).toString('base64')}` }),
    },
  })
async function codesOf(app: TestApp, form?: Record<string, string>): Promise<Codes> {
  const { status, body } = await ask(app, form)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const poll = (app: TestApp, code: string, options = {}) =>
  requestTokens(service, app, { grant_type: DEVICE_GRANT, device_code: code }, options)
const verify = (userCode: string, { token }: Pick<TestUser, 'token'> = user) =>
  service.api('POST', '/api/v1/oauth/device/verify', { token, body: { userCode } })
async function requestOf(codes: Codes, by = user): Promise<{ uid: string; path: string }> {
  const { status, body } = await verify(codes.user_code, by)
  expect(status, JSON.stringify(body)).toBe(200)
  return { uid: body.uid, path: `${new URL(body.idp).pathname}/interaction/${body.uid}` }
}
const answer = (path: string, consent: boolean, by = user) =>
  service.api('POST', `${path}/confirm`, { token: by.token, body: { consent } })
async function letIn(codes: Codes): Promise<void> {
  const { path } = await requestOf(codes)
  expect((await answer(path, true)).status).toBe(200)
}

describe('the device flow', () => {
  it('issues a device code, a user code of eight letters and the verification page', async () => {
    const codes = await codesOf(tv)
    expect(codes).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${service.baseUrl}/device`,
      verification_uri_complete: `${service.baseUrl}/device?user_code=${codes.user_code}`,
      expires_in: 600,
      interval: 5,
    })
    const [row] = await service.sql(
      'SELECT to_jsonb(d)::text AS row FROM device_codes d ORDER BY created_at DESC LIMIT 1',
    )
    expect(row?.row).not.toContain(codes.device_code)
    expect(row?.row).not.toContain(codes.user_code.replace('-', ''))
  })

  it.each([
    ['public', () => tv],
    ['confidential', () => confidential],
  ])('issues tokens to a %s client once the user approves the device', async (_, app) => {
    const codes = await codesOf(app(), { scope: 'openid email offline_access' })
    expectOAuthError(await poll(app(), codes.device_code), 'authorization_pending')
    const { uid, path } = await requestOf(codes)
    const { status, body } = await service.api('GET', path, { token: user.token })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({
      uid,
      application: { id: app().id },
      scopes: ['openid', 'email', 'offline_access'],
      consentRequired: true,
      device: { ipAddress: expect.any(String), userAgent: 'TV/1.0', requestedAt: expect.any(String) },
    })
    const confirmed = await answer(path, true)
    expect(confirmed.body).toEqual({ success: true, redirectTo: `${service.baseUrl}/device?result=approved` })
    await service.clock.advance(5_000)
    const { body: tokens, status: given } = await poll(app(), codes.device_code)
    expect(given, JSON.stringify(tokens)).toBe(200)
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'openid email offline_access' })
    expect(jwtPart(tokens.id_token)).toMatchObject({
      sub: user.id,
      aud: app().clientId,
      email: user.email,
      iss: app().issuer,
    })
    expect((await userinfo(service, app(), tokens.access_token)).body).toMatchObject({
      sub: user.id,
      email: user.email,
    })
    const again = await refresh(service, app(), tokens.refresh_token)
    expect([again.status, await isActive(service, again.body.access_token)]).toEqual([200, true])
  })

  it('grants the default scopes if none is requested, and only scopes that the application has', async () => {
    const codes = await codesOf(tv, {})
    const { path } = await requestOf(codes)
    expect((await service.api('GET', path, { token: user.token })).body.scopes).toEqual(['openid', 'profile'])
    expectOAuthError(await ask(tv, { scope: 'admin' }), 'invalid_scope')
  })

  it('increases the interval by five seconds at each early poll', async () => {
    const { device_code: code } = await codesOf(tv)
    expectOAuthError(await poll(tv, code), 'authorization_pending')
    expectOAuthError(await poll(tv, code), 'slow_down')
    await service.clock.advance(6_000)
    expectOAuthError(await poll(tv, code), 'slow_down')
    await service.clock.advance(16_000)
    expectOAuthError(await poll(tv, code), 'authorization_pending')
  })

  it('notifies a device that the user denied', async () => {
    const codes = await codesOf(tv)
    const { path } = await requestOf(codes)
    const { body } = await answer(path, false)
    expect(body.redirectTo).toBe(`${service.baseUrl}/device?result=denied`)
    expectOAuthError(await poll(tv, codes.device_code), 'access_denied')
    expectError(await verify(codes.user_code), 404, 'device_code_not_found')
  })

  it('expires after ten minutes, for the device and for the user', async () => {
    const codes = await codesOf(tv)
    const { path } = await requestOf(codes)
    await service.clock.advance(601_000)
    expectOAuthError(await poll(tv, codes.device_code), 'expired_token')
    expectError(await verify(codes.user_code), 404, 'device_code_not_found')
    expectError(await answer(path, true), 404, 'interaction_not_found')
  })

  it('issues tokens once: reuse of the code revokes them', async () => {
    const codes = await codesOf(tv)
    await letIn(codes)
    const answers = await atOnce(CONCURRENT, (at) => poll(tv, codes.device_code, { node: at % service.urls.length }))
    const given = answers.filter(({ status }) => status === 200)
    expect(given).toHaveLength(1)
    for (const rejected of answers.filter(({ status }) => status !== 200)) expectOAuthError(rejected, 'invalid_grant')
    expect(await isActive(service, given[0]?.body.access_token)).toBe(false)
  })

  it.each([
    ['that all approve', () => true],
    ['of both kinds', (at: number) => at % 3 > 0],
  ])('takes exactly one of several concurrent decisions %s', async (_, consent) => {
    const codes = await codesOf(tv)
    const requests = await Promise.all([requestOf(codes), requestOf(codes), requestOf(codes)])
    const answers = await atOnce(21, (at) => answer(requests[at % 3]?.path ?? '', consent(at)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const rejected of answers.filter(({ status }) => status !== 200))
      expectError(rejected, 404, 'interaction_not_found')
  })

  it('accepts the user code in any spelling, and throttles guesses', async () => {
    const codes = await codesOf(tv)
    expect((await verify(` ${codes.user_code.toLowerCase().replace('-', ' ')} `)).status).toBe(200)
    const guesser = await registerUser(service)
    for (let time = 0; time < 10; time++) {
      expectError(await verify('BBBB-BBBB', guesser), 404, 'device_code_not_found')
      // A valid code of the user's own does not reset the counter.
      if (time === 5) expect((await verify(codes.user_code, guesser)).status).toBe(200)
    }
    // From now on one attempt per second.
    const more = [await verify('BBBB-BBBB', guesser), await verify('BBBB-BBBB', guesser)]
    expect(more.map(({ status }) => status)).toContain(429)
    expect((await verify(codes.user_code)).status).toBe(200)
  })

  it('issues no claim that its scopes do not cover', async () => {
    const own = await registerApp(service, user, {
      isPublicClient: true,
      grantTypes: GRANTS,
      responseTypes: [],
      redirectUris: [],
      scopes: ['openid'],
    })
    for (const claims of ['{"id_token":{"email":null}}', '{"id_token":{"sub":{"value":"\\u0000"}}}']) {
      const codes = await codesOf(own, { scope: 'openid', claims })
      await letIn(codes)
      const { body } = await poll(own, codes.device_code)
      expect(jwtPart(body.id_token).email).toBeUndefined()
    }
  })

  it('expires ten minutes after the request, however late it is approved', async () => {
    const codes = await codesOf(tv)
    await service.clock.advance(590_000)
    await letIn(codes)
    await service.clock.advance(11_000)
    expectOAuthError(await poll(tv, codes.device_code), 'invalid_grant')
  })

  it('issues tokens to a device that polls during the approval', async () => {
    for (let time = 0; time < 5; time++) {
      const codes = await codesOf(tv)
      const { path } = await requestOf(codes)
      const [, ...polls] = await Promise.all([
        answer(path, true),
        ...[0, 1, 2].map((at) => poll(tv, codes.device_code, { node: at % service.urls.length })),
      ])
      for (const { status, body } of polls)
        if (status !== 200) expect(['authorization_pending', 'slow_down', 'invalid_grant']).toContain(body.error)
      // One of the concurrent polls gets the tokens; later ones present a used code.
      const given = polls.filter(({ status }) => status === 200).length
      const rejected = polls.filter(({ body }) => body.error === 'invalid_grant').length
      expect(given === 0 && rejected > 0).toBe(false)
    }
  })

  it('rejects the decision of a user of another team', async () => {
    const outsider = await registerUser(service)
    const codes = await codesOf(tv)
    const { path } = await requestOf(codes, outsider)
    expectError(await service.api('GET', path, { token: outsider.token }), 403, 'application_access_denied')
    expectError(await answer(path, true, outsider), 403, 'application_access_denied')
    expectError(await answer(path, false, outsider), 403, 'application_access_denied')
    expectOAuthError(await poll(tv, codes.device_code), 'authorization_pending')
  })

  it('accepts a device code only for its own application and issuer', async () => {
    const codes = await codesOf(tv)
    await letIn(codes)
    expectOAuthError(await poll(confidential, codes.device_code), 'invalid_grant')
    expectOAuthError(await poll(withIssuerPath(service, tv.teamId, tv), codes.device_code), 'invalid_grant')
    expect((await poll(tv, codes.device_code, { global: true })).status).toBe(200)
  })

  it('rejects an application without the grant type, and failed client authentication', async () => {
    const web = await registerApp(service, user)
    expectOAuthError(await ask(web), 'unauthorized_client')
    expectOAuthError(await ask(confidential, {}, 'wrong'), 'invalid_client', 401)
    expectOAuthError(await ask({ ...tv, clientId: 'unknown' }), 'invalid_client', 401)
  })

  it('records no entry before the decision, which records the IP address of the device', async () => {
    const codes = await codesOf(tv)
    const count = async () =>
      (await service.sql("SELECT count(*)::int AS n FROM audit_entries WHERE action = 'application.token_refused'"))[0]
        ?.n
    const before = await count()
    expectOAuthError(await poll(tv, codes.device_code), 'authorization_pending')
    expect(await count()).toBe(before)
    await letIn(codes)
    const [entry] = await service.sql(
      "SELECT metadata FROM audit_entries WHERE action = 'application.consented' AND user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1",
      [user.id],
    )
    expect(entry?.metadata).toMatchObject({ device: { ip: expect.any(String) }, scopes: ['openid', 'email'] })
  })

  it.each([
    ['expired', 'expired_token', async () => service.clock.advance(601_000)],
    [
      'denied',
      'access_denied',
      async (codes: Codes) => {
        const { path } = await requestOf(codes)
        await answer(path, false)
      },
    ],
  ])('records a device that was %s once, however often it polls', async (_, error, end) => {
    const codes = await codesOf(confidential)
    const rejected = () =>
      service.sql<{ error: string }>(
        `SELECT metadata->>'error' AS error FROM audit_entries
         WHERE action = 'application.token_refused' AND resource = $1 ORDER BY created_at, id`,
        [`application:${confidential.id}`],
      )
    const before = (await rejected()).length
    await end(codes)
    const polls = await atOnce(20, () => poll(confidential, codes.device_code))
    polls.push(await poll(confidential, codes.device_code))
    for (const each of polls) expectOAuthError(each, error)
    expect((await rejected()).slice(before)).toEqual([{ error }])
    // A third party with the code, and an unknown code, are recorded each time.
    expectOAuthError(await poll(confidential, codes.device_code, { secret: 'wrong' }), 'invalid_client', 401)
    expectOAuthError(await poll(confidential, 'unknown'), 'invalid_grant')
    expectOAuthError(await poll(confidential, 'unknown'), 'invalid_grant')
    expect((await rejected()).slice(before + 1).map((entry) => entry.error)).toEqual([
      'invalid_client',
      'invalid_grant',
      'invalid_grant',
    ])
  })

  it('revokes the tokens when the approving session ends or the user is deleted', async () => {
    const email = newEmail()
    const member = await registerUser(service, { email })
    const own = await registerApp(service, member, {
      isPublicClient: true,
      grantTypes: GRANTS,
      responseTypes: [],
      redirectUris: [],
    })
    const codes = await codesOf(own)
    const { body } = await verify(codes.user_code, member)
    await service.api('POST', `${own.idp}/interaction/${body.uid}/confirm`, {
      token: member.token,
      body: { consent: true },
    })
    await service.api('POST', '/api/v1/auth/logout', { token: member.token })
    expectOAuthError(await poll(own, codes.device_code), 'invalid_grant')
  })
})
