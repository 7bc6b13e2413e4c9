import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type LogoutReceiver,
  type Reaction,
  type ReceivedLogout,
  startLogoutReceiver,
} from '../../../../test/doubles/logout-receiver.js'
import {
  authorizePath,
  jwtPart,
  locationOf,
  registerApp,
  type TestApp,
} from '../../../../test/doubles/relying-party.js'
import { logIn, registerUser, requestToken, type TestUser } from '../../../../test/factories/factories.js'
import { type Browser, openBrowser } from '../../../../test/harness/browser.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { expectErrorAt, type Flow, flow, metadataOf, pathOf, verifyJwt } from '../../../../test/peers/conformance.js'

/** OIDCCBackchannelRpInitiatedLogoutTestPlan of the conformance suite, and every other way to end a session. */
let service: TestService
const receivers: LogoutReceiver[] = []

const AFTER_LOGOUT = 'https://rp.example/signed-out'
const NEW_PASSWORD = 'an entirely different passphrase'

beforeAll(async () => {
  service = await startService()
})
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
})
afterAll(() => service.close())

interface Notified extends LogoutReceiver {
  app: TestApp
}

/** Creates an application of the user's team with back-channel logout. */
async function notifiedApp(user: TestUser, ...reactions: Reaction[]): Promise<Notified> {
  const receiver = await startLogoutReceiver(...reactions)
  receivers.push(receiver)
  const app = await registerApp(service, user, {
    postLogoutRedirectUris: [AFTER_LOGOUT],
    backchannelLogoutUri: receiver.uri,
  })
  return Object.assign(receiver, { app })
}

/** Creates a user and an application to which the user has signed in. */
async function signedIn(...reactions: Reaction[]) {
  const user = await registerUser(service)
  const notified = await notifiedApp(user, ...reactions)
  const browser = openBrowser(service, user)
  return { user, notified, app: notified.app, browser, session: await flow(service, browser, notified.app) }
}

const tokenIn = ({ form }: ReceivedLogout): string => form.get('logout_token') as string

/** Verifies a logout token (OpenID Connect Back-Channel Logout 2.4, 2.5). */
async function expectLogoutToken(
  app: TestApp,
  received: ReceivedLogout | undefined,
  { claims: { sub, sid } }: Pick<Flow, 'claims'>,
): Promise<void> {
  if (!received) throw new Error('nothing was received')
  expect(received.method).toBe('POST')
  expect(received.contentType).toBe('application/x-www-form-urlencoded')
  expect([...received.form.keys()]).toEqual(['logout_token'])
  const claims = await verifyJwt(service, app, tokenIn(received), 'logout+jwt', received.at)
  expect(claims).toEqual({
    iss: app.issuer,
    aud: app.clientId,
    sub,
    sid,
    iat: expect.any(Number),
    exp: expect.any(Number),
    jti: expect.stringMatching(/./),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  })
  const now = Math.floor(received.at.getTime() / 1_000)
  expect(claims.iat).toBeLessThanOrEqual(now)
  expect(claims.iat).toBeGreaterThan(now - 60)
  // The specification recommends a lifetime of at most two minutes.
  expect(claims.exp).toBeGreaterThan(now)
  expect(claims.exp - claims.iat).toBeLessThanOrEqual(120)
}

/** Requests the sign-out like a relying party. */
const endSession = async (browser: Browser, app: TestApp, { tokens }: Flow, state: string) => {
  const { end_session_endpoint } = await metadataOf(service, app)
  const params = { id_token_hint: tokens.id_token, post_logout_redirect_uri: AFTER_LOGOUT, state }
  return browser.visit(`${pathOf(service, end_session_endpoint)}?${new URLSearchParams(params)}`)
}

it('oidcc-backchannel-logout-discovery-endpoint-verification: advertises back-channel logout with the session ID, and the end-session endpoint', async () => {
  const { app } = await signedIn()
  expect(await metadataOf(service, app)).toMatchObject({
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    end_session_endpoint: `${app.issuer}/end-session`,
  })
})

describe('back-channel logout', () => {
  it('oidcc-backchannel-rp-initiated-logout: sends one signed logout token with the user and session of the ID token; redirects with the state and ends the session', async () => {
    const { app, browser, session, notified } = await signedIn()
    const state = randomBytes(64).toString('hex')
    const before = { ...browser.cookies }
    const answer = await endSession(browser, app, session, state)
    expect(answer.headers.get('location')).toBe(`${AFTER_LOGOUT}?state=${state}`)
    await service.settle()
    expect(notified.received).toHaveLength(1)
    await expectLogoutToken(app, notified.received[0], session)
    const silent = await service.api('GET', authorizePath(app, { prompt: 'none' }), { cookies: before })
    expectErrorAt(locationOf(silent), app, 'login_required')
  })

  it.each<[string, (user: TestUser, browser: Browser, sid: string) => Promise<{ status: number }>]>([
    ['signs out on the pages of Keyward', (_, browser) => browser.call('POST', '/api/v1/auth/logout')],
    [
      'changes the password in another session',
      async (user) => {
        const { token } = await logIn(service, user)
        const body = { currentPassword: user.password, newPassword: NEW_PASSWORD }
        return service.api('POST', '/api/v1/auth/change-password', { token, body })
      },
    ],
    [
      'sets a new password by the mailed link',
      async (user) => {
        const token = await requestToken(service, 'password_reset', user.email)
        const body = { token, newPassword: NEW_PASSWORD }
        return service.api('POST', '/api/v1/auth/reset-password', { body })
      },
    ],
    [
      'ends that session in the list of sessions',
      async (user, _, sid) => {
        const { token } = await logIn(service, user)
        return service.api('DELETE', `/api/v1/auth/sessions/${sid}`, { token })
      },
    ],
    [
      'ends all other sessions',
      async (user) => {
        const { token } = await logIn(service, user)
        return service.api('DELETE', '/api/v1/auth/sessions', { token })
      },
    ],
  ])('sends one token when the user %s', async (_, end) => {
    const { app, browser, session, notified, user } = await signedIn()
    expect((await end(user, browser, session.claims.sid)).status).toBe(200)
    await service.settle()
    expect(notified.received).toHaveLength(1)
    await expectLogoutToken(app, notified.received[0], session)
  })

  it('sends no token to the session in which the user changes the password', async () => {
    const { browser, notified, user } = await signedIn()
    const body = { currentPassword: user.password, newPassword: NEW_PASSWORD }
    expect((await browser.call('POST', '/api/v1/auth/change-password', body)).status).toBe(200)
    await service.settle()
    expect(notified.received).toEqual([])
  })

  it('sends a token with offline_access too, while the grant remains valid', async () => {
    const { browser, notified, app } = await signedIn()
    const offline = await flow(service, browser, app, { scope: 'openid offline_access' })
    await browser.call('POST', '/api/v1/auth/logout')
    await service.settle()
    expect(notified.received).toHaveLength(1)
    await expectLogoutToken(app, notified.received[0], offline)
  })

  it('sends one token for each session and application, and none for other sessions or unused applications', async () => {
    const { app, browser, session, notified, user } = await signedIn()
    for (const prompt of ['login', 'none', 'consent']) await flow(service, browser, app, { prompt })
    const second = await notifiedApp(user)
    const inSecond = await flow(service, browser, second.app)
    const unused = await notifiedApp(user)
    const elsewhere = openBrowser(service, user)
    const otherSession = await flow(service, elsewhere, app)
    expect(otherSession.claims.sid).not.toBe(session.claims.sid)

    await endSession(browser, app, session, 'once')
    await endSession(browser, app, session, 'and again')
    await service.settle()
    expect(notified.received).toHaveLength(1)
    await expectLogoutToken(app, notified.received[0], session)
    expect(second.received).toHaveLength(1)
    await expectLogoutToken(second.app, second.received[0], inSecond)
    expect(unused.received).toEqual([])
    const ids = [notified, second].map(({ received: [first] }) => jwtPart(tokenIn(first as ReceivedLogout)).jti)
    expect(new Set(ids).size).toBe(2)

    await elsewhere.call('POST', '/api/v1/auth/logout')
    await service.settle()
    expect(notified.received).toHaveLength(2)
    await expectLogoutToken(app, notified.received[1], otherSession)
    expect(second.received).toHaveLength(1)
  })
})

describe('an application that does not confirm the logout token', () => {
  /** Longer than the longest pause between two attempts. */
  const later = async () => {
    await service.clock.advance(3_601_000)
    await service.settle()
  }

  it('receives further valid tokens until it returns 200, after an error, a cut connection or a redirect', async () => {
    const { app, browser, session, notified } = await signedIn(500, 'cut', 302, 400)
    expect((await browser.call('POST', '/api/v1/auth/logout')).status).toBe(200)
    await service.settle()
    for (let attempt = 0; attempt < 6; attempt++) await later()
    expect(notified.received).toHaveLength(5)
    for (const received of notified.received) await expectLogoutToken(app, received, session)
    expect(new Set(notified.received.map((received) => jwtPart(tokenIn(received)).jti)).size).toBe(5)
    const results = await service.sql(
      `SELECT result FROM audit_entries WHERE action = 'application.logout_told' AND resource = $1 ORDER BY created_at, id`,
      [`application:${app.id}`],
    )
    expect(results.map(({ result }) => result)).toEqual([...Array(4).fill('FAILURE'), 'SUCCESS'])
  })

  it('receives no more tokens after a number of attempts', async () => {
    const { browser, notified } = await signedIn(...Array<Reaction>(100).fill(503))
    await browser.call('POST', '/api/v1/auth/logout')
    await service.settle()
    for (let attempt = 0; attempt < 12; attempt++) await later()
    expect(notified.received).toHaveLength(9)
  })

  it('delays neither the sign-out nor other applications, and is notified again', async () => {
    const { app, browser, session, notified: hanging, user } = await signedIn('hang')
    const prompt = await notifiedApp(user)
    const other = openBrowser(service, user)
    const otherSession = await flow(service, other, prompt.app)

    const answer = await endSession(browser, app, session, 'hanging')
    expect(answer.headers.get('location')).toBe(`${AFTER_LOGOUT}?state=hanging`)
    await hanging.arrived(1)
    expect(hanging.hanging).toBe(1)
    expect((await other.call('POST', '/api/v1/auth/logout')).status).toBe(200)
    await prompt.arrived(1)
    expect(hanging.hanging).toBe(1)
    await expectLogoutToken(prompt.app, prompt.received[0], otherSession)

    hanging.cutHanging()
    await service.settle()
    await later()
    expect(hanging.received).toHaveLength(2)
    await expectLogoutToken(app, hanging.received[1], session)
    expect(prompt.received).toHaveLength(1)
  })

  it('receives no token once its URI is removed', async () => {
    const { app, browser, notified, user } = await signedIn(...Array<Reaction>(100).fill(503))
    await browser.call('POST', '/api/v1/auth/logout')
    await service.settle()
    const { token } = await logIn(service, user)
    const body = { backchannelLogoutUri: null }
    expect((await service.api('PUT', `/api/v1/applications/${app.id}`, { token, body })).status).toBe(200)
    const before = notified.received.length
    await later()
    expect(notified.received).toHaveLength(before)
  })
})
