import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorize,
  codeFor,
  exchangeCode,
  jwtPart,
  locationOf,
  registerApp,
  signInBrowser,
  type TestApp,
  tokensFor,
} from '../../../../test/doubles/relying-party.js'
import {
  addUser,
  joinTeam,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let victim: TestUser
let outsider: TestUser
beforeAll(async () => {
  service = await startService()
  victim = await registerUser(service)
  outsider = await registerUser(service)
})
afterAll(() => service.close())

/** Imports a key of the team for an application, and makes it the signing key. */
async function bringKey(app: TestApp, owner: TestUser, kid: string): Promise<KeyObject> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { status, body } = await service.api('POST', `/api/v1/applications/${app.id}/oidc-config/signing-keys`, {
    token: owner.token,
    body: {
      kid,
      algorithm: 'ES256',
      isDefault: true,
      publicKey: publicKey.export({ format: 'pem', type: 'spki' }),
      privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return privateKey
}

function idToken(key: KeyObject, kid: string, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(service.clock.ms() / 1_000)
  const input = `${part({ typ: 'JWT', alg: 'ES256', kid })}.${part({ iat: now, exp: now + 3_600, ...claims })}`
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

const signOut = (app: TestApp, hint: string, cookies: Record<string, string>) =>
  service.api('GET', `${app.idp}/end-session?${new URLSearchParams({ id_token_hint: hint })}`, {
    cookies,
    headers: { accept: 'text/html,*/*' },
  })
const isSignedIn = async (token: string) => (await service.api('GET', '/api/v1/auth/me', { token })).status === 200

describe('an ID token hint at a sign-out', () => {
  it('asks the user if another team signed it with its own key', async () => {
    const app = await registerApp(service, outsider)
    const key = await bringKey(app, outsider, 'own')
    const browser = await signInBrowser(service, victim)
    const hint = idToken(key, 'own', { iss: app.issuer, aud: app.clientId, sub: victim.id })
    expect(locationOf(await signOut(app, hint, browser.cookies)).pathname).toBe('/logout')
    expect(await isSignedIn(browser.token)).toBe(true)
  })

  it('verifies the hint with the key of its own issuer, although another application has a key with the same ID', async () => {
    const [one, two] = [await registerApp(service, victim), await registerApp(service, victim)]
    await bringKey(one, victim, 'main')
    const other = await bringKey(two, victim, 'main')
    const browser = await signInBrowser(service, victim)
    const { body } = await exchangeCode(service, one, await codeFor(service, one, { token: browser.token }))
    expect(jwtPart(body.id_token, 0).kid).toBe('main')

    const forged = idToken(other, 'main', { iss: one.issuer, aud: one.clientId, sub: victim.id })
    expect((await signOut(one, forged, browser.cookies)).status).toBe(400)
    expect(await isSignedIn(browser.token)).toBe(true)
    expect(locationOf(await signOut(one, body.id_token, browser.cookies)).pathname).toBe('/logged-out')
    expect(await isSignedIn(browser.token)).toBe(false)
  })

  it('accepts a hint after a rotation of its key, here and at the authorization endpoint', async () => {
    const owner = await registerUser(service)
    const app = await registerApp(service, owner)
    const browser = await signInBrowser(service, owner)
    const { body } = await exchangeCode(service, app, await codeFor(service, app, { token: browser.token }))
    const { status } = await service.api('POST', '/api/v1/org/signing-keys/rotate', { token: browser.token })
    expect(status).toBeLessThan(300)
    const silent = await authorize(service, app, { prompt: 'none', id_token_hint: body.id_token }, browser.cookies)
    expect(locationOf(silent).searchParams.get('error')).toBeNull()
    expect(locationOf(silent).searchParams.get('code')).toMatch(/./)
    expect(locationOf(await signOut(app, body.id_token, browser.cookies)).pathname).toBe('/logged-out')
  })
})

describe('an ID token of a former session', () => {
  /** A confirmed member of the application's team who is signed in to the application. */
  async function member() {
    const owner = await registerUser(service)
    const app = await registerApp(service, owner)
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    await joinTeam(service, user, owner.teamId)
    const browser = await signInBrowser(service, user)
    const { id_token: hint } = await tokensFor(service, app, browser)
    return { owner, app, user, browser, hint }
  }
  type Member = Awaited<ReturnType<typeof member>>
  const membership = 'WHERE user_id = $1 AND organization_id = $2'

  it.each<[string, (of: Member) => Promise<unknown>]>([
    [
      'left the team',
      ({ owner, browser }) => service.api('POST', `/api/v1/organizations/${owner.teamId}/leave`, browser),
    ],
    ['was removed', ({ owner, user }) => service.api('DELETE', `/api/v1/users/${user.id}`, owner)],
    [
      'was suspended',
      ({ owner, user }) =>
        service.api('PUT', `/api/v1/users/${user.id}`, { token: owner.token, body: { status: 'suspended' } }),
    ],
    ['withdrew the consent', ({ app, browser }) => service.api('DELETE', `/api/v1/auth/grants/${app.id}`, browser)],
    [
      'lost the confirmation of the membership',
      ({ owner, user }) => service.sql(`UPDATE memberships SET counts = false ${membership}`, [user.id, owner.teamId]),
    ],
  ])('asks a user who %s, and ends neither the session nor a later one', async (_, act) => {
    const of = await member()
    const result = (await act(of)) as { status?: number }
    expect(result.status ?? 200).toBeLessThan(300)
    for (const browser of [of.browser, await signInBrowser(service, of.user)]) {
      expect(locationOf(await signOut(of.app, of.hint, browser.cookies)).pathname).toBe('/logout')
      expect(await isSignedIn(browser.token)).toBe(true)
    }
  })

  it('ends no session in which the user has not signed in to the application', async () => {
    const { app, user, hint, browser } = await member()
    const other = await signInBrowser(service, user)
    expect(locationOf(await signOut(app, hint, other.cookies)).pathname).toBe('/logout')
    expect(await isSignedIn(other.token)).toBe(true)
    expect(locationOf(await signOut(app, hint, browser.cookies)).pathname).toBe('/logged-out')
    expect(await isSignedIn(browser.token)).toBe(false)
  })

  it('ends the session after the application revoked its tokens, but not after the user withdrew the consent', async () => {
    for (const withdraws of [false, true]) {
      const { app, browser } = await member()
      const tokens = await tokensFor(service, app, browser, { scope: 'openid offline_access' })
      const before =
        "UPDATE sessions SET ended_at = now(), end_reason = 'revoked' WHERE application_id = $1 AND kind = 'grant'"
      await service.api('POST', '/api/v1/oauth/revoke', { body: { token: tokens.refresh_token } })
      await service.sql(before, [app.id])
      if (withdraws) await service.api('DELETE', `/api/v1/auth/grants/${app.id}`, { token: browser.token })
      await signOut(app, tokens.id_token, browser.cookies)
      expect(await isSignedIn(browser.token)).toBe(withdraws)
    }
  })

  it('ends a session that is restricted to the team of the application', async () => {
    const owner = await registerUser(service)
    const app = await registerApp(service, owner)
    const user = await registerUser(service)
    const temporaryPassword = 'set by the team, not by the user'
    const { id } = await addUser(service, owner, { email: user.email, temporaryPassword })
    await service.api('PUT', `/api/v1/users/${id}`, { token: owner.token, body: { status: 'active' } })
    const body = { email: user.email, password: temporaryPassword, teamId: owner.teamId }
    const { body: session, cookies } = await service.api('POST', '/api/v1/auth/login', { body })
    const { id_token } = await tokensFor(service, app, { token: session.accessToken })
    const answer = await signOut(app, id_token, { keyward_sso: cookies.keyward_sso?.value ?? '' })
    expect(locationOf(answer).pathname).toBe('/logged-out')
    expect(await isSignedIn(session.accessToken)).toBe(false)
  })
})
