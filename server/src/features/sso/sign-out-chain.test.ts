import { inflateRawSync } from 'node:zlib'
import type { Profile } from '@node-saml/node-saml'
import { afterAll, describe, expect, it } from 'vitest'
import { newEmail, registerUser } from '../../../test/factories.js'
import { locationOf, registerApp, tokensFor } from '../../../test/relying-party.js'
import { IDP, idpKey, newSigningKey } from '../../../test/saml-peer.js'
import { acceptedBy, redirectPath, startServiceProvider } from '../../../test/saml-service-provider.js'
import { addSamlSite, beginSaml, bring, partsOf, signedXml } from '../../../test/saml-sso.js'
import { startService } from '../../../test/service.js'
import { buildLogoutResponse, newId, redirectUrl, STATUS_CODES } from '../../protocols/saml/index.js'

const service = await startService()
afterAll(() => service.close())
const { api, clock } = service
const owner = await registerUser(service)
const site = await addSamlSite(service, owner, { autoProvision: true, samlSloUrl: 'https://idp.example/slo?fixed=1' })
const SLO = `/api/v1/sso/saml/${site.teamId}/slo`

/** A browser in which somebody has signed in by the provider. */
async function openBrowser(): Promise<{ cookies: Record<string, string>; token: string }> {
  const { cookies, requestId } = await beginSaml(site)
  const answer = await bring(site, signedXml(partsOf({ email: newEmail() })), { cookies, relayState: requestId })
  return {
    cookies: { keyward_sso: answer.cookies.keyward_sso?.value ?? '' },
    token: locationOf(answer).searchParams.get('token') ?? '',
  }
}

/** What the provider answers to a request of ours. */
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

describe('a sign-out of a session that a provider opened and that an application of SAML was told of', () => {
  const key = newSigningKey('sp.example')
  let count = 0
  const HTML = { accept: 'text/html' }
  const AFTER = 'https://rp.example/after?x=1'
  const pathIn = (url: URL | string) => String(url).slice(service.baseUrl.length)

  /** A browser in which somebody has signed in by the provider, and then to an application. */
  async function enter() {
    const app = await startServiceProvider(
      service,
      owner,
      { samlSpSloUrl: `https://told${++count}.example/slo`, samlSpCertificate: key.certificate },
      {
        privateKey: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        publicCert: key.certificate,
        signatureAlgorithm: 'sha256',
        digestAlgorithm: 'sha256',
      },
    )
    const { cookies, token } = await openBrowser()
    await acceptedBy(app, await api('GET', await redirectPath(service, app), { cookies, headers: HTML }))
    /** The application answers its request; where the browser goes on to. */
    const answer = async (toApp: URL, success: boolean): Promise<URL> => {
      expect(toApp.host).toMatch(/^told\d+\.example$/)
      const query = Object.fromEntries(toApp.searchParams)
      const { profile } = await app.saml.validateRedirectAsync(query, toApp.search.slice(1))
      const state = toApp.searchParams.get('RelayState') ?? ''
      const url = await app.saml.getLogoutResponseUrlAsync(profile as Profile, state, {}, success)
      return locationOf(await api('GET', pathIn(url), { cookies, headers: HTML }))
    }
    return { cookies, token, answer }
  }
  const atProvider = async (location: URL, changes: object = {}): Promise<string> => {
    expect(location.href).toMatch(/^https:\/\/idp\.example\/slo\?fixed=1&SAMLRequest=/)
    return locationOf(await api('GET', `${SLO}${await responseTo(idIn(location), changes)}`)).href
  }

  it.each([
    [true, '/login?saml=a:b'],
    [false, '/logged-out?error=saml_logout_incomplete'],
  ])('says in the end whether the application signed out (%s): %s', async (success, end) => {
    const { token, answer } = await enter()
    const wanted = new URLSearchParams({ returnTo: '/login?saml=a:b' })
    const { body } = await api('POST', `/api/v1/sso/logout?${wanted}`, { token })
    expect(await atProvider(await answer(new URL(body.redirectTo), success))).toBe(`${service.baseUrl}${end}`)
  })

  it('that an application of OpenID Connect asks for goes on to the provider, and then back to it', async () => {
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

  it('that an application of OpenID Connect asks for without an address to go back to ends at our page', async () => {
    const { cookies, token, answer } = await enter()
    const oidc = await registerApp(service, owner, {})
    const { id_token } = await tokensFor(service, oidc, { token })
    const asked = `${oidc.idp}/end-session?${new URLSearchParams({ id_token_hint: id_token })}`
    const toProvider = await answer(locationOf(await api('GET', asked, { cookies, headers: HTML })), false)
    expect(await atProvider(toProvider)).toBe(`${service.baseUrl}/logged-out?error=saml_logout_incomplete`)
  })

  it('that its user confirms goes the same way', async () => {
    const { cookies, token, answer } = await enter()
    const oidc = await registerApp(service, owner, { postLogoutRedirectUris: [AFTER] })
    const params = new URLSearchParams({ client_id: oidc.clientId, post_logout_redirect_uri: AFTER })
    const page = locationOf(await api('GET', `${oidc.idp}/end-session?${params}`, { cookies, headers: HTML }))
    const confirmed = await api('POST', `/api/v1/public/logout/${page.searchParams.get('resume')}`, { token })
    const toProvider = await answer(new URL(confirmed.body.redirectTo), true)
    expect(await atProvider(toProvider)).toBe(AFTER)
  })
})
