import { inflateRawSync } from 'node:zlib'
import type { Profile } from '@node-saml/node-saml'
import { afterAll, describe, expect, it } from 'vitest'
import { locationOf, registerApp, tokensFor } from '../../../../test/doubles/relying-party.js'
import {
  formOf,
  redirectPath,
  startServiceProvider,
  statusesOf,
  verifiedProfile,
} from '../../../../test/doubles/saml-service-provider.js'
import { expectSession, newEmail, registerUser } from '../../../../test/factories/factories.js'
import { addSamlSite, beginSaml, bring, partsOf, signedXml } from '../../../../test/factories/saml-sso.js'
import { changeProvider } from '../../../../test/factories/sso.js'
import { startService } from '../../../../test/harness/service.js'
import { IDP, idpKey, newSigningKey } from '../../../../test/peers/saml-peer.js'
import {
  buildLogoutRequest,
  buildLogoutResponse,
  NAME_ID_FORMATS,
  newId,
  redirectUrl,
  STATUS_CODES,
} from '../../../protocols/saml/index.js'

const service = await startService()
afterAll(() => service.close())
const { api, clock } = service
const owner = await registerUser(service)
const site = await addSamlSite(service, owner, { autoProvision: true, samlSloUrl: 'https://idp.example/slo?fixed=1' })
const SLO = `/api/v1/sso/saml/${site.teamId}/slo`

/** Returns a browser in which a user has signed in with the provider. */
async function openBrowser(email = newEmail()): Promise<{ cookies: Record<string, string>; token: string }> {
  const { cookies, requestId } = await beginSaml(site)
  const answer = await bring(site, signedXml(partsOf({ email })), { cookies, relayState: requestId })
  return {
    cookies: { keyward_sso: answer.cookies.keyward_sso?.value ?? '' },
    token: locationOf(answer).searchParams.get('token') ?? '',
  }
}

/** The LogoutResponse of the provider to a request of this service. */
const responseTo = async (inResponseTo: string, changes: object = {}) => {
  const xml = await buildLogoutResponse({
    id: newId(),
    issuer: IDP,
    destination: `${service.baseUrl}${SLO}`,
    now: clock.ms(),
    inResponseTo,
    status: STATUS_CODES.success,
    ...changes,
  })
  const { privateKey } = idpKey
  const url = await redirectUrl({ target: 'https://x.example', parameter: 'SAMLResponse', xml, privateKey })
  return url.slice(url.indexOf('?'))
}
const idIn = (location: URL): string => {
  const xml = inflateRawSync(Buffer.from(location.searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  return / ID="([^"]+)"/.exec(xml)?.[1] ?? ''
}

const pathIn = (url: URL | string) => String(url).slice(service.baseUrl.length)

describe('a sign-out of a session with a SAML provider and a SAML application', () => {
  const key = newSigningKey('sp.example')
  let count = 0
  const HTML = { accept: 'text/html' }
  const AFTER = 'https://rp.example/after?x=1'

  /** Returns a browser in which a user has signed in with the provider, and then to an application. */
  async function enter(email = newEmail(), fields: Record<string, unknown> = {}) {
    const app = await startServiceProvider(
      service,
      owner,
      { samlSpSloUrl: `https://notified${++count}.example/slo`, samlSpCertificate: key.certificate, ...fields },
      {
        privateKey: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        publicCert: key.certificate,
        signatureAlgorithm: 'sha256',
        digestAlgorithm: 'sha256',
      },
    )
    const { cookies, token } = await openBrowser(email)
    await verifiedProfile(app, await api('GET', await redirectPath(service, app), { cookies, headers: HTML }))
    /** Responds for the application and returns where the browser continues. */
    const answer = async (toApp: URL, success: boolean): Promise<URL> => {
      expect(toApp.host).toMatch(/^notified\d+\.example$/)
      const query = Object.fromEntries(toApp.searchParams)
      const { profile } = await app.saml.validateRedirectAsync(query, toApp.search.slice(1))
      const state = toApp.searchParams.get('RelayState') ?? ''
      const url = await app.saml.getLogoutResponseUrlAsync(profile as Profile, state, {}, success)
      return locationOf(await api('GET', pathIn(url), { cookies, headers: HTML }))
    }
    return { app, cookies, token, answer }
  }
  const atProvider = async (location: URL, changes: object = {}): Promise<string> => {
    expect(location.href).toMatch(/^https:\/\/idp\.example\/slo\?fixed=1&SAMLRequest=/)
    return locationOf(await api('GET', `${SLO}${await responseTo(idIn(location), changes)}`)).href
  }

  it.each([
    [true, '/login?saml=a:b'],
    [false, '/logged-out?error=saml_logout_incomplete'],
  ])('shows at the end whether the application signed out (%s): %s', async (success, end) => {
    const { token, answer } = await enter()
    const wanted = new URLSearchParams({ returnTo: '/login?saml=a:b' })
    const { body } = await api('POST', `/api/v1/sso/logout?${wanted}`, { token })
    expect(await atProvider(await answer(new URL(body.redirectTo), success))).toBe(`${service.baseUrl}${end}`)
  })

  it('continues from an OpenID Connect application to the provider and back to the application', async () => {
    for (const [success, changes] of [
      [true, {}],
      [false, { status: STATUS_CODES.responder }],
    ] as const) {
      const { cookies, token, answer } = await enter()
      const oidc = await registerApp(service, owner, { postLogoutRedirectUris: [AFTER] })
      const { id_token } = await tokensFor(service, oidc, { token })
      const params = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: AFTER, state: 's' })
      const left = await api('GET', `${oidc.idp}/end-session?${params}`, { cookies, headers: HTML })
      const toProvider = await answer(locationOf(left), success)
      expect(await atProvider(toProvider, changes)).toBe(`${AFTER}&state=s`)
    }
  })

  it('ends at the signed-out page after an OpenID Connect application without a redirect URI', async () => {
    const { cookies, token, answer } = await enter()
    const oidc = await registerApp(service, owner, {})
    const { id_token } = await tokensFor(service, oidc, { token })
    const asked = `${oidc.idp}/end-session?${new URLSearchParams({ id_token_hint: id_token })}`
    const toProvider = await answer(locationOf(await api('GET', asked, { cookies, headers: HTML })), false)
    expect(await atProvider(toProvider)).toBe(`${service.baseUrl}/logged-out?error=saml_logout_incomplete`)
  })

  it('takes the same route after the user has confirmed it', async () => {
    const { cookies, token, answer } = await enter()
    const oidc = await registerApp(service, owner, { postLogoutRedirectUris: [AFTER] })
    const params = new URLSearchParams({ client_id: oidc.clientId, post_logout_redirect_uri: AFTER })
    const page = locationOf(await api('GET', `${oidc.idp}/end-session?${params}`, { cookies, headers: HTML }))
    const confirmed = await api('POST', `/api/v1/public/logout/${page.searchParams.get('resume')}`, { token })
    const toProvider = await answer(new URL(confirmed.body.redirectTo), true)
    expect(await atProvider(toProvider)).toBe(AFTER)
  })
})

describe('a sign-out at the SAML provider of a session with SAML applications', () => {
  const key = newSigningKey('behind.example')
  const HTML = { accept: 'text/html' }
  const FORM = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example' }
  let count = 0

  /** Returns a browser in which a user has signed in with the provider, and then to some applications. */
  async function enter(...of: Record<string, unknown>[]) {
    const email = newEmail()
    const { cookies, token } = await openBrowser(email)
    const apps = []
    for (const fields of of) {
      const app = await startServiceProvider(
        service,
        owner,
        { samlSpSloUrl: `https://behind${++count}.example/slo`, samlSpCertificate: key.certificate, ...fields },
        {
          privateKey: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
          publicCert: key.certificate,
          signatureAlgorithm: 'sha256',
          digestAlgorithm: 'sha256',
        },
      )
      await verifiedProfile(app, await api('GET', await redirectPath(service, app), { cookies, headers: HTML }))
      apps.push(app)
    }
    return { email, cookies, token, apps }
  }
  const requestOf = (email: string, id: string) => ({
    id,
    issuer: IDP,
    destination: `${service.baseUrl}${SLO}`,
    now: clock.ms(),
    nameId: { value: email, format: NAME_ID_FORMATS.email },
    sessionIndexes: [],
  })
  /** Sends the LogoutRequest of the provider over the redirect binding. */
  const signOutAt = async (email: string, id = newId(), relayState = 'kept') => {
    const xml = await buildLogoutRequest(requestOf(email, id))
    const { privateKey } = idpKey
    const url = await redirectUrl({
      target: 'https://x.example',
      parameter: 'SAMLRequest',
      xml,
      relayState,
      privateKey,
    })
    return api('GET', `${SLO}${url.slice(url.indexOf('?'))}`, { headers: HTML })
  }
  type App = Awaited<ReturnType<typeof enter>>['apps'][number]
  /** Responds for an application and returns the response to that. */
  async function answer({ saml }: App, toApp: URL, success = true) {
    const { profile } = await saml.validateRedirectAsync(Object.fromEntries(toApp.searchParams), toApp.search.slice(1))
    const state = toApp.searchParams.get('RelayState') ?? ''
    const url = await saml.getLogoutResponseUrlAsync(profile as Profile, state, {}, success)
    return locationOf(await api('GET', pathIn(url), { headers: HTML }))
  }
  /** Returns the response that the provider receives. */
  const received = (location: URL) => {
    expect(location.href).toMatch(/^https:\/\/idp\.example\/slo\?fixed=1&SAMLResponse=/)
    const xml = inflateRawSync(Buffer.from(location.searchParams.get('SAMLResponse') ?? '', 'base64')).toString()
    const inResponseTo = / InResponseTo="([^"]+)"/.exec(xml)?.[1]
    return { statuses: statusesOf(xml), inResponseTo, relayState: location.searchParams.get('RelayState') }
  }

  it.each([
    [true, ['Success']],
    [false, ['Success', 'PartialLogout']],
  ])('signs out of every application before it responds (all succeed: %s): %s', async (success, statuses) => {
    const { email, token, apps } = await enter({}, {})
    const [first, second] = apps as [App, App]
    const id = newId()
    const toFirst = locationOf(await signOutAt(email, id))
    await expectSession(service, token, 'revoked')
    expect(toFirst.hostname).toMatch(/^behind\d+\.example$/)
    const toSecond = await answer(first, toFirst, success)
    expect(toSecond.hostname).toMatch(/^behind\d+\.example$/)
    expect(toSecond.hostname).not.toBe(toFirst.hostname)
    const resumed = await answer(second, toSecond)
    expect(resumed.origin).toBe(new URL(service.baseUrl).origin)
    const last = locationOf(await api('GET', pathIn(resumed), { headers: HTML }))
    expect(received(last)).toEqual({ statuses, inResponseTo: id, relayState: 'kept' })
    // Each sign-out is continued once, and only for its team.
    expect((await api('GET', pathIn(resumed))).body.code).toBe('sso_logout_not_found')
  })

  it('responds at once if no application of the session has a sign-out URL', async () => {
    const { email } = await enter({ samlSpSloUrl: null })
    expect(received(locationOf(await signOutAt(email))).statuses).toEqual(['Success'])
  })

  it('responds to a posted request by a form after the last application', async () => {
    await changeProvider(service, owner, site.id, { samlSloPostUrl: 'https://idp.example/slo-post' })
    const { email, apps } = await enter({})
    const id = newId()
    const field = Buffer.from(await buildLogoutRequest(requestOf(email, id), idpKey)).toString('base64')
    const raw = new URLSearchParams({ SAMLRequest: field, RelayState: 'kept' }).toString()
    const toApp = locationOf(await api('POST', SLO, { raw, headers: { ...HTML, ...FORM } }))
    const resumed = await answer(apps[0] as App, toApp)
    const { action, fields } = formOf(await api('GET', pathIn(resumed), { headers: HTML }))
    expect([action, fields.RelayState]).toEqual(['https://idp.example/slo-post', 'kept'])
    const xml = Buffer.from(fields.SAMLResponse ?? '', 'base64').toString()
    expect([statusesOf(xml), xml.includes(`InResponseTo="${id}"`)]).toEqual([['Success'], true])
    await changeProvider(service, owner, site.id, { samlSloPostUrl: null })
  })

  it('continues at the URL of its own team only', async () => {
    const { email, apps } = await enter({})
    const resumed = await answer(apps[0] as App, locationOf(await signOutAt(email)))
    const { teamId } = await registerUser(service)
    const elsewhere = pathIn(resumed).replace(site.teamId, teamId)
    expect((await api('GET', elsewhere)).body.code).toBe('sso_logout_not_found')
    expect(received(locationOf(await api('GET', pathIn(resumed)))).statuses).toEqual(['Success'])
  })

  it('rejects a RelayState of more than 2,048 bytes', async () => {
    const { email, token } = await enter({})
    const long = await signOutAt(email, newId(), 'x'.repeat(2_049))
    expect([long.status, long.text]).toEqual([400, expect.stringContaining('sso_logout_invalid')])
    await expectSession(service, token, 'active')
  })
})

describe('a sign-out that a SAML application requests', () => {
  const key = newSigningKey('asking.example')
  const HTML = { accept: 'text/html' }
  const answerOf = (location: URL) => {
    expect(location.href).toMatch(/^https:\/\/asking\.example\/slo\?SAMLResponse=/)
    const xml = inflateRawSync(Buffer.from(location.searchParams.get('SAMLResponse') ?? '', 'base64')).toString()
    return { statuses: statusesOf(xml), relayState: location.searchParams.get('RelayState') }
  }

  /** A browser that has signed in with the provider and then to the application, which requests the sign-out; returns the first redirect. */
  async function ask(before: (cookies: Record<string, string>) => Promise<void> = async () => {}, signed = true) {
    const app = await startServiceProvider(
      service,
      owner,
      { samlSpSloUrl: 'https://asking.example/slo', ...(signed && { samlSpCertificate: key.certificate }) },
      { privateKey: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), signatureAlgorithm: 'sha256' },
    )
    const { cookies, token } = await openBrowser()
    await before(cookies)
    const profile = await verifiedProfile(
      app,
      await api('GET', await redirectPath(service, app), { cookies, headers: HTML }),
    )
    const url = await app.saml.getLogoutUrlAsync(profile, 'kept', {})
    const first = locationOf(await api('GET', pathIn(url), { cookies, headers: HTML }))
    return { app, cookies, token, first }
  }
  const returnFromProvider = async (atProvider: URL, changes: object = {}) => {
    expect(atProvider.href).toMatch(/^https:\/\/idp\.example\/slo\?fixed=1&SAMLRequest=/)
    const back = locationOf(await api('GET', `${SLO}${await responseTo(idIn(atProvider), changes)}`))
    expect(back.origin).toBe(new URL(service.baseUrl).origin)
    return pathIn(back)
  }

  it.each([
    ['signs out', {}, ['Success']],
    ['does not', { status: STATUS_CODES.responder }, ['Success', 'PartialLogout']],
  ])('continues to the provider and responds afterwards if that %s', async (_how, changes, statuses) => {
    const { token, first } = await ask()
    await expectSession(service, token, 'revoked')
    const back = await returnFromProvider(first, changes)
    expect(answerOf(locationOf(await api('GET', back, { headers: HTML })))).toEqual({ statuses, relayState: 'kept' })
    expect((await api('GET', back)).body.code).toBe('saml_request_not_found')
  })

  it('continues there as well if the user has confirmed an unsigned request', async () => {
    const { token, cookies, first } = await ask(undefined, false)
    const confirmed = await api('POST', `/api/v1/public/logout/${first.searchParams.get('resume')}`, { token })
    const resumed = pathIn(confirmed.body.redirectTo)
    const back = await returnFromProvider(locationOf(await api('GET', resumed, { cookies, headers: HTML })))
    expect(answerOf(locationOf(await api('GET', back, { headers: HTML }))).statuses).toEqual(['Success'])
  })

  it('visits the other applications first, and reports at the end that one did not sign out', async () => {
    const other = await startServiceProvider(service, owner, { samlSpSloUrl: 'https://other.example/slo' })
    const { cookies, first } = await ask(async (cookies) => {
      await verifiedProfile(other, await api('GET', await redirectPath(service, other), { cookies, headers: HTML }))
    })
    expect(first.host).toBe('other.example')
    const query = Object.fromEntries(first.searchParams)
    const { profile } = await other.saml.validateRedirectAsync(query, first.search.slice(1))
    const state = first.searchParams.get('RelayState') ?? ''
    const rejected = await other.saml.getLogoutResponseUrlAsync(profile as Profile, state, {}, false)
    const back = await returnFromProvider(locationOf(await api('GET', pathIn(rejected), { cookies, headers: HTML })))
    const { statuses } = answerOf(locationOf(await api('GET', back, { headers: HTML })))
    expect(statuses).toEqual(['Success', 'PartialLogout'])
  })

  it('responds at once if the provider has no sign-out URL', async () => {
    await changeProvider(service, owner, site.id, { samlSloUrl: null })
    const { first } = await ask()
    expect(answerOf(first).statuses).toEqual(['Success'])
  })
})
