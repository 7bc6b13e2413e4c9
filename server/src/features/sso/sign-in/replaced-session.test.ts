import { afterAll, expect, it } from 'vitest'
import { startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import {
  addColleague,
  addUser,
  expectError,
  expectSession,
  logIn as logInUser,
  newEmail,
  PASSWORD,
  registerUser,
} from '../../../../test/factories/factories.js'
import { enrollApp, enrollPasskey } from '../../../../test/factories/factors.js'
import { addSamlSite, answerTo, beginSaml, bring, partsOf, signedXml } from '../../../../test/factories/saml-sso.js'
import { addProvider, beginSignIn, oidcProvider, resultOf, returnFromProvider } from '../../../../test/factories/sso.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService()
const provider = await startScriptedProvider()
afterAll(async () => {
  await service.close()
  await provider.close()
})
const hostile = await registerUser(service)
const id = (await addProvider(service, hostile, oidcProvider(provider, { autoProvision: true }))).id as string
const victim = await registerUser(service)

type Cookies = Record<string, string>
const cookiesOf = ({ cookies }: ApiResponse): Cookies =>
  Object.fromEntries(Object.entries(cookies).flatMap(([name, { value }]) => (value ? [[name, value]] : [])))
const inBrowser = (path: string, cookies: Cookies, body: object = {}) =>
  service.api('POST', `/api/v1/auth/${path}`, { console: true, cookies, body })
const logIn = async (body: object = victim): Promise<Cookies> => {
  const answer = await inBrowser('login', {}, body)
  expect(answer.status, answer.text).toBe(200)
  return cookiesOf(answer)
}
/** Returns from the provider of the hostile team in a browser with these cookies. */
async function arrive(own: Cookies, email = newEmail('planted')): Promise<ApiResponse> {
  const { location, cookies } = await beginSignIn(service, id)
  const callback = provider.authorize(location, { sub: email, email, email_verified: true })
  return returnFromProvider(service, callback, { ...own, ...cookies })
}

it('names both sessions and replaces the one of another account only once the user has confirmed it', async () => {
  const own = await logIn()
  const email = newEmail('planted')
  const answer = await arrive(own, email)
  expect(resultOf(answer)).toEqual({ pending: '1' })
  expect(Object.keys(cookiesOf(answer))).not.toContain('keyward_rt')
  expect(Object.keys(cookiesOf(answer))).not.toContain('keyward_sso')
  expect(answer.cookies.keyward_pending?.attributes).toMatch(/HttpOnly.*SameSite=Strict/)
  const browser = { ...own, ...cookiesOf(answer) }
  const described = await inBrowser('session-replacement', browser)
  expect(described.body).toEqual({
    current: { email: victim.email, team: { id: victim.teamId, name: expect.any(String) } },
    next: { email, team: { id: hostile.teamId, name: expect.any(String) } },
  })
  // Automatic requests of a page replace nothing.
  expect((await inBrowser('refresh', browser)).body.user.email).toBe(victim.email)
  const done = await inBrowser('session-replacement/accept', browser)
  expect([done.status, done.body.user.email, done.body.refreshToken]).toEqual([200, email, undefined])
  expect(done.cookies.keyward_rt?.attributes).toMatch(/SameSite=Strict/)
  expect(done.cookies.keyward_sso?.attributes).toMatch(/SameSite=Lax/)
  expect(done.cookies.keyward_pending?.value).toBe('')
  expect((await inBrowser('refresh', cookiesOf(done))).body.user.email).toBe(email)
  expectError(await inBrowser('session-replacement', own), 400, 'session_replacement_over')
})

it('ends the session of the provider if the user keeps their own', async () => {
  const own = await logIn()
  const browser = { ...own, ...cookiesOf(await arrive(own)) }
  const stored = await inBrowser('session-replacement/reject', browser)
  expect([stored.status, stored.cookies.keyward_pending?.value]).toEqual([200, ''])
  expectError(await inBrowser('session-replacement/accept', browser), 400, 'session_replacement_over')
  expect((await inBrowser('refresh', own)).body.user.email).toBe(victim.email)
})

it('requires the confirmation for another team of the same account, and none for the same team', async () => {
  const member = await registerUser(service)
  await addUser(service, hostile, { email: member.email })
  const elsewhere = await arrive(await logIn(member), member.email)
  expect(resultOf(elsewhere)).toEqual({ pending: '1' })
  const first = await arrive({}, member.email)
  expect(resultOf(first)).toHaveProperty('token')
  const again = await arrive(cookiesOf(first), member.email)
  expect(resultOf(again)).toHaveProperty('token')
  expect(again.cookies.keyward_rt?.value).toBeTruthy()
})

it.each(['app', 'passkey'] as const)('requires the confirmation after a second factor (%s)', async (factor) => {
  const own = await logIn()
  const member = await addColleague(service, hostile)
  const session = await logInUser(service, member)
  const [app, { authenticator }] = [await enrollApp(service, session), await enrollPasskey(service, session)]
  const answerIn = async (browser: Cookies) => {
    const { mfaToken } = resultOf(await arrive(browser, member.email))
    expect(mfaToken).toBeTruthy()
    await service.clock.advance(30_000)
    if (factor === 'app') return inBrowser('mfa/verify-challenge', browser, { mfaToken, code: app.code() })
    const options = await inBrowser('mfa/passkey/challenge/options', browser, { mfaToken })
    return inBrowser('mfa/passkey/challenge/verify', browser, { mfaToken, credential: authenticator.get(options.body) })
  }
  const waiting = await answerIn(own)
  expect([waiting.status, waiting.body]).toEqual([200, { pending: true }])
  expect(Object.keys(cookiesOf(waiting))).toEqual(['keyward_pending'])
  const browser = { ...own, ...cookiesOf(waiting) }
  const described = await inBrowser('session-replacement', browser)
  expect([described.body.current.email, described.body.next.email]).toEqual([victim.email, member.email])
  expect((await inBrowser('refresh', browser)).body.user.email).toBe(victim.email)
  const done = await inBrowser('session-replacement/accept', browser)
  expect([done.status, done.body.user.email]).toEqual([200, member.email])
  // A browser without a session of another account or team gets its session at once.
  const again = await answerIn(cookiesOf(done))
  expect([again.status, again.body.user?.email]).toEqual([200, member.email])
})

it('requires no confirmation after a second factor that follows a password', async () => {
  const own = await logIn()
  const member = await registerUser(service)
  const app = await enrollApp(service, member)
  const { mfaToken } = (await inBrowser('login', own, { email: member.email, password: PASSWORD })).body
  await service.clock.advance(30_000)
  const done = await inBrowser('mfa/verify-challenge', own, { mfaToken, code: app.code() })
  expect([done.status, done.body.user?.email]).toEqual([200, member.email])
})

it('requires no confirmation once the session has ended', async () => {
  const own = await logIn()
  await inBrowser('logout', own)
  const { token } = resultOf(await arrive(own))
  await expectSession(service, token ?? '', 'active')
})

it('rejects a confirmation that another site sends, or that no page of Keyward sends', async () => {
  const own = await logIn()
  const cookies = { ...own, ...cookiesOf(await arrive(own)) }
  const foreign = { 'x-keyward-console': '1', origin: 'https://evil.example' }
  for (const path of ['session-replacement', 'session-replacement/accept', 'session-replacement/reject']) {
    const sent = (headers: Cookies) => service.api('POST', `/api/v1/auth/${path}`, { cookies, headers })
    expectError(await sent(foreign), 403, 'foreign_origin')
    expectError(await sent({}), 400, 'session_replacement_over')
  }
  expect((await inBrowser('session-replacement/accept', cookies)).status).toBe(200)
})

/** Posts a SAML response over http. @param from the headers with which a browser states the origin of the form */
async function bringOnHttp(email: string, from: Cookies): Promise<ApiResponse> {
  const site = await addSamlSite(service, await registerUser(service), { autoProvision: true })
  const { requestId } = await beginSaml(site)
  return bring(site, signedXml(partsOf({ email })), { relayState: requestId, headers: from })
}
const ELSEWHERE = { origin: 'https://idp.example', 'sec-fetch-site': 'cross-site' }

it.each([
  ['names its site', ELSEWHERE],
  ['hides its site', { origin: 'null' }],
])('requires the confirmation for SAML on http if the form %s and brings no cookie', async (_how, from) => {
  const own = await logIn()
  const email = newEmail('planted')
  const answer = await bringOnHttp(email, from)
  expect(resultOf(answer)).toEqual({ pending: '1', token: expect.any(String) })
  expect(Object.keys(cookiesOf(answer))).toEqual(['keyward_pending'])
  const browser = { ...own, ...cookiesOf(answer) }
  const described = await inBrowser('session-replacement', browser)
  expect([described.body.current?.email, described.body.next.email]).toEqual([victim.email, email])
  expect((await inBrowser('session-replacement/reject', browser)).status).toBe(200)
  await expectSession(service, resultOf(answer).token ?? '', 'revoked')
  expect((await inBrowser('refresh', own)).body.user.email).toBe(victim.email)
})

it('names no session to replace for SAML on http in a browser without one, or with one of the same account and team', async () => {
  const email = newEmail('member')
  const first = await bringOnHttp(email, ELSEWHERE)
  const described = await inBrowser('session-replacement', cookiesOf(first))
  expect([described.body.current, described.body.next.email]).toEqual([null, email])
  const done = await inBrowser('session-replacement/accept', cookiesOf(first))
  expect([done.status, done.body.user.email]).toEqual([200, email])
  const own = { ...cookiesOf(done), ...cookiesOf(first) }
  const rotated = { ...own, keyward_pending: `${cookiesOf(done).keyward_rt}.${cookiesOf(done).keyward_sso}` }
  expect((await inBrowser('session-replacement', rotated)).body.current).toBe(null)
})

it.each([
  ['a client that is not a browser', {}],
  ['a form of the same site', { origin: 'http://localhost:4000', 'sec-fetch-site': 'same-site' }],
])('requires no confirmation for SAML on http from %s', async (_what, from) => {
  const answer = await bringOnHttp(newEmail('member'), from)
  expect(resultOf(answer)).toEqual({ token: expect.any(String) })
  expect(Object.keys(cookiesOf(answer)).sort()).toEqual(expect.arrayContaining(['keyward_rt', 'keyward_sso']))
})

it.each(['the service', 'the provider'])(
  'requires the confirmation for SAML on https, started at %s',
  async (where) => {
    await service.restart({ BASE_URL: 'https://id.example.com', ALLOW_PRIVATE_NETWORK: 'true' })
    const owner = await registerUser(service)
    const site = await addSamlSite(service, owner, { autoProvision: true, allowIdpInitiated: true })
    const login = { email: victim.email, password: PASSWORD }
    const headers = { 'x-keyward-console': '1', origin: 'https://id.example.com' }
    const signedIn = await service.api('POST', '/api/v1/auth/login', { body: login, headers })
    const marker = signedIn.cookies['__Host-keyward_browser_session']
    expect(marker?.attributes).toMatch(/HttpOnly.*Secure.*SameSite=None/)
    // The only session cookie that browsers send with a cross-site form.
    const own = { '__Host-keyward_browser_session': marker?.value ?? '' }
    const { cookies, requestId } = await beginSaml(site)
    const begun = where === 'the service'
    if (!begun) answerTo(site, '')
    const unsolicited = { responseTo: '', confirmationTo: '' }
    const xml = signedXml({ ...partsOf({ email: newEmail('planted') }), ...(!begun && unsolicited) })
    const answer = await bring(site, xml, { cookies: { ...own, ...cookies }, ...(begun && { relayState: requestId }) })
    expect(resultOf(answer)).toEqual({ pending: '1' })
    const browser = { ...cookiesOf(signedIn), ...cookiesOf(answer) }
    const sent = { headers, cookies: browser }
    expect((await service.api('POST', '/api/v1/auth/session-replacement/accept', sent)).status).toBe(200)
    await service.restart({ BASE_URL: 'http://localhost:3000' })
  },
)
