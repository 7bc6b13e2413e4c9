import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startLogoutReceiver } from '../../../../test/doubles/logout-receiver.js'
import {
  expectOAuthError,
  isActive,
  jwtPart,
  registerApp,
  type TestApp,
  tokensFor,
  userinfo,
} from '../../../../test/doubles/relying-party.js'
import {
  claimsOf,
  joinTeam,
  logIn,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let listener: Server
let port: number
let answerWith = 200
const heard: { url: string; body: string }[] = []
beforeAll(async () => {
  listener = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      heard.push({ url: request.url ?? '', body })
      if (answerWith === 302) response.setHeader('location', `http://127.0.0.1:${port}/followed`)
      response.writeHead(answerWith).end('a page that is not read')
    })
  })
  await new Promise<void>((resume) => listener.listen(0, '0.0.0.0', resume))
  port = (listener.address() as AddressInfo).port
})
afterAll(() => listener.close())
afterEach(() => {
  heard.length = 0
  answerWith = 200
})

const logOut = (service: TestService, { token }: Pick<TestUser, 'token'>) =>
  service.api('POST', '/api/v1/auth/logout', { token })
const notified = (service: TestService, { id }: TestApp) =>
  service.sql<{ result: string; metadata: Record<string, unknown> }>(
    "SELECT result, metadata FROM audit_entries WHERE action = 'application.logout_told' AND resource = $1 ORDER BY id",
    [`application:${id}`],
  )

describe('an application with back-channel logout', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService({ nodes: 1, env: { ALLOW_PRIVATE_NETWORK: 'true' } })
    user = await registerUser(service)
  })
  afterAll(() => service.close())
  const listening = (path: string) =>
    registerApp(service, user, { backchannelLogoutUri: `http://127.0.0.1:${port}${path}` })

  it('receives one token for each session in which it was used, accepted nowhere else', async () => {
    const app = await listening('/out')
    const session = await logIn(service, user)
    await tokensFor(service, app, session)
    await tokensFor(service, app, session)
    await logOut(service, session)
    await service.settle()
    expect(heard.map(({ url }) => url)).toEqual(['/out'])
    const token = new URLSearchParams(heard[0]?.body).get('logout_token') as string
    expect(jwtPart(token, 0).typ).toBe('logout+jwt')
    expect(jwtPart(token)).toEqual({
      iss: app.issuer,
      sub: user.id,
      aud: app.clientId,
      sid: claimsOf(session.token).sid,
      iat: expect.any(Number),
      exp: expect.any(Number),
      jti: expect.any(String),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    expect(await notified(service, app)).toMatchObject([{ result: 'SUCCESS', metadata: { status: 200 } }])
    expect(await isActive(service, token)).toBe(false)
    expectOAuthError(await userinfo(service, app, token), 'invalid_token', 401)
    expect((await service.api('GET', '/api/v1/auth/me', { token })).status).toBe(401)
    const { status } = await service.api('GET', `${app.idp}/end-session?id_token_hint=${token}`)
    expect(status).toBe(400)
  })

  it('receives no token for a session in which it was not used', async () => {
    const app = await listening('/out')
    const [used, other] = [await logIn(service, user), await logIn(service, user)]
    await tokensFor(service, app, used)
    await logOut(service, other)
    await service.settle()
    expect(heard).toEqual([])
  })

  it.each([
    ['removed', (member: string) => service.api('DELETE', `/api/v1/users/${member}`, { token: user.token })],
    [
      'suspended',
      (member: string) =>
        service.api('PUT', `/api/v1/users/${member}`, { token: user.token, body: { status: 'suspended' } }),
    ],
  ])('receives a token when a member is %s, although the session continues in another team', async (_, act) => {
    user = await logIn(service, user)
    const app = await listening('/left')
    const member = await registerUser(service)
    await joinTeam(service, member, user.teamId)
    const own = await registerApp(service, member, { backchannelLogoutUri: `http://127.0.0.1:${port}/own` })
    const given = await tokensFor(service, app, member)
    await tokensFor(service, app, member)
    const stored = await tokensFor(service, own, member)
    expect((await act(member.id)).status).toBe(200)
    await service.settle()
    expect(heard.map(({ url }) => url)).toEqual(['/left'])
    const token = new URLSearchParams(heard[0]?.body).get('logout_token') as string
    expect(jwtPart(token)).toMatchObject({ sub: member.id, aud: app.clientId, sid: claimsOf(member.token).sid })
    expect(jwtPart(token)).toMatchObject({ sid: jwtPart(given.id_token).sid })
    expect(await isActive(service, given.access_token)).toBe(false)
    expect(await isActive(service, stored.access_token)).toBe(true)
    expect((await service.api('GET', '/api/v1/auth/me', { token: member.token })).status).toBe(200)
  })

  it.each([
    ['left the team', (member: TestUser) => service.api('POST', `/api/v1/organizations/${user.teamId}/leave`, member)],
    [
      'withdrew the consent',
      (member: TestUser, app: TestApp) => service.api('DELETE', `/api/v1/auth/grants/${app.id}`, member),
    ],
  ])('receives a token when a user %s, but not for later sign-outs of that user', async (_, act) => {
    user = await logIn(service, user)
    const app = await listening('/before')
    const member = await registerUser(service)
    await joinTeam(service, member, user.teamId)
    await verifyEmailAddress(service, member)
    await tokensFor(service, app, member)
    expect((await act(member, app)).status).toBeLessThan(300)
    await service.settle()
    expect(heard.map(({ url }) => url)).toEqual(['/before'])
    expect(await notified(service, app)).toHaveLength(1)
    expect((await logOut(service, member)).status).toBe(200)
    await service.settle()
    expect(heard).toHaveLength(1)
    expect(await notified(service, app)).toHaveLength(1)
  })

  it('receives a token for a sign-out after it revoked its own tokens, but not after the user withdrew the consent', async () => {
    user = await logIn(service, user)
    for (const withdraws of [false, true]) {
      heard.length = 0
      const app = await listening('/revoked')
      const session = await logIn(service, user)
      const { refresh_token } = await tokensFor(service, app, session, { scope: 'openid offline_access' })
      await service.api('POST', '/api/v1/oauth/revoke', { body: { token: refresh_token } })
      if (withdraws) await service.api('DELETE', `/api/v1/auth/grants/${app.id}`, { token: session.token })
      await logOut(service, session)
      await service.settle()
      expect(heard.map(({ url }) => url)).toEqual(withdraws ? [] : ['/revoked'])
    }
  })

  it('receives another token after an error, and its redirect is not followed', async () => {
    for (const status of [500, 302]) {
      answerWith = status
      heard.length = 0
      const app = await listening('/out')
      const session = await logIn(service, user)
      await tokensFor(service, app, session)
      expect((await logOut(service, session)).status).toBe(200)
      await service.settle()
      expect(heard.map(({ url }) => url)).toEqual(['/out'])
      expect(await notified(service, app)).toMatchObject([{ result: 'FAILURE', metadata: { status } }])
      answerWith = 204
      await service.clock.advance(3_600_000)
      user = await logIn(service, user)
      await service.settle()
      expect(heard.map(({ url }) => url)).toEqual(['/out', '/out'])
      expect((await notified(service, app)).at(-1)).toMatchObject({ result: 'SUCCESS' })
    }
  })
})

describe('applications that do not respond', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ nodes: 1, env: { ALLOW_PRIVATE_NETWORK: 'true' } })
  })
  afterAll(() => service.close())

  it('delays no notifications of other teams', async () => {
    const hanging = await startLogoutReceiver(...Array<'hang'>(8).fill('hang'))
    const [one, other] = [await registerUser(service), await registerUser(service)]
    for (let n = 0; n < 8; n++)
      await tokensFor(service, await registerApp(service, one, { backchannelLogoutUri: hanging.uri }), one)
    await tokensFor(
      service,
      await registerApp(service, other, { backchannelLogoutUri: `http://127.0.0.1:${port}/other` }),
      other,
    )
    await logOut(service, one)
    await hanging.arrived(2)
    await logOut(service, other)
    await vi.waitFor(() => expect(heard.map(({ url }) => url)).toEqual(['/other']), { timeout: 30_000 })
    expect(hanging.received).toHaveLength(2)
    await hanging.close()
  })

  it('queues at most 10,000 notifications of a team', async () => {
    const user = await registerUser(service)
    const app = await registerApp(service, user, { backchannelLogoutUri: `http://127.0.0.1:${port}/full` })
    await tokensFor(service, app, user)
    await service.sql(
      `INSERT INTO jobs (id, kind, team_id, payload, run_at, attempts, created_at)
       SELECT gen_random_uuid(), 'oidc.session_ended', $1, '{}', $2::timestamptz + interval '1 day', 1, $2 FROM generate_series(1, 10000)`,
      [user.teamId, service.clock.now()],
    )
    const dropped = async () =>
      Number(
        /^keyward_logout_notifications_dropped_total (\d+)$/m.exec((await service.api('GET', '/metrics')).text)?.[1] ??
          Number.NaN,
      )
    const before = await dropped()
    expect((await logOut(service, user)).status).toBe(200)
    expect(await service.sql('SELECT 1 FROM jobs WHERE team_id = $1', [user.teamId])).toHaveLength(10_000)
    // The log shows the team which session its application still considers active.
    const again = await logIn(service, user)
    const { body: log } = await service.api('GET', '/api/v1/audit/logs?action=application.logout_dropped', {
      token: again.token,
    })
    expect(log.data).toEqual([
      expect.objectContaining({
        userId: user.id,
        resource: `application:${app.id}`,
        result: 'FAILURE',
        metadata: { session: claimsOf(user.token).sid, waiting: 10_000 },
      }),
    ])
    expect(await dropped()).toBe(before + 1)
    await service.sql('DELETE FROM jobs WHERE team_id = $1', [user.teamId])
  })
})

describe('without access to private addresses', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService({ nodes: 1, env: { ALLOW_PRIVATE_NETWORK: 'false' } })
    user = await registerUser(service)
  })
  afterAll(() => service.close())

  it.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:7f00:1]', '[::7f00:1]', '[::a9fe:a9fe]', '0.0.0.0'])(
    'sends no notification to %s, and completes the sign-out',
    async (host) => {
      const app = await registerApp(service, user, { backchannelLogoutUri: `http://${host}:${port}/out` })
      const session = await logIn(service, user)
      await tokensFor(service, app, session)
      expect((await logOut(service, session)).status).toBe(200)
      await service.settle()
      expect(heard).toEqual([])
      const [entry] = await notified(service, app)
      expect(entry).toMatchObject({ result: 'FAILURE', metadata: { error: 'the address is not public' } })
    },
  )

  it.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://127.1/',
    'http://0177.0.0.1/',
    'file:///etc/passwd',
    'http://user@127.0.0.1/',
  ])('rejects the registration of %s', async (backchannelLogoutUri) => {
    const { status } = await service.api('POST', '/api/v1/applications', {
      token: user.token,
      body: { name: 'App', type: 'OIDC', backchannelLogoutUri },
    })
    expect(status).toBe(400)
  })
})
