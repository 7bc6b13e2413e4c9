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
import { LONG } from '../../../../test/harness/some-of.js'
import { SERVER_URL } from '../../../../test/harness/test-database.js'
import { newSigningKey } from '../../../../test/peers/saml-peer.js'
import { MINUTE } from '../../../platform/clock.js'
import {
  buildLogoutRequest,
  buildLogoutResponse,
  NAME_ID_FORMATS,
  newId,
  redirectUrl,
  STATUS_CODES,
} from '../../../protocols/saml/index.js'

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
/** Registers an application with a single logout URL. @param signsRequests whether it signs its LogoutRequests */
function startApp({ signsRequests = true, ...fields }: Record<string, unknown> = {}): Promise<TestServiceProvider> {
  const origin = `https://sp${++count}.example`
  return startServiceProvider(
    service,
    owner,
    { samlSpSloUrl: `${origin}/slo`, ...(signsRequests === true && { samlSpCertificate: key.certificate }), ...fields },
    signsRequests === true
      ? { privateKey: pem, publicCert: key.certificate, signatureAlgorithm: 'sha256', digestAlgorithm: 'sha256' }
      : {},
  )
}

type Session = Awaited<ReturnType<typeof signInBrowser>>
const visit = (path: string, { cookies }: Pick<Session, 'cookies'>) =>
  service.api('GET', path, { cookies, headers: HTML })
const signInTo = async (app: TestServiceProvider, session: Session): Promise<Profile> =>
  verifiedProfile(app, await visit(await redirectPath(service, app), session))
const pathOf = (url: string): string => url.slice(service.baseUrl.length)
const logoutPath = async ({ saml }: TestServiceProvider, profile: Profile, state = 'back'): Promise<string> =>
  pathOf(await saml.getLogoutUrlAsync(profile, state, {}))
const redirectOf = ({ status, headers, text }: ApiResponse): URL => {
  expect(status, text).toBe(302)
  return new URL(headers.get('location') ?? '')
}
/** Returns a message of Keyward after the service provider (node-saml) has parsed and verified it. */
const verifiedBy = ({ saml }: TestServiceProvider, { search, searchParams }: URL) =>
  saml.validateRedirectAsync(Object.fromEntries(searchParams), search.slice(1))
/** Returns the XML of the SAML message in the query of a URL. */
const xmlIn = (url: URL, name: 'SAMLRequest' | 'SAMLResponse'): string =>
  inflateRawSync(Buffer.from(url.searchParams.get(name) ?? '', 'base64')).toString()
const statusIn = async (url: URL): Promise<string[]> => statusesOf(xmlIn(url, 'SAMLResponse'))
/** Returns the NameID in a LogoutRequest. */
const nameIdIn = (url: URL): string | undefined => /<saml:NameID[^>]*>([^<]+)</.exec(xmlIn(url, 'SAMLRequest'))?.[1]
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
/** Returns the same application with requests for another NameID format. */
const withNameIdFormat = (app: TestServiceProvider, identifierFormat: string): TestServiceProvider => ({
  ...app,
  saml: new SAML({ ...app.saml.options, identifierFormat }),
})
/** Returns the path of a signed LogoutRequest that has no `Destination`. */
async function withoutDestination(app: TestServiceProvider, { nameID }: Profile): Promise<string> {
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
/** Returns the path of the LogoutResponse with which an application replies to a LogoutRequest of Keyward. */
async function logoutResponseOf(app: TestServiceProvider, url: URL, success = true): Promise<string> {
  const { profile } = await verifiedBy(app, url)
  const state = url.searchParams.get('RelayState') ?? ''
  return pathOf(await app.saml.getLogoutResponseUrlAsync(profile as Profile, state, {}, success))
}

describe('an application of a team that added a user, who has not joined it', () => {
  const setUp = async (state: 'added' | 'joined') => {
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    await joinTeam(service, user, owner.teamId, { counts: false })
    const session = await signInBrowser(service, user)
    const app = await startApp({ samlAllowIdpInitiated: true })
    const join = () => service.api('POST', `/api/v1/organizations/${owner.teamId}/confirm`, { token: session.token })
    if (state === 'joined') expect((await join()).status).toBe(200)
    return { user, session, app, join }
  }

  it('receives no assertion, and its team no audit entry, before the user joins the team on the consent page', async () => {
    const { user, session, app, join } = await setUp('added')
    for (const path of [`${app.idp}/start`, await redirectPath(service, app)]) {
      const target = redirectOf(await visit(path, session))
      expect(target.pathname).toBe('/consent')
      const [, request] = (target.searchParams.get('saml') ?? '').split(':')
      const requested = await service.api('GET', `${app.idp}/requests/${request}`, { token: session.token })
      expect(requested.body).toMatchObject({ confirmationRequired: true, team: { id: owner.teamId } })
      // Only the user's own confirmation grants access.
      expect(redirectOf(await visit(`${app.idp}/sso?resume=${request}&returned=true`, session)).pathname).toBe(
        '/consent',
      )
    }
    const logs = await service.api('GET', `/api/v1/audit/logs?userId=${user.id}`, { token: owner.token })
    expect(logs.body.data).toEqual([])
    expect((await join()).status).toBe(200)
    expect((await signInTo(app, session)).nameID).toBe(user.email)
  })

  it('ends an unrestricted session only if its user has joined the team', async () => {
    for (const state of ['added', 'joined'] as const) {
      const { user, session, app } = await setUp('joined')
      const profile = await signInTo(app, session)
      if (state === 'added')
        await service.sql('UPDATE memberships SET counts = false WHERE user_id = $1 AND organization_id = $2', [
          user.id,
          owner.teamId,
        ])
      await visit(await logoutPath(app, profile), session)
      const { status } = await service.api('GET', '/api/v1/auth/me', { token: session.token })
      expect({ state, status }).toEqual({ state, status: state === 'added' ? 200 : 401 })
    }
  })
})

describe('an application of a team that its user has left', () => {
  async function setUp(fields: Record<string, unknown> = {}) {
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    await joinTeam(service, user, owner.teamId)
    const session = await signInBrowser(service, user)
    const app = await startApp(fields)
    const profile = await signInTo(app, session)
    return { user, session, app, profile }
  }
  type SignedIn = Awaited<ReturnType<typeof setUp>>
  const membership = 'WHERE user_id = $1 AND organization_id = $2'
  const departures: [string, (signedIn: SignedIn) => Promise<unknown>][] = [
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

  it.each(departures)('receives no LogoutRequest when a user signs out who %s', async (_, depart) => {
    const signedIn = await setUp()
    const result = (await depart(signedIn)) as { status?: number }
    expect(result.status ?? 200).toBeLessThan(300)
    const { status, body } = await service.api('POST', '/api/v1/sso/logout', { token: signedIn.session.token })
    expect({ status, body }).toEqual({ status: 200, body: { redirectTo: null } })
  })

  it.each(departures)(
    'receives no LogoutRequest when an application of another team signs out a user who %s',
    async (_, depart) => {
      const signedIn = await setUp()
      const otherTeamsApp = await startServiceProvider(
        service,
        signedIn.user,
        { samlSpSloUrl: 'https://own.example/slo', samlSpCertificate: key.certificate },
        { privateKey: pem, publicCert: key.certificate, signatureAlgorithm: 'sha256', digestAlgorithm: 'sha256' },
      )
      const profile = await signInTo(otherTeamsApp, signedIn.session)
      await depart(signedIn)
      const response = redirectOf(await visit(await logoutPath(otherTeamsApp, profile), signedIn.session))
      expect(response.origin).toBe('https://own.example')
      expect(await statusIn(response)).toEqual(['Success'])
    },
  )

  it.each(departures)(
    'ends no session of a user who %s, and receives the response for an unknown session',
    async (_, depart) => {
      for (const signsRequests of [true, false]) {
        const signedIn = await setUp({ signsRequests })
        await depart(signedIn)
        const responses = []
        for (const browser of [{ cookies: {} }, signedIn.session, await signInBrowser(service, signedIn.user)]) {
          const response = await visit(await logoutPath(signedIn.app, signedIn.profile), browser)
          const target = redirectOf(response)
          responses.push([target.origin + target.pathname, await statusIn(target), response.cookies])
        }
        expect(responses).toEqual(
          responses.map(() => [expect.stringMatching(/^https:\/\/sp\d+\.example\/slo$/), ['Success'], {}]),
        )
        await expectSession(service, signedIn.session.token, 'active')
      }
    },
  )

  it('receives no LogoutRequest for a session from before the user left and joined again', async () => {
    const signedIn = await setUp()
    await service.api('POST', `/api/v1/organizations/${owner.teamId}/leave`, signedIn.session)
    await joinTeam(service, signedIn.user, owner.teamId)
    const { body } = await service.api('POST', '/api/v1/sso/logout', { token: signedIn.session.token })
    expect(body).toEqual({ redirectTo: null })
  })
})

describe('a LogoutRequest of an application', () => {
  it('ends the named session on every node and gets a signed response', async () => {
    const app = await startApp()
    const session = await signInBrowser(service, owner)
    const profile = await signInTo(app, session)
    const response = await visit(await logoutPath(app, profile, '/deep?a=1&b=2'), session)
    const url = redirectOf(response)
    expect(url.href).toContain('https://sp')
    expect(url.searchParams.get('RelayState')).toBe('/deep?a=1&b=2')
    expect((await verifiedBy(app, url)).loggedOut).toBe(true)
    expect(await statusIn(url)).toEqual(['Success'])
    await expectSession(service, session.token, 'revoked')
    expect(response.cookies.keyward_sso?.value).toBe('')
    const entries = await service.sql(
      "SELECT 1 FROM audit_entries WHERE action = 'user.logout' AND metadata->>'application' = $1",
      [app.id],
    )
    expect(entries).toHaveLength(1)
  })

  it('leaves another session of the same user active', async () => {
    const app = await startApp()
    const [first, second] = [await signInBrowser(service, owner), await signInBrowser(service, owner)]
    const profile = await signInTo(app, first)
    await signInTo(app, second)
    await visit(await logoutPath(app, profile), first)
    await expectSession(service, first.token, 'revoked')
    await expectSession(service, second.token, 'active')
  })

  it('gets a success response for a session that has already ended, and for each repetition', async () => {
    const app = await startApp()
    const session = await signInBrowser(service, owner)
    const path = await logoutPath(app, await signInTo(app, session))
    const responses = await atOnce(5, () => visit(path, session))
    for (const response of responses) expect(await statusIn(redirectOf(response))).toEqual(['Success'])
  })

  it('ends no later session when it is replayed', async () => {
    const app = await startApp()
    const first = await signInBrowser(service, owner)
    const { sessionIndex, ...profile } = await signInTo(app, first)
    const path = await logoutPath(app, profile as Profile)
    await visit(path, first)
    await expectSession(service, first.token, 'revoked')
    const second = await signInBrowser(service, owner)
    await signInTo(app, second)
    expect(await statusIn(redirectOf(await visit(path, second)))).toEqual(['Success'])
    await expectSession(service, second.token, 'active')
  })

  it('ends no session that has switched to another team without its cookie, and gets PartialLogout', async () => {
    const app = await startApp()
    const [member, { teamId: otherTeamId }] = [await addColleague(service, owner), await registerUser(service)]
    const session = await signInBrowser(service, member)
    const profile = await signInTo(app, session)
    await service.sql('UPDATE sessions SET organization_id = $1 WHERE sso_hash = sha256($2)', [
      otherTeamId,
      Buffer.from(session.cookies.keyward_sso ?? ''),
    ])
    const response = redirectOf(await visit(await logoutPath(app, profile), { cookies: {} }))
    expect(await statusIn(response)).toEqual(['Success', 'PartialLogout'])
    const active = await service.sql('SELECT 1 FROM sessions WHERE sso_hash = sha256($1) AND ended_at IS NULL', [
      Buffer.from(session.cookies.keyward_sso ?? ''),
    ])
    expect(active).toHaveLength(1)
  })

  it('redirects the browser to every other application of the session, then back to the requesting one', async () => {
    const [requester, second, third] = [await startApp(), await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await signInTo(requester, session)
    for (const app of [second, third]) await signInTo(app, session)
    const toSecond = redirectOf(await visit(await logoutPath(requester, profile), session))
    await expectSession(service, session.token, 'revoked')
    const toThird = redirectOf(await visit(await logoutResponseOf(second, toSecond), session))
    const back = redirectOf(await visit(await logoutResponseOf(third, toThird), session))
    expect(back.searchParams.get('RelayState')).toBe('back')
    expect((await verifiedBy(requester, back)).loggedOut).toBe(true)
    expect(await statusIn(back)).toEqual(['Success'])
  })

  it('continues after an application fails, and returns PartialLogout', async () => {
    const [requester, failing, last] = [await startApp(), await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await signInTo(requester, session)
    for (const app of [failing, last]) await signInTo(app, session)
    const toFailing = redirectOf(await visit(await logoutPath(requester, profile), session))
    const state = toFailing.searchParams.get('RelayState') ?? ''
    const broken = `${failing.idp}/slo?SAMLResponse=broken&RelayState=${state}`
    const toLast = redirectOf(await visit(broken, session))
    const back = redirectOf(await visit(await logoutResponseOf(last, toLast, false), session))
    expect(await statusIn(back)).toEqual(['Success', 'PartialLogout'])
    // Each token is redeemed once.
    expectError(await service.api('GET', broken), 404, 'saml_request_not_found')
  })

  it('continues after the requesting application is deleted, and ends at the signed-out page', async () => {
    const [requester, other] = [await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await signInTo(requester, session)
    await signInTo(other, session)
    const toOther = redirectOf(await visit(await logoutPath(requester, profile), session))
    await service.api('DELETE', `/api/v1/applications/${requester.id}`, { token: owner.token })
    const page = redirectOf(await visit(await logoutResponseOf(other, toOther, false), session))
    expect(page.href).toBe(`${service.baseUrl}/logged-out?error=saml_logout_incomplete`)
  })

  it('skips an application whose single logout URL was removed', async () => {
    const [requester, other] = [await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await signInTo(requester, session)
    await signInTo(other, session)
    await service.api('PUT', `/api/v1/applications/${other.id}`, { token: owner.token, body: { samlSpSloUrl: null } })
    expect(await statusIn(redirectOf(await visit(await logoutPath(requester, profile), session)))).toEqual(['Success'])
  })

  it('ends at the signed-out page if the requesting application has no single logout URL', async () => {
    const app = await startApp({ samlSpSloUrl: null })
    const session = await signInBrowser(service, owner)
    const url = redirectOf(await visit(await logoutPath(app, await signInTo(app, session)), session))
    expect(url.pathname).toBe('/logged-out')
    await expectSession(service, session.token, 'revoked')
  })
})

describe('an application with single logout URLs of its bindings', () => {
  const URLS = {
    samlSpSloUrl: 'https://urls.example/redirect?a=1',
    samlSpSloResponseUrl: 'https://urls.example/redirect-response',
    samlSpSloPostUrl: 'https://urls.example/post?a=1',
    samlSpSloPostResponseUrl: 'https://urls.example/post-response',
  }
  type Binding = 'redirect' | 'post'
  /** Sends a signed LogoutRequest of the application over a binding. */
  async function sendRequest(app: TestServiceProvider, { nameID, sessionIndex = '' }: Profile, binding: Binding) {
    const options = {
      id: newId(),
      issuer: app.entityId,
      destination: `${service.baseUrl}${app.idp}/slo`,
      now: service.clock.ms(),
      nameId: { value: nameID },
      sessionIndexes: [sessionIndex],
    }
    const { privateKey } = key
    if (binding === 'redirect') {
      const [target, xml] = [options.destination, await buildLogoutRequest(options)]
      return visit(pathOf(await redirectUrl({ target, parameter: 'SAMLRequest', xml, privateKey })), { cookies: {} })
    }
    const SAMLRequest = Buffer.from(await buildLogoutRequest(options, key)).toString('base64')
    return post(app, { SAMLRequest, RelayState: 'kept' })
  }
  const post = ({ idp }: TestServiceProvider, fields: Record<string, string>) =>
    service.api('POST', `${idp}/slo`, {
      raw: new URLSearchParams(fields).toString(),
      headers: { ...HTML, 'content-type': 'application/x-www-form-urlencoded' },
    })
  /** Returns where a message goes, and its XML. */
  const messageIn = (response: ApiResponse, name: 'SAMLRequest' | 'SAMLResponse') => {
    if (response.status === 302) {
      const url = redirectOf(response)
      return { binding: 'redirect', target: `${url.origin}${url.pathname}`, xml: xmlIn(url, name) }
    }
    const { action, fields } = formOf(response)
    return { binding: 'post', target: action, xml: Buffer.from(fields[name] ?? '', 'base64').toString(), fields }
  }
  const destinationIn = (xml: string) => / Destination="([^"]+)"/.exec(xml)?.[1]
  /** Responds for an application over the POST binding. */
  const respond = async (app: TestServiceProvider, { xml, fields }: ReturnType<typeof messageIn>) => {
    const response = await buildLogoutResponse(
      {
        id: newId(),
        issuer: app.entityId,
        destination: `${service.baseUrl}${app.idp}/slo`,
        now: service.clock.ms(),
        inResponseTo: / ID="([^"]+)"/.exec(xml)?.[1] ?? '',
        status: STATUS_CODES.success,
      },
      key,
    )
    const RelayState = fields?.RelayState ?? ''
    return post(app, { SAMLResponse: Buffer.from(response).toString('base64'), RelayState })
  }

  type Field = keyof typeof URLS
  it.each<[Binding, Field[], Binding, Field]>([
    ['post', ['samlSpSloUrl'], 'redirect', 'samlSpSloUrl'],
    ['redirect', ['samlSpSloUrl', 'samlSpSloResponseUrl'], 'redirect', 'samlSpSloResponseUrl'],
    ['post', ['samlSpSloUrl', 'samlSpSloResponseUrl'], 'redirect', 'samlSpSloResponseUrl'],
    ['redirect', ['samlSpSloPostUrl'], 'post', 'samlSpSloPostUrl'],
    ['redirect', ['samlSpSloUrl', 'samlSpSloPostUrl'], 'redirect', 'samlSpSloUrl'],
    ['post', ['samlSpSloUrl', 'samlSpSloPostUrl'], 'post', 'samlSpSloPostUrl'],
    ['post', ['samlSpSloPostUrl', 'samlSpSloPostResponseUrl'], 'post', 'samlSpSloPostResponseUrl'],
    ['post', ['samlSpSloUrl', 'samlSpSloPostResponseUrl'], 'redirect', 'samlSpSloUrl'],
  ])('receives the response to a request over %s with %j over %s at %s', async (sent, fields, binding, at) => {
    const urls = Object.fromEntries(fields.map((field) => [field, URLS[field]]))
    const app = await startApp({ samlSpSloUrl: null, ...urls })
    const session = await signInBrowser(service, owner)
    const response = messageIn(await sendRequest(app, await signInTo(app, session), sent), 'SAMLResponse')
    expect(response).toMatchObject({ binding, target: binding === 'post' ? URLS[at] : URLS[at].replace('?a=1', '') })
    expect([destinationIn(response.xml), statusesOf(response.xml)]).toEqual([URLS[at], ['Success']])
    await expectSession(service, session.token, 'revoked')
  })

  it('receives requests over the POST binding if it has no other URL, from another application and from Keyward', async () => {
    const [starter, app] = [await startApp(), await startApp({ ...URLS, samlSpSloUrl: null })]
    const session = await signInBrowser(service, owner)
    const profile = await signInTo(starter, session)
    await signInTo(app, session)
    const request = messageIn(await visit(await logoutPath(starter, profile), session), 'SAMLRequest')
    expect(request).toMatchObject({ binding: 'post', target: URLS.samlSpSloPostUrl })
    expect(destinationIn(request.xml)).toBe(URLS.samlSpSloPostUrl)
    expect(request.xml).toContain('<ds:Signature')
    expect(await statusIn(redirectOf(await respond(app, request)))).toEqual(['Success'])

    const other = await signInBrowser(service, owner)
    await signInTo(app, other)
    const { body } = await service.api('POST', '/api/v1/sso/logout', { token: other.token })
    const page = await visit(pathOf(body.redirectTo), { cookies: {} })
    const second = messageIn(page, 'SAMLRequest')
    expect(second.target).toBe(URLS.samlSpSloPostUrl)
    expect(redirectOf(await respond(app, second)).href).toBe(`${service.baseUrl}/logged-out`)
    // The page is shown once.
    expectError(await service.api('GET', pathOf(body.redirectTo)), 404, 'saml_request_not_found')
  })
})

describe('a session with two NameIDs at one application', () => {
  /** Signs in with the email address, then with a persistent NameID. */
  async function signInTwice(app: TestServiceProvider, session: Session): Promise<Profile[]> {
    return [await signInTo(app, session), await signInTo(withNameIdFormat(app, PERSISTENT), session)]
  }

  it.each([0, 1])('ends on a LogoutRequest with NameID %i and the common SessionIndex', async (index) => {
    const app = await startApp()
    const session = await signInBrowser(service, owner)
    const profiles = await signInTwice(app, session)
    expect(profiles[0]?.nameID).not.toBe(profiles[1]?.nameID)
    expect(profiles[0]?.sessionIndex).toBe(profiles[1]?.sessionIndex)
    await visit(await logoutPath(app, profiles[index] as Profile), session)
    await expectSession(service, session.token, 'revoked')
  })

  it('sends the application a LogoutRequest for each NameID when another application starts the sign-out', async () => {
    const [starter, receiver] = [await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await signInTo(starter, session)
    const names = (await signInTwice(receiver, session)).map(({ nameID }) => nameID)
    const first = redirectOf(await visit(await logoutPath(starter, profile), session))
    const second = redirectOf(await visit(await logoutResponseOf(receiver, first), session))
    expect([nameIdIn(first), nameIdIn(second)]).toEqual(names)
    expect(await statusIn(redirectOf(await visit(await logoutResponseOf(receiver, second), session)))).toEqual([
      'Success',
    ])
  })

  it('stores every NameID of concurrent sign-ins, and only one transient NameID', async () => {
    const app = await startApp()
    const session = await signInBrowser(service, owner)
    const formats = [NAME_ID_FORMATS.email, PERSISTENT, NAME_ID_FORMATS.transient]
    // The embedded database has one connection, so that more sign-ins would interleave in no other way.
    const profiles = await atOnce(LONG || SERVER_URL ? 30 : 12, (index) =>
      signInTo(withNameIdFormat(app, formats[index % 3] ?? ''), session),
    )
    const names = new Set(profiles.map(({ nameID }) => nameID))
    expect(names.size).toBe(3)
    expect(new Set(profiles.map(({ sessionIndex }) => sessionIndex)).size).toBe(1)
    const other = await startApp()
    let url = redirectOf(await visit(await logoutPath(other, await signInTo(other, session)), session))
    const named = new Set<string | undefined>()
    for (let hop = 0; hop < 3; hop++) {
      named.add(nameIdIn(url))
      url = redirectOf(await visit(await logoutResponseOf(app, url), session))
    }
    expect(named).toEqual(names)
    expect(await statusIn(url)).toEqual(['Success'])
  })
})

describe('a sign-out that starts at Keyward', () => {
  const logOut = (session: Session, query = '') =>
    service.api('POST', `/api/v1/sso/logout${query}`, { token: session.token })

  it('redirects the browser to the applications of the session, then to the signed-out page', async () => {
    const [first, second, withoutSlo] = [await startApp(), await startApp(), await startApp({ samlSpSloUrl: null })]
    const session = await signInBrowser(service, owner)
    const profile = await signInTo(first, session)
    for (const app of [second, withoutSlo]) await signInTo(app, session)
    const { body } = await logOut(session)
    await expectSession(service, session.token, 'revoked')
    const toFirst = new URL(body.redirectTo)
    expect(nameIdIn(toFirst)).toBe(profile.nameID)
    const toSecond = redirectOf(await visit(await logoutResponseOf(first, toFirst), session))
    const page = redirectOf(await visit(await logoutResponseOf(second, toSecond), session))
    expect(page.href).toBe(`${service.baseUrl}/logged-out`)
    // Each token is redeemed once.
    expectError(await service.api('GET', await logoutResponseOf(second, toSecond)), 404, 'saml_request_not_found')
  })

  it('continues after an application reports a failure, and shows it on the signed-out page', async () => {
    const [failing, last] = [await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    for (const app of [failing, last]) await signInTo(app, session)
    const toFailing = new URL((await logOut(session)).body.redirectTo)
    const toLast = redirectOf(await visit(await logoutResponseOf(failing, toFailing, false), session))
    const page = redirectOf(await visit(await logoutResponseOf(last, toLast), session))
    expect(page.href).toBe(`${service.baseUrl}/logged-out?error=saml_logout_incomplete`)
  })

  it('ends at the page in returnTo, and rejects a URL of another site', async () => {
    const app = await startApp()
    const session = await signInBrowser(service, owner)
    await signInTo(app, session)
    for (const returnTo of ['//evil.example', 'https://evil.example/', '/\\evil.example'])
      expectError(await logOut(session, `?${new URLSearchParams({ returnTo })}`), 400, 'invalid_request')
    await expectSession(service, session.token, 'active')
    const logOutTo = async (leaving: Session) =>
      new URL((await logOut(leaving, `?${new URLSearchParams({ returnTo: '/login?saml=a:b' })}`)).body.redirectTo)
    const page = redirectOf(await visit(await logoutResponseOf(app, await logOutTo(session)), session))
    expect(page.href).toBe(`${service.baseUrl}/login?saml=a:b`)
    const another = await signInBrowser(service, owner)
    await signInTo(app, another)
    const failed = redirectOf(await visit(await logoutResponseOf(app, await logOutTo(another), false), another))
    expect(failed.href).toBe(`${service.baseUrl}/logged-out?error=saml_logout_incomplete`)
  })

  it('accepts the cookie without an access token, and returns no URL for the cookie of an ended session', async () => {
    const app = await startApp()
    const { email, password } = owner
    const { cookies } = await service.api('POST', '/api/v1/auth/login', { body: { email, password }, console: true })
    const stored = Object.fromEntries(Object.entries(cookies).map(([name, { value }]) => [name, value]))
    await verifiedProfile(app, await visit(await redirectPath(service, app), { cookies: stored }))
    const logOutByCookie = () => service.api('POST', '/api/v1/sso/logout', { cookies: stored, console: true })
    const response = await logOutByCookie()
    expect(new URL(response.body.redirectTo).searchParams.has('SAMLRequest')).toBe(true)
    expect(response.cookies.keyward_sso?.value).toBe('')
    expect((await logOutByCookie()).body).toEqual({ redirectTo: null })
  })

  it('returns no URL if no application of the session is active and has a single logout URL', async () => {
    const withoutApps = await signInBrowser(service, owner)
    expect((await logOut(withoutApps)).body).toEqual({ redirectTo: null })
    const [stopped, withoutSlo] = [await startApp(), await startApp({ samlSpSloUrl: null })]
    const session = await signInBrowser(service, owner)
    for (const app of [stopped, withoutSlo]) await signInTo(app, session)
    await service.api('POST', `/api/v1/applications/${stopped.id}/stop`, { token: owner.token })
    expect((await logOut(session)).body).toEqual({ redirectTo: null })
  })

  it('returns to the OpenID Connect application that started it, after the SAML applications', async () => {
    const saml = await startApp()
    const after = 'https://rp.example/after'
    const oidc = await registerApp(service, owner, { postLogoutRedirectUris: [after] })
    const session = await signInBrowser(service, owner)
    await signInTo(saml, session)
    const { id_token } = await tokensFor(service, oidc, session)
    const params = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: after, state: 's' })
    const response = await visit(`${oidc.idp}/end-session?${params}`, session)
    await expectSession(service, session.token, 'revoked')
    expect(response.cookies.keyward_sso?.value).toBe('')
    const back = redirectOf(await visit(await logoutResponseOf(saml, redirectOf(response), false), session))
    expect(back.href).toBe(`${after}?state=s`)
  })

  it('waits for confirmation if an OpenID Connect application sends no ID token hint, then returns to it', async () => {
    const saml = await startApp()
    const after = 'https://rp.example/after'
    const oidc = await registerApp(service, owner, { postLogoutRedirectUris: [after] })
    const session = await signInBrowser(service, owner)
    await signInTo(saml, session)
    const params = new URLSearchParams({ client_id: oidc.clientId, post_logout_redirect_uri: after })
    const resume = redirectOf(await visit(`${oidc.idp}/end-session?${params}`, session)).searchParams.get('resume')
    const confirm = (token?: string) => service.api('POST', `/api/v1/public/logout/${resume}`, { token })
    expectError(await confirm(), 401, 'unauthorized')
    await expectSession(service, session.token, 'active')
    const { body } = await confirm(session.token)
    await expectSession(service, session.token, 'revoked')
    const back = redirectOf(await visit(await logoutResponseOf(saml, new URL(body.redirectTo)), session))
    expect(back.href).toBe(after)
    expectError(await confirm(session.token), 404, 'logout_not_found')
  })
})

describe('an unsigned LogoutRequest', () => {
  /** Sends an unsigned LogoutRequest in the browser. Returns the ID of the pending sign-out for the confirmation page. */
  async function requestLogout(app: TestServiceProvider, session: Session, profile: Profile): Promise<string> {
    const page = redirectOf(await visit(await logoutPath(app, profile), session))
    expect(page.origin + page.pathname).toBe(`${service.baseUrl}/logout`)
    return page.searchParams.get('resume') ?? ''
  }
  const pending = (resume: string) => service.api('GET', `/api/v1/public/logout/${resume}`)
  const confirm = (resume: string, { token }: Session) =>
    service.api('POST', `/api/v1/public/logout/${resume}`, { token })

  it('ends no session before the user confirms it, and then only the session of that browser', async () => {
    const app = await startApp({ signsRequests: false })
    const [own, other] = [await signInBrowser(service, owner), await signInBrowser(service, owner)]
    const { sessionIndex: _, ...profile } = await signInTo(app, own)
    await signInTo(app, other)
    const resume = await requestLogout(app, own, profile as Profile)
    await expectSession(service, own.token, 'active')
    const { body: requested } = await pending(resume)
    expect(requested.application).toEqual({ id: expect.any(String), name: 'Payroll', logoUrl: null })
    const { body } = await confirm(resume, own)
    expect(body.redirectTo).toBe(requested.redirectTo)
    await expectSession(service, own.token, 'revoked')
    const back = redirectOf(await visit(pathOf(body.redirectTo), own))
    expect(back.searchParams.get('RelayState')).toBe('back')
    expect((await verifiedBy(app, back)).loggedOut).toBe(true)
    expect(await statusIn(back)).toEqual(['Success'])
    await expectSession(service, other.token, 'active')
    expectError(await service.api('GET', pathOf(body.redirectTo)), 404, 'saml_request_not_found')
    const entries = await service.sql(
      "SELECT 1 FROM audit_entries WHERE action = 'user.logout' AND metadata->>'application' = $1",
      [app.id],
    )
    expect(entries).toHaveLength(1)
  })

  it('redirects the browser to the other applications after confirmation', async () => {
    const [app, other] = [await startApp({ signsRequests: false }), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await signInTo(app, session)
    await signInTo(other, session)
    const { body } = await confirm(await requestLogout(app, session, profile), session)
    const toOther = redirectOf(await visit(pathOf(body.redirectTo), session))
    expect(nameIdIn(toOther)).toBe(owner.email)
    const back = redirectOf(await visit(await logoutResponseOf(other, toOther, false), session))
    expect(await statusIn(back)).toEqual(['Success', 'PartialLogout'])
  })

  it('gets RequestDenied if the browser resumes it without confirmation', async () => {
    const app = await startApp({ signsRequests: false })
    const session = await signInBrowser(service, owner)
    const { body } = await pending(await requestLogout(app, session, await signInTo(app, session)))
    const other = await startApp({ signsRequests: false })
    const atOtherApp = pathOf(body.redirectTo).replace(app.id, other.id)
    expectError(await service.api('GET', atOtherApp), 404, 'saml_request_not_found')
    const denied = redirectOf(await visit(pathOf(body.redirectTo), session))
    expect(await statusIn(denied)).toEqual(['Responder', 'RequestDenied'])
    await expectSession(service, session.token, 'active')
  })

  it('requires no confirmation without a session cookie, or if the NameID does not match the session', async () => {
    const app = await startApp({ signsRequests: false })
    const [own, other] = [await signInBrowser(service, owner), await signInBrowser(service, owner)]
    const path = await logoutPath(app, await signInTo(app, own))
    for (const browser of [{ cookies: {} }, other])
      expect(await statusIn(redirectOf(await visit(path, browser)))).toEqual(['Success'])
    await expectSession(service, own.token, 'active')
  })

  it('gets RequestDenied over the POST binding, without a cookie', async () => {
    const app = await startApp({ signsRequests: false })
    const session = await signInBrowser(service, owner)
    const url = new URL(`${service.baseUrl}${await logoutPath(app, await signInTo(app, session))}`)
    const SAMLRequest = Buffer.from(xmlIn(url, 'SAMLRequest')).toString('base64')
    const response = await service.api('POST', `${app.idp}/slo`, {
      raw: new URLSearchParams({ SAMLRequest, RelayState: 'x' }).toString(),
      headers: { ...HTML, 'content-type': 'application/x-www-form-urlencoded' },
    })
    const denied = redirectOf(response)
    expect([denied.pathname, denied.searchParams.get('RelayState')]).toEqual(['/slo', 'x'])
    expect(await statusIn(denied)).toEqual(['Responder', 'RequestDenied'])
    await expectSession(service, session.token, 'active')
  })
})

describe('an invalid LogoutRequest', () => {
  it('leaves an audit entry with the algorithm and the reason of its rejected signature', async () => {
    const app = await startApp()
    const path = await logoutPath(app, await signInTo(app, await signInBrowser(service, owner)))
    const algorithm = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
    const weak = path.replace(/SigAlg=[^&]+/, `SigAlg=${encodeURIComponent(algorithm)}`)
    expectError(await service.api('GET', weak), 400, 'saml_request_invalid')
    const query = `action=user.logout&resource=application:${app.id}`
    const { body } = await service.api('GET', `/api/v1/audit/logs?${query}`, { token: owner.token })
    const signature = { algorithm, reason: `the signature algorithm is not supported: ${algorithm}` }
    expect(body.data).toMatchObject([{ result: 'FAILURE', metadata: { failed: ['signature'], signature } }])
  })

  it('ends no session if the application never received its NameID', async () => {
    const [app, other] = [await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await signInTo(app, session)
    // Signed with the right key, for a user who never signed in to the application.
    await visit(await logoutPath(other, profile), session)
    await expectSession(service, session.token, 'active')
  })

  it('gets saml_request_invalid without a valid signature, with an altered RelayState, for another application, and after ten minutes', async () => {
    const [app, other] = [await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await signInTo(app, session)
    const path = await logoutPath(app, profile)
    for (const invalid of [
      path.replace(/&(SigAlg|Signature)=[^&]*/g, ''),
      path.replace('RelayState=back', 'RelayState=elsewhere'),
      path.replace(app.id, other.id),
      await withoutDestination(app, profile),
      `${app.idp}/slo`,
      `${app.idp}/slo?SAMLRequest=x`,
    ])
      expectError(await service.api('GET', invalid, { cookies: session.cookies }), 400, 'saml_request_invalid')
    await service.clock.advance(10 * MINUTE)
    expectError(await service.api('GET', path, { cookies: session.cookies }), 400, 'saml_request_invalid')
    expectError(await service.api('GET', `${app.idp}/slo?SAMLResponse=x`), 404, 'saml_request_not_found')
    const loggedOut = await service.sql(
      "SELECT 1 FROM sessions WHERE user_id = $1 AND end_reason = 'logout' AND sso_hash = sha256($2)",
      [owner.id, Buffer.from(session.cookies.keyward_sso ?? '')],
    )
    expect(loggedOut).toEqual([])
  })
})
