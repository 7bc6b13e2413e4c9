import type { Profile } from '@node-saml/node-saml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiAnswer } from '../../../test/api.js'
import {
  addColleague,
  atOnce,
  expectRefusal,
  expectSession,
  registerUser,
  type TestUser,
} from '../../../test/factories.js'
import { signInBrowser } from '../../../test/relying-party.js'
import { newSigningKey } from '../../../test/saml-peer.js'
import {
  acceptedBy,
  formOf,
  redirectPath,
  startServiceProvider,
  statusesOf,
  type TestServiceProvider,
} from '../../../test/saml-service-provider.js'
import { startService, type TestService } from '../../../test/service.js'
import { MINUTE } from '../../platform/clock.js'
import { buildLogoutRequest, NAME_ID_FORMATS, newId, redirectUrl } from '../../protocols/saml/index.js'

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
/** An application with an address for sign-outs. */
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
  acceptedBy(app, await visit(await redirectPath(service, app), session))
const pathOf = (url: string): string => url.slice(service.baseUrl.length)
const logoutPath = async ({ saml }: TestServiceProvider, profile: Profile, state = 'back'): Promise<string> =>
  pathOf(await saml.getLogoutUrlAsync(profile, state, {}))
const targetOf = ({ status, headers, text }: ApiAnswer): URL => {
  expect(status, text).toBe(302)
  return new URL(headers.get('location') ?? '')
}
/** What the other implementation makes of a message that we sent by the browser, once it has verified it. */
const heardBy = ({ saml }: TestServiceProvider, { search, searchParams }: URL) =>
  saml.validateRedirectAsync(Object.fromEntries(searchParams), search.slice(1))
const statusIn = async (url: URL): Promise<string[]> => {
  const { inflateRawSync } = await import('node:zlib')
  return statusesOf(inflateRawSync(Buffer.from(url.searchParams.get('SAMLResponse') ?? '', 'base64')).toString())
}
/** A request that is signed, and does not say where it goes. */
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
/** An application answers the request that the browser brought it. */
async function answerOf(app: TestServiceProvider, url: URL, success = true): Promise<string> {
  const { profile } = await heardBy(app, url)
  const state = url.searchParams.get('RelayState') ?? ''
  return pathOf(await app.saml.getLogoutResponseUrlAsync(profile as Profile, state, {}, success))
}

describe('a sign-out by an application', () => {
  it('ends the session that it was told of, everywhere, and is answered by a signed message', async () => {
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

  it('leaves the other sessions of the user alone, and those of others', async () => {
    const app = await startApp()
    const [first, second] = [await signInBrowser(service, owner), await signInBrowser(service, owner)]
    const profile = await enter(app, first)
    await enter(app, second)
    await visit(await logoutPath(app, profile), first)
    await expectSession(service, first.token, 'ended')
    await expectSession(service, second.token, 'alive')
  })

  it('of a session that is over already is answered as done, however often', async () => {
    const app = await startApp()
    const session = await signInBrowser(service, owner)
    const path = await logoutPath(app, await enter(app, session))
    const answers = await atOnce(5, () => visit(path, session))
    for (const answer of answers) expect(await statusIn(targetOf(answer))).toEqual(['Success'])
  })

  it('counts once: played again, it ends nothing that was begun since', async () => {
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

  it('without the cookie reaches no session that is at home in another team, and says that not all is over', async () => {
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

  it('goes on to every other application of the session, and back to the one that asked', async () => {
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

  it('goes on behind one that fails, and says that not all is over', async () => {
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
    // Each step counts once.
    expectRefusal(await service.api('GET', broken), 404, 'saml_request_not_found')
  })

  it('passes over one that has lost its address', async () => {
    const [asking, gone] = [await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await enter(asking, session)
    await enter(gone, session)
    await service.api('PUT', `/api/v1/applications/${gone.id}`, { token: owner.token, body: { samlSpSloUrl: null } })
    expect(await statusIn(targetOf(await visit(await logoutPath(asking, profile), session)))).toEqual(['Success'])
  })

  it('without an address for the answer ends at our own page', async () => {
    const app = await startApp({ samlSpSloUrl: null })
    const session = await signInBrowser(service, owner)
    const url = targetOf(await visit(await logoutPath(app, await enter(app, session)), session))
    expect(url.pathname).toBe('/logged-out')
    await expectSession(service, session.token, 'ended')
  })
})

describe('an unsigned sign-out', () => {
  it('ends the session of its own browser, of an application without a certificate', async () => {
    const app = await startApp({ signs: false })
    const [own, other] = [await signInBrowser(service, owner), await signInBrowser(service, owner)]
    const profile = await enter(app, own)
    await enter(app, other)
    const path = await logoutPath(app, { ...profile, sessionIndex: undefined } as unknown as Profile)
    await visit(path, { cookies: {} })
    await expectSession(service, own.token, 'alive')
    expect(await statusIn(targetOf(await visit(path, own)))).toEqual(['Success'])
    await expectSession(service, own.token, 'ended')
    await expectSession(service, other.token, 'alive')
  })

  it('by a form of another site, which brings no cookie, is refused by the answer', async () => {
    const app = await startApp({ signs: false })
    const session = await signInBrowser(service, owner)
    const url = new URL(`${service.baseUrl}${await logoutPath(app, await enter(app, session))}`)
    const { inflateRawSync } = await import('node:zlib')
    const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64'))
    const answer = await service.api('POST', `${app.idp}/slo`, {
      raw: new URLSearchParams({ SAMLRequest: xml.toString('base64'), RelayState: 'x' }).toString(),
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

describe('a sign-out is refused, and ends nothing,', () => {
  it('of a name that this application was never told', async () => {
    const [app, other] = [await startApp(), await startApp()]
    const session = await signInBrowser(service, owner)
    const profile = await enter(app, session)
    // Signed by the right key, for somebody who never came to it.
    await visit(await logoutPath(other, profile), session)
    await expectSession(service, session.token, 'alive')
  })

  it('that is stripped of its signature, altered, too old, or of another application', async () => {
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
      expectRefusal(await service.api('GET', bad, { cookies: session.cookies }), 400, 'saml_request_invalid')
    await service.clock.advance(10 * MINUTE)
    expectRefusal(await service.api('GET', path, { cookies: session.cookies }), 400, 'saml_request_invalid')
    expectRefusal(await service.api('GET', `${app.idp}/slo?SAMLResponse=x`), 404, 'saml_request_not_found')
    const left = await service.sql(
      "SELECT 1 FROM sessions WHERE user_id = $1 AND end_reason = 'logout' AND sso_hash = sha256($2)",
      [owner.id, Buffer.from(session.cookies.keyward_sso ?? '')],
    )
    expect(left).toEqual([])
  })
})
