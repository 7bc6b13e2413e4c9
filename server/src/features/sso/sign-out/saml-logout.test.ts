import { inflateRawSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { locationOf } from '../../../../test/doubles/relying-party.js'
import {
  addColleague,
  atOnce,
  expectError,
  expectSession,
  logIn,
  newEmail,
  registerUser,
} from '../../../../test/factories/factories.js'
import { enrollApp } from '../../../../test/factories/factors.js'
import {
  addSamlSite,
  beginSaml,
  bring,
  partsOf,
  type SamlSite,
  signedXml,
  signInBySaml,
} from '../../../../test/factories/saml-sso.js'
import { changeProvider } from '../../../../test/factories/sso.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { startService } from '../../../../test/harness/service.js'
import { attackerKey, IDP, idpKey } from '../../../../test/peers/saml-peer.js'
import { MINUTE } from '../../../platform/clock.js'
import {
  buildLogoutRequest,
  buildLogoutResponse,
  NAME_ID_FORMATS,
  newId,
  openLogout,
  redirectUrl,
  STATUS_CODES,
} from '../../../protocols/saml/index.js'

const service = await startService()
afterAll(() => service.close())
const { api, clock } = service
const SLO = 'https://idp.example/slo?fixed=1'
const owner = await registerUser(service)
const site = await addSamlSite(service, owner, { autoProvision: true, samlSloUrl: SLO })
const outsider = await registerUser(service)
const other = await addSamlSite(service, outsider, { autoProvision: true, samlSloUrl: SLO })
const NO_POST = { samlSloUrl: SLO, samlSloPostUrl: null, samlSloPostResponseUrl: null }
const pathOf = ({ teamId }: Pick<SamlSite, 'teamId'>) => `/api/v1/sso/saml/${teamId}/slo`
const addressOf = (to: SamlSite) => `${service.baseUrl}${pathOf(to)}`

interface Wanted {
  email: string
  id?: string
  to?: SamlSite
  indexes?: string[]
  issuer?: string
  /** Undefined omits it. */
  destination?: string | undefined
  now?: number
  format?: string
  relayState?: string
  key?: typeof idpKey
}
const optionsOf = ({ email, to = site, indexes = [], format = NAME_ID_FORMATS.email, ...more }: Wanted) => ({
  id: more.id ?? newId(),
  issuer: more.issuer ?? IDP,
  destination: 'destination' in more ? (more.destination ?? '') : addressOf(to),
  now: more.now ?? clock.ms(),
  nameId: { value: email, format },
  sessionIndexes: indexes,
})
async function queryOf(wanted: Wanted): Promise<string> {
  const xml = (await buildLogoutRequest(optionsOf(wanted))).replace(' Destination=""', '')
  const { privateKey } = wanted.key ?? idpKey
  const { relayState } = wanted
  const url = await redirectUrl({ target: 'https://x.example', parameter: 'SAMLRequest', xml, relayState, privateKey })
  return url.slice(url.indexOf('?'))
}
const byRedirect = (query: string, to: Pick<SamlSite, 'teamId'> = site) => api('GET', `${pathOf(to)}${query}`)
const byPost = (fields: Record<string, string>, to: Pick<SamlSite, 'teamId'> = site) =>
  api('POST', pathOf(to), {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example' },
  })
const postedOf = async (wanted: Wanted, key = idpKey) =>
  Buffer.from(await buildLogoutRequest(optionsOf(wanted), key)).toString('base64')

const statementOf = (index: string) => ({
  statement: `<saml:AuthnStatement AuthnInstant="${new Date(clock.ms()).toISOString()}" SessionIndex="${index}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
})
async function signIn(email: string, { to = site, index = '_one' } = {}): Promise<string> {
  const { token } = await signInBySaml(to, { email }, statementOf(index))
  expect(token).toBeDefined()
  return token as string
}
/** Returns the cookies of a browser in which a user has signed in with the provider. */
async function browserOf(email: string): Promise<Record<string, string>> {
  const { cookies, requestId } = await beginSaml(site)
  const xml = signedXml({ ...partsOf({ email }), ...statementOf('_one') })
  const answer = await bring(site, xml, { cookies, relayState: requestId })
  const { keyward_sso, keyward_rt } = answer.cookies
  expect(keyward_sso?.value, answer.text).toBeTruthy()
  return { keyward_sso: keyward_sso?.value ?? '', keyward_rt: keyward_rt?.value ?? '' }
}
const certificatesOf = async (of: SamlSite): Promise<string[]> => {
  const { text } = await api('GET', `/api/v1/sso/saml/${of.teamId}/metadata`)
  return [...text.matchAll(/use="signing".*?<ds:X509Certificate>([^<]+)/g)].map(([, body]) => body ?? '')
}
const expectedOf = async (of = site) => ({
  now: clock.ms(),
  issuer: of.sp,
  destinations: [SLO],
  certificates: await certificatesOf(of),
})

describe('/api/v1/sso/saml/{orgId}/slo with a LogoutRequest', () => {
  it('ends every session that the provider started for the NameID, and no other, and responds over the redirect binding', async () => {
    const [ada, grace] = [newEmail(), newEmail()]
    const [first, second] = [await signIn(ada), await signIn(ada, { index: '_two' })]
    const [hers, elsewhere] = [await signIn(grace), await signIn(newEmail(), { to: other })]
    const id = newId()
    const answer = await byRedirect(await queryOf({ email: ada, id, relayState: 'a b+c' }))
    expect(answer.status, answer.text).toBe(302)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const location = locationOf(answer)
    expect(location.href).toMatch(/^https:\/\/idp\.example\/slo\?fixed=1&SAMLResponse=/)
    const verdict = openLogout({ binding: 'redirect', query: location.search }).verifyResponse({
      ...(await expectedOf()),
      inResponseTo: [id],
    })
    expect(verdict).toMatchObject({ accepted: true, response: { success: true, relayState: 'a b+c' } })
    await expectSession(service, first, 'revoked')
    await expectSession(service, second, 'revoked')
    for (const token of [hers, elsewhere, owner.token]) await expectSession(service, token, 'active')
    const { body } = await api('GET', '/api/v1/audit/logs?action=sso_identity.signed_out', { token: owner.token })
    expect(body.data[0]).toMatchObject({ metadata: { provider: site.id, sessions: 2 } })
  })

  const POST = { samlSloPostUrl: 'https://idp.example/post', samlSloPostResponseUrl: null }
  it.each<[string, Record<string, string | null>, string]>([
    ['a form to its POST URL', POST, 'https://idp.example/post'],
    [
      'a form to its URL of posted responses',
      { ...POST, samlSloPostResponseUrl: 'https://idp.example/posted' },
      'https://idp.example/posted',
    ],
    ['a form if there is no other URL', { ...POST, samlSloUrl: null }, 'https://idp.example/post'],
  ])('responds to the POST binding with %s', async (_how, urls, target) => {
    await changeProvider(service, owner, site.id, urls)
    const email = newEmail()
    const token = await signIn(email)
    const id = newId()
    const answer = await byPost({ SAMLRequest: await postedOf({ email, id }), RelayState: '"><script>' })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(answer.text).toContain(`action="${target}"`)
    expect(answer.text).not.toContain('"><script>')
    const field = /name="SAMLResponse" value="([^"]+)"/.exec(answer.text)?.[1] ?? ''
    const verdict = openLogout({ binding: 'post', field }).verifyResponse({
      ...(await expectedOf()),
      destinations: [target],
      inResponseTo: [id],
    })
    expect(verdict).toMatchObject({ accepted: true, response: { success: true } })
    await expectSession(service, token, 'revoked')
    await changeProvider(service, owner, site.id, NO_POST)
  })

  it('responds to the POST binding over the redirect binding if the provider has no POST URL', async () => {
    const responses = 'https://idp.example/responses'
    for (const [samlSloResponseUrl, target] of [
      [null, SLO],
      [responses, responses],
    ] as const) {
      await changeProvider(service, owner, site.id, { samlSloResponseUrl })
      const id = newId()
      const answer = await byPost({ SAMLRequest: await postedOf({ email: newEmail(), id }), RelayState: 'kept' })
      const location = locationOf(answer)
      expect(location.href.startsWith(target)).toBe(true)
      const verdict = openLogout({ binding: 'redirect', query: location.search }).verifyResponse({
        ...(await expectedOf()),
        destinations: [target],
        inResponseTo: [id],
      })
      expect(verdict).toMatchObject({ accepted: true, response: { success: true, relayState: 'kept' } })
    }
    await changeProvider(service, owner, site.id, { samlSloResponseUrl: null })
  })

  it('ends only the session with the given SessionIndex', async () => {
    const email = newEmail()
    const [first, second] = [await signIn(email), await signIn(email, { index: '_two' })]
    expect((await byRedirect(await queryOf({ email, indexes: ['_two', '_unknown'] }))).status).toBe(302)
    await expectSession(service, second, 'revoked')
    await expectSession(service, first, 'active')
    expect((await byRedirect(await queryOf({ email: newEmail(), indexes: ['_one'] }))).status).toBe(302)
    await expectSession(service, first, 'active')
  })

  it('accepts a request once of twenty concurrent ones, and responds with success to each', async () => {
    const email = newEmail()
    const token = await signIn(email)
    const id = newId()
    const query = await queryOf({ email, id })
    const answers = await atOnce(20, () => byRedirect(query))
    await expectSession(service, token, 'revoked')
    const again = await signIn(email)
    const expected = { ...(await expectedOf()), inResponseTo: [id] }
    for (const answer of [...answers, await byRedirect(query)]) {
      expect(answer.status, answer.text).toBe(302)
      const { search } = locationOf(answer)
      const verdict = openLogout({ binding: 'redirect', query: search }).verifyResponse(expected)
      expect(verdict).toMatchObject({ accepted: true, response: { success: true } })
    }
    await expectSession(service, again, 'active')
    const { body } = await api('GET', '/api/v1/audit/logs?action=sso_identity.signed_out', { token: owner.token })
    expect(body.data[0].metadata.sessions).toBe(1)
  })

  it('ends sign-ins that wait for a second factor, by NameID and SessionIndex', async () => {
    const member = await addColleague(service, owner)
    const app = await enrollApp(service, await logIn(service, member))
    const wait = async (index: string) => (await signInBySaml(site, member, statementOf(index))).mfaToken
    const answer = (mfaToken: string | undefined) =>
      api('POST', '/api/v1/auth/mfa/verify-challenge', { body: { mfaToken, code: app.code() } })
    const [named, other] = [await wait('_one'), await wait('_two')]
    expect((await byRedirect(await queryOf({ email: member.email, indexes: ['_one'] }))).status).toBe(302)
    expectError(await answer(named), 400, 'mfa_expired')
    expect((await answer(other)).status).toBe(200)
    const whole = await wait('_three')
    await clock.advance(30_000)
    expect((await byRedirect(await queryOf({ email: member.email }))).status).toBe(302)
    expectError(await answer(whole), 400, 'mfa_expired')
  })

  it('clears the cookies of an ended session, but not those of an active one', async () => {
    const [email, another] = [newEmail(), newEmail()]
    const [first, second] = [await browserOf(email), await browserOf(another)]
    const bring = async (cookies: Record<string, string>) =>
      api('GET', `${pathOf(site)}${await queryOf({ email })}`, { cookies })
    expect((await bring(second)).cookies.keyward_sso).toBeUndefined()
    const { cookies } = await bring(first)
    expect([cookies.keyward_sso?.value, cookies.keyward_rt?.value]).toEqual(['', ''])
  })

  it('shows an invalid request to a browser as a page', async () => {
    const accept = { accept: 'text/html' }
    const query = await queryOf({ email: newEmail(), key: attackerKey })
    const form = new URLSearchParams({ SAMLRequest: await postedOf({ email: newEmail() }, attackerKey) }).toString()
    for (const answer of [
      await api('GET', `${pathOf(site)}${query}`, { headers: accept }),
      await api('POST', pathOf(site), {
        raw: form,
        headers: { ...accept, 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example' },
      }),
    ]) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
      expect(answer.text).toContain('sso_logout_invalid')
    }
  })

  it('redirects to the signed-out page if the provider has no sign-out URL', async () => {
    const third = await registerUser(service)
    const silent = await addSamlSite(service, third, { autoProvision: true })
    const email = newEmail()
    const token = await signIn(email, { to: silent })
    const answer = await byRedirect(await queryOf({ email, to: silent }), silent)
    expect(locationOf(answer).pathname).toBe('/logged-out')
    await expectSession(service, token, 'revoked')
  })

  const email = newEmail()
  const swapped = async (change: (query: string) => string) => byRedirect(change(await queryOf({ email })))
  it.each<[what: string, send: () => Promise<ApiResponse>]>([
    ['without a signature', () => swapped((query) => query.replace(/&SigAlg=.*/, ''))],
    [
      'with the signature of another message',
      () => swapped((query) => query.replace(/SAMLRequest=(.)/, 'SAMLRequest=$1%20')),
    ],
    ['signed with another key', async () => byRedirect(await queryOf({ email, key: attackerKey }))],
    ['of another issuer', async () => byRedirect(await queryOf({ email, issuer: 'https://evil.example' }))],
    ['made for another team', async () => byRedirect(await queryOf({ email, to: other }))],
    ['sent to another team', async () => byRedirect(await queryOf({ email }), other)],
    ['for an unknown team', async () => byRedirect(await queryOf({ email }), { teamId: site.id })],
    ['for a malformed team ID', async () => byRedirect(await queryOf({ email }), { teamId: 'x' })],
    ['issued too long ago', async () => byRedirect(await queryOf({ email, now: clock.ms() - 8 * MINUTE }))],
    ['issued in the future', async () => byRedirect(await queryOf({ email, now: clock.ms() + 8 * MINUTE }))],
    ['with an encoded parameter name', () => swapped((query) => query.replace('SigAlg', 'Sig%41lg'))],
    ['with a repeated SAMLRequest', () => swapped((query) => `${query}&${query.slice(1)}`)],
    ['with a SAMLResponse as well', () => swapped((query) => `${query}&SAMLResponse=x`)],
    ['signed with SHA-1', () => swapped((query) => query.replace('rsa-sha256', 'rsa-sha1'))],
    ['without a Destination', async () => byRedirect(await queryOf({ email, destination: undefined }))],
    ['without content', () => byRedirect('')],
    [
      'posted without a signature',
      async () => {
        const xml = await buildLogoutRequest(optionsOf({ email }))
        return byPost({ SAMLRequest: Buffer.from(xml).toString('base64') })
      },
    ],
    ['posted and signed with another key', async () => byPost({ SAMLRequest: await postedOf({ email }, attackerKey) })],
    [
      'posted with a document type',
      () => byPost({ SAMLRequest: Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a/>').toString('base64') }),
    ],
    [
      'posted for another destination',
      async () => {
        const xml = await buildLogoutRequest(
          { ...optionsOf({ email }), destination: 'https://elsewhere.example' },
          idpKey,
        )
        return byPost({ SAMLRequest: Buffer.from(xml).toString('base64') })
      },
    ],
  ])('rejects a request %s', async (_what, send) => {
    const token = await signIn(email)
    expectError(await send(), 400, 'sso_logout_invalid')
    await expectSession(service, token, 'active')
  })

  it('records the algorithm and the reason of a rejected signature', async () => {
    const SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
    const SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
    const entries = async () =>
      (await api('GET', '/api/v1/audit/logs?action=sso_identity.signed_out&limit=1', { token: owner.token })).body.data
    for (const [send, signature] of [
      [
        () => swapped((query) => query.replace(encodeURIComponent(SHA256), encodeURIComponent(SHA1))),
        { algorithm: SHA1, reason: `the signature algorithm is not supported: ${SHA1}` },
      ],
      [
        async () => byPost({ SAMLRequest: await postedOf({ email }, attackerKey) }),
        { algorithm: SHA256, reason: 'it is not signed with a trusted certificate' },
      ],
      [() => swapped((query) => query.replace(/&SigAlg=.*/, '')), { reason: 'it is not signed' }],
    ] as const) {
      expectError(await send(), 400, 'sso_logout_invalid')
      expect(await entries()).toMatchObject([
        { result: 'FAILURE', resource: `sso_provider:${site.id}`, metadata: { failed: ['signature'], signature } },
      ])
    }
  })

  it('rejects a form with both messages or none', async () => {
    for (const fields of [{}, { SAMLRequest: 'x', SAMLResponse: 'x' }] as Record<string, string>[])
      expectError(await byPost(fields), 400, 'invalid_request')
  })
})

/** The LogoutResponse of the provider to a request of this service. */
const responseTo = async (inResponseTo: string, changes: object = {}, key = idpKey) => {
  const xml = await buildLogoutResponse({
    id: newId(),
    issuer: IDP,
    destination: addressOf(site),
    now: clock.ms(),
    inResponseTo,
    status: STATUS_CODES.success,
    ...changes,
  })
  const { privateKey } = key
  const url = await redirectUrl({ target: 'https://x.example', parameter: 'SAMLResponse', xml, privateKey })
  return url.slice(url.indexOf('?'))
}
const idIn = (location: URL): string => {
  const xml = inflateRawSync(Buffer.from(location.searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  return / ID="([^"]+)"/.exec(xml)?.[1] ?? ''
}

describe('POST /api/v1/sso/logout', () => {
  const logOut = (token: string | undefined) => api('POST', '/api/v1/sso/logout', { token })
  /** Signs out, and responds to the request that the provider receives. */
  async function begin(email = newEmail()) {
    const token = await signIn(email)
    const { status, body, text } = await logOut(token)
    expect(status, text).toBe(200)
    const location = new URL(body.redirectTo)
    return { token, location, id: idIn(location) }
  }

  it('ends the session, and sends a signed LogoutRequest with its NameID and SessionIndex', async () => {
    const email = newEmail()
    const { token, location } = await begin(email)
    await expectSession(service, token, 'revoked')
    expect(location.href).toMatch(/^https:\/\/idp\.example\/slo\?fixed=1&SAMLRequest=/)
    const message = openLogout({ binding: 'redirect', query: location.search })
    expect(message.verifyRequest(await expectedOf())).toMatchObject({
      accepted: true,
      request: { nameId: email, nameIdFormat: NAME_ID_FORMATS.email, sessionIndexes: ['_one'] },
    })
  })

  it('ends at the signed-out page after the response of the provider, once', async () => {
    const { id } = await begin()
    const query = await responseTo(id)
    const page = locationOf(await byRedirect(query))
    expect([page.pathname, page.search]).toEqual(['/logged-out', ''])
    expect(locationOf(await byRedirect(query)).searchParams.get('error')).toBe('sso_logout_invalid')
  })

  it('ends at the signed-out page after a posted response', async () => {
    const { id } = await begin()
    const options = { id: newId(), issuer: IDP, destination: addressOf(site), now: clock.ms(), inResponseTo: id }
    const xml = await buildLogoutResponse({ ...options, status: STATUS_CODES.success }, idpKey)
    const answer = await byPost({ SAMLResponse: Buffer.from(xml).toString('base64') })
    expect(locationOf(answer).search).toBe('')
  })

  it.each<[string, string, (id: string) => Promise<string>]>([
    ['with a failure status', 'sso_logout_incomplete', (id) => responseTo(id, { status: STATUS_CODES.responder })],
    ['signed with another key', 'sso_logout_invalid', (id) => responseTo(id, {}, attackerKey)],
    ['of another issuer', 'sso_logout_invalid', (id) => responseTo(id, { issuer: 'https://evil.example' })],
    ['to no pending request', 'sso_logout_invalid', () => responseTo(newId())],
    ['without a signature', 'sso_logout_invalid', async (id) => (await responseTo(id)).replace(/&SigAlg=.*/, '')],
  ])('shows an error on the signed-out page for a response %s', async (_what, error, answer) => {
    const { id, token } = await begin()
    const page = locationOf(await byRedirect(await answer(id)))
    expect([page.pathname, page.searchParams.get('error')]).toEqual(['/logged-out', error])
    await expectSession(service, token, 'revoked')
  })

  it('accepts a response for ten minutes', async () => {
    const { id } = await begin()
    await clock.advance(11 * MINUTE)
    const page = locationOf(await byRedirect(await responseTo(id)))
    expect(page.searchParams.get('error')).toBe('sso_logout_invalid')
  })

  it('returns no URL if no SAML provider started the session, or the provider has no sign-out URL', async () => {
    const alone = await registerUser(service)
    const own = await logOut(alone.token)
    expect([own.status, own.body]).toEqual([200, { redirectTo: null }])
    await expectSession(service, alone.token, 'revoked')
    const third = await registerUser(service)
    const silent = await addSamlSite(service, third, { autoProvision: true, samlSloUrl: SLO })
    const token = await signIn(newEmail(), { to: silent })
    await changeProvider(service, third, silent.id, { samlSloUrl: null })
    expect((await logOut(token)).body).toEqual({ redirectTo: null })
    await expectSession(service, token, 'revoked')
    for (const none of [undefined, token]) expect((await logOut(none)).status).toBe(401)
  })

  it('sends the LogoutRequest by a form if the provider has only a POST URL', async () => {
    await changeProvider(service, owner, site.id, { samlSloUrl: null, samlSloPostUrl: 'https://idp.example/post' })
    const email = newEmail()
    const { body } = await logOut(await signIn(email))
    const location = new URL(body.redirectTo)
    expect(location.origin).toBe(new URL(service.baseUrl).origin)
    const path = `${location.pathname}${location.search}`
    const page = await api('GET', path)
    expect(page.text).toContain('action="https://idp.example/post"')
    const field = /name="SAMLRequest" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const message = openLogout({ binding: 'post', field })
    expect(
      message.verifyRequest({ ...(await expectedOf()), destinations: ['https://idp.example/post'] }),
    ).toMatchObject({
      accepted: true,
      request: { nameId: email, sessionIndexes: ['_one'] },
    })
    const id = / ID="([^"]+)"/.exec(Buffer.from(field, 'base64').toString())?.[1] ?? ''
    expect(locationOf(await byRedirect(await responseTo(id))).search).toBe('')
    expectError(await api('GET', path), 404, 'sso_logout_not_found')
    await changeProvider(service, owner, site.id, NO_POST)
  })

  it('sends a transient NameID as received', async () => {
    const email = newEmail()
    const name = `<saml:NameID Format="${NAME_ID_FORMATS.transient}">_once-${email}</saml:NameID>`
    const attributes = `<saml:Attribute Name="email"><saml:AttributeValue>${email}</saml:AttributeValue></saml:Attribute><saml:Attribute Name="urn:oasis:names:tc:SAML:attribute:subject-id"><saml:AttributeValue>${email}</saml:AttributeValue></saml:Attribute>`
    const { token } = await signInBySaml(site, { email }, { nameId: name, attributes })
    await expectSession(service, token as string, 'active')
    const wanted = { email: `_once-${email}`, format: NAME_ID_FORMATS.transient }
    expect((await byRedirect(await queryOf(wanted))).status).toBe(302)
    await expectSession(service, token as string, 'revoked')
  })
})
