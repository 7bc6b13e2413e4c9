import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  codeFor,
  exchangeCode,
  expectOAuthError,
  isActive,
  jwtPart,
  refresh,
  registerApp,
  requestTokens,
  type TestApp,
  tokensFor,
} from '../../../../test/doubles/relying-party.js'
import { atOnce, CONCURRENT, logIn, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const ALL = 'openid profile email offline_access'
const DAY = 86_400_000

describe('the refresh token of an application', () => {
  let service: TestService
  let user: TestUser
  let app: TestApp
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
    app = await registerApp(service, user)
  })
  afterAll(() => service.close())

  const first = async (scope = ALL) => (await tokensFor(service, app, user, { scope })).refresh_token
  const next = async (token: string) => {
    const { status, body } = await refresh(service, app, token)
    expect(status, JSON.stringify(body)).toBe(200)
    return body as { access_token: string; refresh_token: string; scope: string; id_token: string }
  }
  const narrowed = (token: string, scope: string) =>
    requestTokens(service, app, { grant_type: 'refresh_token', refresh_token: token, scope })
  const words = (scope: unknown) => String(scope).split(' ').sort()

  it('has exactly one successor across many concurrent uses', async () => {
    const token = await first()
    const answers = await atOnce(CONCURRENT, () => refresh(service, app, token))
    expect(answers.map(({ status }) => status)).toEqual(Array(CONCURRENT).fill(200))
    const successors = new Set(answers.map(({ body }) => body.refresh_token))
    expect(successors.size).toBe(1)
    expect(successors.has(token)).toBe(false)
    await next([...successors][0] as string)
  })

  it('has the same successor for half a minute, and its reuse after that revokes the grant', async () => {
    const token = await first()
    const successor = await next(token)
    await service.clock.advance(27_000)
    const again = await next(token)
    expect(again.refresh_token).toBe(successor.refresh_token)
    const third = await next(successor.refresh_token)
    // The second use did not extend the interval.
    await service.clock.advance(4_000)
    expectOAuthError(await refresh(service, app, token), 'invalid_grant')
    for (const { access_token, refresh_token } of [successor, again, third]) {
      expect(await isActive(service, access_token)).toBe(false)
      expectOAuthError(await refresh(service, app, refresh_token), 'invalid_grant')
    }
    const entries = await service.sql(
      `SELECT 1 FROM audit_entries WHERE action = 'application.refresh_reused' AND metadata->>'grant' = $1`,
      [String(jwtPart(third.access_token).gid)],
    )
    expect(entries).toHaveLength(1)
  })

  it('has the same successor, and the same reuse detection, after a restart of the service', async () => {
    const token = await first()
    const successor = await next(token)
    await service.restart()
    expect((await next(token)).refresh_token).toBe(successor.refresh_token)
    await service.clock.advance(31_000)
    await service.restart()
    expectOAuthError(await refresh(service, app, token), 'invalid_grant')
    expectOAuthError(await refresh(service, app, successor.refresh_token), 'invalid_grant')
    expect(await isActive(service, successor.access_token)).toBe(false)
  })

  it('issues no token if many concurrent requests reuse it', async () => {
    const token = await first()
    const successor = await next(token)
    await service.clock.advance(31_000)
    const answers = await atOnce(CONCURRENT, (index) =>
      refresh(service, app, index === CONCURRENT - 1 ? successor.refresh_token : token),
    )
    for (const answer of answers.slice(0, CONCURRENT - 1)) expectOAuthError(answer, 'invalid_grant')
    // Regardless of whether the owner came first, no token stays valid.
    expect(await isActive(service, successor.access_token)).toBe(false)
    const last = answers[CONCURRENT - 1]?.body.refresh_token
    if (last) expectOAuthError(await refresh(service, app, last), 'invalid_grant')
  })

  it('refreshes indefinitely, each successor valid for thirty days', async () => {
    let token = await first()
    for (let turn = 0; turn < 3; turn++) {
      await service.clock.advance(30 * DAY - 5_000)
      token = (await next(token)).refresh_token
    }
    await service.clock.advance(30 * DAY)
    expect(await isActive(service, token)).toBe(false)
    expectOAuthError(await refresh(service, app, token), 'invalid_grant')
    user = await logIn(service, user)
  })

  it('grants at most the granted scopes, and a narrower request leaves the next one unchanged', async () => {
    const token = await first('openid email offline_access')
    expectOAuthError(await narrowed(token, 'openid email profile'), 'invalid_scope')
    expectOAuthError(await narrowed(token, ALL), 'invalid_scope')
    const narrow = await narrowed(token, 'openid')
    expect([narrow.status, narrow.body.scope]).toEqual([200, 'openid'])
    expect(jwtPart(narrow.body.access_token).scope).toBe('openid')
    expect(jwtPart(narrow.body.id_token)).not.toHaveProperty('email')
    const wide = await next(narrow.body.refresh_token)
    expect(words(wide.scope)).toEqual(['email', 'offline_access', 'openid'])
    expect(words(jwtPart(wide.access_token).scope)).toEqual(['email', 'offline_access', 'openid'])
  })

  it('excludes scopes of a later consent', async () => {
    const token = await first('openid offline_access')
    await tokensFor(service, app, user, { scope: ALL })
    expectOAuthError(await narrowed(token, 'openid email'), 'invalid_scope')
    expect(words((await next(token)).scope)).toEqual(['offline_access', 'openid'])
  })

  it('survives a rejected request for more scopes', async () => {
    const token = await first('openid offline_access')
    expectOAuthError(await narrowed(token, 'openid email'), 'invalid_scope')
    await service.clock.advance(31_000)
    await next(token)
  })

  it('survives a rejected request for another resource', async () => {
    const token = await first('openid offline_access')
    const fields = { grant_type: 'refresh_token', refresh_token: token, resource: 'https://other.example' }
    expectOAuthError(await requestTokens(service, app, fields), 'invalid_target')
    await service.clock.advance(31_000)
    await next(token)
  })

  it('results from a code that a rejected request for another resource did not consume', async () => {
    const { code, verifier } = await codeFor(service, app, user, { scope: ALL })
    const fields = {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: app.redirectUri,
    }
    const rejected = await requestTokens(service, app, { ...fields, resource: 'https://other.example' })
    expectOAuthError(rejected, 'invalid_target')
    const { body } = await requestTokens(service, app, fields)
    await next(body.refresh_token)
  })

  it('requires offline_access, and an application with the grant type', async () => {
    const plain = await exchangeCode(service, app, await codeFor(service, app, user, { scope: 'openid email' }))
    expect(plain.body).not.toHaveProperty('refresh_token')
    const single = await registerApp(service, user, { grantTypes: ['authorization_code'] })
    const { status, body } = await exchangeCode(service, single, await codeFor(service, single, user, { scope: ALL }))
    expect([status, words(body.scope)]).toEqual([200, ['email', 'openid', 'profile']])
    expect(body).not.toHaveProperty('refresh_token')
  })

  it('returns an error after the grant type was removed from the application', async () => {
    const other = await registerApp(service, user)
    const { refresh_token: token } = await tokensFor(service, other, user, { scope: ALL })
    await service.api('PUT', `/api/v1/applications/${other.id}`, {
      token: user.token,
      body: { grantTypes: ['authorization_code'] },
    })
    const { status, body } = await refresh(service, other, token)
    expect([status, body.access_token]).toEqual([400, undefined])
  })
})
