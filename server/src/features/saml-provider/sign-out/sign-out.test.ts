import { inflateRawSync } from 'node:zlib'
import { type Profile, SAML } from '@node-saml/node-saml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerApp, signInBrowser, tokensFor } from '../../../../test/doubles/relying-party.js'
import {
  formOf,
  redirectPath,
  startServiceProvider,
  statusesOf,
  type TestServiceProvider,
  verifiedProfile,
} from '../../../../test/doubles/saml-service-provider.js'
import {
  addColleague,
  atOnce,
  expectError,
  expectSession,
  joinTeam,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { newSigningKey } from '../../../../test/peers/saml-peer.js'
import { MINUTE } from '../../../platform/clock.js'
import { buildLogoutRequest, NAME_ID_FORMATS, newId, redirectUrl } from '../../../protocols/saml/index.js'

let service: TestService
let owner: TestUser
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
})
afterAll(() => service.close())

const key = newSigningKey('sp.example')
const HTML = { accept: 'text/html' }
const pem = key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
let count = 0
/** Adds an application with a sign-out URL. */
function startApp({ signs = true, ...fields }: Record<string, unknown> = {}): Promise<TestServiceProvider> {
  const own = `https://sp${++count}.example`
  return startServiceProvider(
    service,
    owner,
    { samlSpSloUrl: `${own}/slo`, ...(signs === true && { samlSpCertificate: key.certificate }), ...fields },
    signs === true
      ? { privateKey: pem, publicCert: key.certificate, signatureAlgorithm: 'sha256', digestAlgorithm: 'sha256' }
      : {},
  )
}

type Session = Awaited<ReturnType<typeof signInBrowser>>
const visit = (path: string, { cookies }: Pick<Session, 'cookies'>) =>
  service.api('GET', path, { cookies, headers: HTML })
const enter = async (app: TestServiceProvider, session: Session): Promise<Profile> =>
  verifiedProfile(app, await visit(await redirectPath(service, app), session))
const pathOf = (url: string): string => url.slice(service.baseUrl.length)
const logoutPath = async ({ saml }: TestServiceProvider, profile: Profile, state = 'back'): Promise<string> =>
  pathOf(await saml.getLogoutUrlAsync(profile, state, {}))
const targetOf = ({ status, headers, text }: ApiResponse): URL => {
  expect(status, text).toBe(302)
  return new URL(headers.get('location') ?? '')
}
/** Returns a message of ours as parsed and verified by the other implementation. */
const heardBy = ({ saml }: TestServiceProvider, { search, searchParams }: URL) =>
  saml.validateRedirectAsync(Object.fromEntries(searchParams), search.slice(1))
/** Returns the XML of a message in a query. */
const messageIn = (url: URL, name: 'SAMLRequest' | 'SAMLResponse'): string =>
  inflateRawSync(Buffer.from(url.searchParams.get(name) ?? '', 'base64')).toString()
const statusIn = async (url: URL): Promise<string[]> => statusesOf(messageIn(url, 'SAMLResponse'))
/** Returns the NameID of a LogoutRequest. */
const namedIn = (url: URL): string | undefined => /<saml:NameID[^>]*>([^<]+)</.exec(messageIn(url, 'SAMLRequest'))?.[1]
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
/** The same application, as it asks for another format of the name. */
const asking = (app: TestServiceProvider, identifierFormat: string): TestServiceProvider => ({
  ...app,
  saml: new SAML({ ...app.saml.options, identifierFormat }),
})
/** Returns a signed request without a Destination. */
async function unaddressed(app: TestServiceProvider, { nameID }: Profile): Promise<string> {
  const request = {
    id: newId(),
    issuer: app.entityId,
    destination: '',
    now: service.clock.ms(),
    nameId: { value: nameID, format: NAME_ID_FORMATS.email },
    sessionIndexes: [],
  }
  const xml = (await buildLogoutRequest(request)).replace(' Destination=""', '')
  const { privateKey } = key
  return pathOf(
    await redirectUrl({ target: `${service.baseUrl}${app.idp}/slo`, parameter: 'SAMLRequest', xml, privateKey }),
  )
}
/** Returns the LogoutResponse of an application to our request. */
async function answerOf(app: TestServiceProvider, url: URL, success = true): Promise<string> {
  const { profile } = await heardBy(app, url)
  const state = url.searchParams.get('RelayState') ?? ''
  return pathOf(await app.saml.getLogoutResponseUrlAsync(profile as Profile, state, {}, success))
}

describe('an application of a team that only added a user', () => {
  const setUp = async (teamOf: 'added' | 'joined') => {
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    await joinTeam(service, user, owner.teamId, { counts: false })
    const session = await signInBrowser(service, user)
    const app = await startApp({ samlAllowIdpInitiated: true })
    const join = () => service.api('POST', `/api/v1/organizations/${owner.teamId}/confirm`, { token: session.token })
    if (teamOf === 'joined') expect((await join()).status).toBe(200)
    return { user, session, app, join }
  }

  it('receives no assertion and no log entry before the user has joined the team on a page that names it', async () => {
    const { user, session, app, join } = await setUp('added')
    for (const path of [`${app.idp}/start`, await redirectPath(service, app)]) {
      const target = targetOf(await visit(path, session))
      expect(target.pathname).toBe('/consent')
      const [, request] = (target.searchParams.get('saml') ?? '').split(':')
      const requested = await service.api('GET', `${app.idp}/requests/${request}`, { token: session.token })
      expect(requested.body).toMatchObject({ confirmationRequired: true, team: { id: owner.teamId } })
      // Only the user's own confirmation grants access.
      expect(targetOf(await visit(`${app.idp}/sso?resume=${request}&returned=true`, session)).pathname).toBe('/consent')
    }
    const logs = await service.api('GET', `/api/v1/audit/logs?userId=${user.id}`, { token: owner.token })
    expect(logs.body.data).toEqual([])
    expect((await join()).status).toBe(200)
    expect((await enter(app, session)).nameID).toBe(user.email)
  })

  it('ends no unrestricted session of a user who has not joined, but that of one who has', async () => {
    for (const teamOf of ['added', 'joined'] as const) {
      const { user, session, app } = await setUp('joined')
      const profile = await enter(app, session)
      if (teamOf === 'added')
        await service.sql('UPDATE memberships SET counts = false WHERE user_id = $1 AND organization_id = $2', [
          user.id,
          owner.teamId,
        ])
      await visit(await logoutPath(app, profile), session)
      const { status } = await service.api('GET', '/api/v1/auth/me', { token: session.token })
      expect({ teamOf, status }).toEqual({ teamOf, status: teamOf === 'added' ? 200 : 401 })
    }
  })
})

describe('an application of a team whose user leaves it', () => {
  async function setUp(fields: Record<string, unknown> = {}) {
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    await joinTeam(service, user, owner.teamId)
    const session = await signInBrowser(service, user)
    const app = await startApp(fields)
    const profile = await enter(app, session)
    return { user, session, app, profile }
  }
  type Left = Awaited<ReturnType<typeof setUp>>
  const membership = 'WHERE user_id = $1 AND organization_id = $2'
  const ways: [string, (of: Left) => Promise<unknown>][] = [
    ['left the team', ({ session }) => service.api('POST', `/api/v1/organizations/${owner.teamId}/leave`, session)],
    ['was removed', ({ user }) => service.api('DELETE', `/api/v1/users/${user.id}`, owner)],
    [
      'was suspended',
      ({ user }) =>
        service.api('PUT', `/api/v1/users/${user.id}`, { token: owner.token, body: { status: 'suspended' } }),
    ],
    [
      'is no longer a confirmed member',
      ({ user }) => service.sql(`UPDATE memberships SET counts = false ${membership}`, [user.id, owner.teamId]),
    ],
  ]

  it.each(ways)('receives no browser in the sign-out of a user who %s', async (_, act) => {
    const of = await setUp()
    const result = (await act(of)) as { status?: number }
    expect(result.status ?? 200).toBeLessThan(300)
    const { status, body } = await service.api('POST', '/api/v1/sso/logout', { token: of.session.token })
    expect({ status, body }).toEqual({ status: 200, body: { redirectTo: null } })
  })

  it.each(ways)('receives no browser when an application of another team signs out a user who %s', async (_, act) => {
    const of = await setUp()
    const elsewhere = await startServiceProvider(
      service,
      of.user,
      { samlSpSloUrl: 'https://own.example/slo', samlSpCertificate: key.certificate },
      { privateKey: pem, publicCert: key.certificate, signatureAlgorithm: 'sha256', digestAlgorithm: 'sha256' },
    )
    const profile = await enter(elsewhere, of.session)
    await act(of)
    const answer = targetOf(await visit(await logoutPath(elsewhere, profile), of.session))
    expect(answer.origin).toBe('https://own.example')
    expect(await statusIn(answer)).toEqual(['Success'])
  })

  it.each(ways)('ends no session of a user who %s, and gets the response for an unknown session', async (_, act) => {
    for (const signs of [true, false]) {
      const of = await setUp({ signs })
      await act(of)
      const seen = []
      for (const visitor of [{ cookies: {} }, of.session, await signInBrowser(service, of.user)]) {
        const answer = await visit(await logoutPath(of.app, of.profile), visitor)
        const target = targetOf(answer)
        seen.push([target.origin + target.pathname, await statusIn(target), answer.cookies])
      }
      expect(seen).toEqual(seen.map(() => [expect.stringMatching(/^https:\/\/sp\d+\.example\/slo$/), ['Success'], {}]))
      await expectSession(service, of.session.token, 'alive')
    }
  })

  it('keeps nothing of the former session when its user returns', async () => {
    const of = await setUp()
    await service.api('POST', `/api/v1/organizations/${owner.teamId}/leave`, of.session)
    await joinTeam(service, of.user, owner.teamId)
    const { body } = await service.api('POST', '/api/v1/sso/logout', { token: of.session.token })
    expect(body).toEqual({ redirectTo: null })
  })
})

describe('a LogoutRequest of an application', () => {
  it('ends the named session everywhere and gets a signed response', async () => {
    const app = await startApp()
    const session = await signInBrowser(service, owner)
    const profile = await enter(app, session)
    const answer = await visit(await logoutPath(app, profile, '/deep?a=1&b=2'), session)
    const url = targetOf(answer)
    expect(url.href).toContain('https://sp')
    expect(url.searchParams.get('RelayState')).toBe('/deep?a=1&b=2')
    expect((await heardBy(app, url)).loggedOut).toBe(true)
    expect(await statusIn(url)).toEqual(['Success'])
    await expectSession(service, session.token, 'ended')
    expect(answer.cookies.keyward_sso?.value).toBe('')
    const entries = await service.sql(
      "SELECT 1 FROM audit_entries WHERE action = 'user.logout' AND metadata->>'application' = $1",
      [app.id],
    )
    expect(entries).toHaveLength(1)
  })

  it('keeps other sessions of the user and of other users', async () => {
    const app = await startApp()
    const [first, second] = [await signInBrowser(service, owner), await signInBrowser(service, owner)]
    const profile = await enter(app, first)
    await enter(app, second)
    await visit(await logoutPath(app, profile), first)
    await expectSession(service, first.token, 'ended')
    await expectSession(service, second.token, 'alive')
  })

  it('gets a success response for an ended session, also repeatedly', async () => {
    const app = await startApp()
    const session = await signInBrowser(service, owner)
    const path = await logoutPath(app, await enter(app, session))
    const answers = await atOnce(5, () => visit(path, session))
    for (const answer of answers) expect(await statusIn(targetOf(answer))).toEqual(['Success'])
  })

  it('ends nothing when it is replayed against a later session', async () => {
    const app = await startApp()
    const first = await signInBrowser(service, owner)
    const { sessionIndex, ...profile } = await enter(app, first)
    const path = await logoutPath(app, profile as Profile)
    await visit(path, first)
    await expectSession(service, first.token, 'ended')
    const second = await signInBrowser(service, owner)
    await enter(app, second)
    expect(await statusIn(targetOf(await visit(path, second)))).toEqual(['Success'])
    await expectSession(service, second.token, 'alive')
  })

  it('ends no session of another team without the cookie, and gets a partial logout', async () => {
    const app = await startApp()
    const [guest, { teamId: home }] = [await addColleague(service, owner), await registerUser(service)]
    const here = await signInBrowser(service, guest)
    const profile = await enter(app, here)
    await service.sql('UPDATE sessions SET organization_id = $1 WHERE sso_hash = sha256($2)', [
      home,
      Buffer.from(here.cookies.keyward_sso ?? ''),
    ])
    const answer = targetOf(await visit(await logoutPath(app, profile), { cookies: {} }))
    expect(await statusIn(answer)).toEqual(['Success', 'PartialLogout'])
    const alive = await service.sql('SELECT 1 FROM sessions WHERE sso_hash = sha256($1) AND ended_at IS NULL', [
      Buffer.from(here.cookies.keyward_sso ?? ''),
    ])
    expect(alive).toHaveLength(1)
  })

  it('visits every other application of the session, and returns to the requesting one', async () => {
    const [asking, second, third] = [await startApp(), await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await enter(asking, session)
    for (const app of [second, third]) await enter(app, session)
    const toSecond = targetOf(await visit(await logoutPath(asking, profile), session))
    await expectSession(service, session.token, 'ended')
    const toThird = targetOf(await visit(await answerOf(second, toSecond), session))
    const back = targetOf(await visit(await answerOf(third, toThird), session))
    expect(back.searchParams.get('RelayState')).toBe('back')
    expect((await heardBy(asking, back)).loggedOut).toBe(true)
    expect(await statusIn(back)).toEqual(['Success'])
  })

  it('continues after an application that fails, and returns a partial logout', async () => {
    const [asking, failing, last] = [await startApp(), await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await enter(asking, session)
    for (const app of [failing, last]) await enter(app, session)
    const toFailing = targetOf(await visit(await logoutPath(asking, profile), session))
    const state = toFailing.searchParams.get('RelayState') ?? ''
    const broken = `${failing.idp}/slo?SAMLResponse=broken&RelayState=${state}`
    const toLast = targetOf(await visit(broken, session))
    const back = targetOf(await visit(await answerOf(last, toLast, false), session))
    expect(await statusIn(back)).toEqual(['Success', 'PartialLogout'])
    // Each token is redeemed once.
    expectError(await service.api('GET', broken), 404, 'saml_request_not_found')
  })

  it('continues after the requesting application was deleted, and ends at our page', async () => {
    const [asking, other] = [await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await enter(asking, session)
    await enter(other, session)
    const toOther = targetOf(await visit(await logoutPath(asking, profile), session))
    await service.api('DELETE', `/api/v1/applications/${asking.id}`, { token: owner.token })
    const page = targetOf(await visit(await answerOf(other, toOther, false), session))
    expect(page.href).toBe(`${service.baseUrl}/logged-out?error=saml_logout_incomplete`)
  })

  it('skips an application that has no sign-out URL any longer', async () => {
    const [asking, gone] = [await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await enter(asking, session)
    await enter(gone, session)
    await service.api('PUT', `/api/v1/applications/${gone.id}`, { token: owner.token, body: { samlSpSloUrl: null } })
    expect(await statusIn(targetOf(await visit(await logoutPath(asking, profile), session)))).toEqual(['Success'])
  })

  it('ends at our page if the requesting application has no sign-out URL', async () => {
    const app = await startApp({ samlSpSloUrl: null })
    const session = await signInBrowser(service, owner)
    const url = targetOf(await visit(await logoutPath(app, await enter(app, session)), session))
    expect(url.pathname).toBe('/logged-out')
    await expectSession(service, session.token, 'ended')
  })
})

describe('a session with two NameIDs at one application', () => {
  /** Signs in with the email address, then with a persistent NameID. */
  async function enterTwice(app: TestServiceProvider, session: Session): Promise<Profile[]> {
    return [await enter(app, session), await enter(asking(app, PERSISTENT), session)]
  }

  it.each([0, 1])('ends with each of them and one SessionIndex (%i)', async (which) => {
    const app = await startApp()
    const session = await signInBrowser(service, owner)
    const profiles = await enterTwice(app, session)
    expect(profiles[0]?.nameID).not.toBe(profiles[1]?.nameID)
    expect(profiles[0]?.sessionIndex).toBe(profiles[1]?.sessionIndex)
    await visit(await logoutPath(app, profiles[which] as Profile), session)
    await expectSession(service, session.token, 'ended')
  })

  it('sends the application both in LogoutRequests that another application starts', async () => {
    const [first, result] = [await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await enter(first, session)
    const names = (await enterTwice(result, session)).map(({ nameID }) => nameID)
    const one = targetOf(await visit(await logoutPath(first, profile), session))
    const two = targetOf(await visit(await answerOf(result, one), session))
    expect([namedIn(one), namedIn(two)]).toEqual(names)
    expect(await statusIn(targetOf(await visit(await answerOf(result, two), session)))).toEqual(['Success'])
  })

  it('stores every NameID of concurrent sign-ins, and one transient NameID', async () => {
    const app = await startApp()
    const session = await signInBrowser(service, owner)
    const formats = [NAME_ID_FORMATS.email, PERSISTENT, NAME_ID_FORMATS.transient]
    const profiles = await atOnce(30, (turn) => enter(asking(app, formats[turn % 3] ?? ''), session))
    const names = new Set(profiles.map(({ nameID }) => nameID))
    expect(names.size).toBe(3)
    expect(new Set(profiles.map(({ sessionIndex }) => sessionIndex)).size).toBe(1)
    const other = await startApp()
    let url = targetOf(await visit(await logoutPath(other, await enter(other, session)), session))
    const result = new Set<string | undefined>()
    for (let hop = 0; hop < 3; hop++) {
      result.add(namedIn(url))
      url = targetOf(await visit(await answerOf(app, url), session))
    }
    expect(result).toEqual(names)
    expect(await statusIn(url)).toEqual(['Success'])
  })
})

describe('a sign-out that starts here', () => {
  const logOut = (session: Session, query = '') =>
    service.api('POST', `/api/v1/sso/logout${query}`, { token: session.token })

  it('visits the applications of the session, and ends at our page', async () => {
    const [first, second, silent] = [await startApp(), await startApp(), await startApp({ samlSpSloUrl: null })]
    const session = await signInBrowser(service, owner)
    const profile = await enter(first, session)
    for (const app of [second, silent]) await enter(app, session)
    const { body } = await logOut(session)
    await expectSession(service, session.token, 'ended')
    const toFirst = new URL(body.redirectTo)
    expect(namedIn(toFirst)).toBe(profile.nameID)
    const toSecond = targetOf(await visit(await answerOf(first, toFirst), session))
    const page = targetOf(await visit(await answerOf(second, toSecond), session))
    expect(page.href).toBe(`${service.baseUrl}/logged-out`)
    // Each token is redeemed once.
    expectError(await service.api('GET', await answerOf(second, toSecond)), 404, 'saml_request_not_found')
  })

  it('continues after an application that does not sign out, and shows that on our page', async () => {
    const [failing, last] = [await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    for (const app of [failing, last]) await enter(app, session)
    const toFailing = new URL((await logOut(session)).body.redirectTo)
    const toLast = targetOf(await visit(await answerOf(failing, toFailing, false), session))
    const page = targetOf(await visit(await answerOf(last, toLast), session))
    expect(page.href).toBe(`${service.baseUrl}/logged-out?error=saml_logout_incomplete`)
  })

  it('ends at the requested page, but not at another site', async () => {
    const app = await startApp()
    const session = await signInBrowser(service, owner)
    await enter(app, session)
    for (const returnTo of ['//evil.example', 'https://evil.example/', '/\\evil.example'])
      expectError(await logOut(session, `?${new URLSearchParams({ returnTo })}`), 400, 'invalid_request')
    await expectSession(service, session.token, 'alive')
    const leave = async (of: Session) =>
      new URL((await logOut(of, `?${new URLSearchParams({ returnTo: '/login?saml=a:b' })}`)).body.redirectTo)
    const page = targetOf(await visit(await answerOf(app, await leave(session)), session))
    expect(page.href).toBe(`${service.baseUrl}/login?saml=a:b`)
    const another = await signInBrowser(service, owner)
    await enter(app, another)
    const result = targetOf(await visit(await answerOf(app, await leave(another), false), another))
    expect(result.href).toBe(`${service.baseUrl}/logged-out?error=saml_logout_incomplete`)
  })

  it('accepts the cookie alone, and returns no URL for a cookie without a session', async () => {
    const app = await startApp()
    const { email, password } = owner
    const { cookies } = await service.api('POST', '/api/v1/auth/login', { body: { email, password }, console: true })
    const stored = Object.fromEntries(Object.entries(cookies).map(([name, { value }]) => [name, value]))
    await verifiedProfile(app, await visit(await redirectPath(service, app), { cookies: stored }))
    const leave = () => service.api('POST', '/api/v1/sso/logout', { cookies: stored, console: true })
    const answer = await leave()
    expect(new URL(answer.body.redirectTo).searchParams.has('SAMLRequest')).toBe(true)
    expect(answer.cookies.keyward_sso?.value).toBe('')
    expect((await leave()).body).toEqual({ redirectTo: null })
  })

  it('returns no URL if no application must be notified: none used, stopped, or without a sign-out URL', async () => {
    const alone = await signInBrowser(service, owner)
    expect((await logOut(alone)).body).toEqual({ redirectTo: null })
    const [stopped, silent] = [await startApp(), await startApp({ samlSpSloUrl: null })]
    const session = await signInBrowser(service, owner)
    for (const app of [stopped, silent]) await enter(app, session)
    await service.api('POST', `/api/v1/applications/${stopped.id}/stop`, { token: owner.token })
    expect((await logOut(session)).body).toEqual({ redirectTo: null })
  })

  it('returns to the OpenID Connect application that started it, after the SAML applications', async () => {
    const saml = await startApp()
    const after = 'https://rp.example/after'
    const oidc = await registerApp(service, owner, { postLogoutRedirectUris: [after] })
    const session = await signInBrowser(service, owner)
    await enter(saml, session)
    const { id_token } = await tokensFor(service, oidc, session)
    const params = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: after, state: 's' })
    const left = await visit(`${oidc.idp}/end-session?${params}`, session)
    await expectSession(service, session.token, 'ended')
    expect(left.cookies.keyward_sso?.value).toBe('')
    const back = targetOf(await visit(await answerOf(saml, targetOf(left), false), session))
    expect(back.href).toBe(`${after}?state=s`)
  })

  it('does the same after the user has confirmed it for an OpenID Connect application', async () => {
    const saml = await startApp()
    const after = 'https://rp.example/after'
    const oidc = await registerApp(service, owner, { postLogoutRedirectUris: [after] })
    const session = await signInBrowser(service, owner)
    await enter(saml, session)
    const params = new URLSearchParams({ client_id: oidc.clientId, post_logout_redirect_uri: after })
    const resume = targetOf(await visit(`${oidc.idp}/end-session?${params}`, session)).searchParams.get('resume')
    const confirm = (token?: string) => service.api('POST', `/api/v1/public/logout/${resume}`, { token })
    expectError(await confirm(), 401, 'unauthorized')
    await expectSession(service, session.token, 'alive')
    const { body } = await confirm(session.token)
    await expectSession(service, session.token, 'ended')
    const back = targetOf(await visit(await answerOf(saml, new URL(body.redirectTo)), session))
    expect(back.href).toBe(after)
    expectError(await confirm(session.token), 404, 'logout_not_found')
  })
})

describe('an unsigned LogoutRequest', () => {
  /** Sends an unsigned request in the browser; returns the ID for the confirmation page. */
  async function ask(app: TestServiceProvider, session: Session, profile: Profile): Promise<string> {
    const page = targetOf(await visit(await logoutPath(app, profile), session))
    expect(page.origin + page.pathname).toBe(`${service.baseUrl}/logout`)
    return page.searchParams.get('resume') ?? ''
  }
  const pending = (resume: string) => service.api('GET', `/api/v1/public/logout/${resume}`)
  const confirm = (resume: string, { token }: Session) =>
    service.api('POST', `/api/v1/public/logout/${resume}`, { token })

  it('ends nothing before the user confirms it, and then only the session of that browser', async () => {
    const app = await startApp({ signs: false })
    const [own, other] = [await signInBrowser(service, owner), await signInBrowser(service, owner)]
    const { sessionIndex: _, ...profile } = await enter(app, own)
    await enter(app, other)
    const resume = await ask(app, own, profile as Profile)
    await expectSession(service, own.token, 'alive')
    const { body: requested } = await pending(resume)
    expect(requested.application).toEqual({ id: expect.any(String), name: 'Payroll', logoUrl: null })
    const { body } = await confirm(resume, own)
    expect(body.redirectTo).toBe(requested.redirectTo)
    await expectSession(service, own.token, 'ended')
    const back = targetOf(await visit(pathOf(body.redirectTo), own))
    expect(back.searchParams.get('RelayState')).toBe('back')
    expect((await heardBy(app, back)).loggedOut).toBe(true)
    expect(await statusIn(back)).toEqual(['Success'])
    await expectSession(service, other.token, 'alive')
    expectError(await service.api('GET', pathOf(body.redirectTo)), 404, 'saml_request_not_found')
    const entries = await service.sql(
      "SELECT 1 FROM audit_entries WHERE action = 'user.logout' AND metadata->>'application' = $1",
      [app.id],
    )
    expect(entries).toHaveLength(1)
  })

  it('visits the other applications once it is confirmed', async () => {
    const [app, other] = [await startApp({ signs: false }), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await enter(app, session)
    await enter(other, session)
    const { body } = await confirm(await ask(app, session, profile), session)
    const toOther = targetOf(await visit(pathOf(body.redirectTo), session))
    expect(namedIn(toOther)).toBe(owner.email)
    const back = targetOf(await visit(await answerOf(other, toOther, false), session))
    expect(await statusIn(back)).toEqual(['Success', 'PartialLogout'])
  })

  it('gets a denied response if the browser resumes it without confirmation', async () => {
    const app = await startApp({ signs: false })
    const session = await signInBrowser(service, owner)
    const { body } = await pending(await ask(app, session, await enter(app, session)))
    const other = await startApp({ signs: false })
    const astray = pathOf(body.redirectTo).replace(app.id, other.id)
    expectError(await service.api('GET', astray), 404, 'saml_request_not_found')
    const denied = targetOf(await visit(pathOf(body.redirectTo), session))
    expect(await statusIn(denied)).toEqual(['Responder', 'RequestDenied'])
    await expectSession(service, session.token, 'alive')
  })

  it('needs no confirmation if it would end nothing: without a session, or with another NameID', async () => {
    const app = await startApp({ signs: false })
    const [own, other] = [await signInBrowser(service, owner), await signInBrowser(service, owner)]
    const path = await logoutPath(app, await enter(app, own))
    for (const elsewhere of [{ cookies: {} }, other])
      expect(await statusIn(targetOf(await visit(path, elsewhere)))).toEqual(['Success'])
    await expectSession(service, own.token, 'alive')
  })

  it('gets a denied response over the POST binding, without a cookie', async () => {
    const app = await startApp({ signs: false })
    const session = await signInBrowser(service, owner)
    const url = new URL(`${service.baseUrl}${await logoutPath(app, await enter(app, session))}`)
    const SAMLRequest = Buffer.from(messageIn(url, 'SAMLRequest')).toString('base64')
    const answer = await service.api('POST', `${app.idp}/slo`, {
      raw: new URLSearchParams({ SAMLRequest, RelayState: 'x' }).toString(),
      headers: { ...HTML, 'content-type': 'application/x-www-form-urlencoded' },
    })
    const { fields, action } = formOf(answer)
    expect(action).toMatch(/\/slo$/)
    expect(fields.RelayState).toBe('x')
    expect(statusesOf(Buffer.from(fields.SAMLResponse ?? '', 'base64').toString())).toEqual([
      'Responder',
      'RequestDenied',
    ])
    await expectSession(service, session.token, 'alive')
  })
})

describe('an invalid LogoutRequest', () => {
  it('ends nothing for a NameID that the application never received', async () => {
    const [app, other] = [await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await enter(app, session)
    // Signed with the right key, for a user who never signed in to the application.
    await visit(await logoutPath(other, profile), session)
    await expectSession(service, session.token, 'alive')
  })

  it('rejects a missing signature, an altered or old request, and another application', async () => {
    const [app, other] = [await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await enter(app, session)
    const path = await logoutPath(app, profile)
    for (const bad of [
      path.replace(/&(SigAlg|Signature)=[^&]*/g, ''),
      path.replace('RelayState=back', 'RelayState=elsewhere'),
      path.replace(app.id, other.id),
      await unaddressed(app, profile),
      `${app.idp}/slo`,
      `${app.idp}/slo?SAMLRequest=x`,
    ])
      expectError(await service.api('GET', bad, { cookies: session.cookies }), 400, 'saml_request_invalid')
    await service.clock.advance(10 * MINUTE)
    expectError(await service.api('GET', path, { cookies: session.cookies }), 400, 'saml_request_invalid')
    expectError(await service.api('GET', `${app.idp}/slo?SAMLResponse=x`), 404, 'saml_request_not_found')
    const left = await service.sql(
      "SELECT 1 FROM sessions WHERE user_id = $1 AND end_reason = 'logout' AND sso_hash = sha256($2)",
      [owner.id, Buffer.from(session.cookies.keyward_sso ?? '')],
    )
    expect(left).toEqual([])
  })
})
