import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { authorize, confirm, locationOf, registerApp, uidOf } from '../../../../test/doubles/relying-party.js'
import {
  redirectPath,
  responseOf,
  startServiceProvider,
  statusesOf,
} from '../../../../test/doubles/saml-service-provider.js'
import { startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import { addColleague, logIn, newEmail, registerUser } from '../../../../test/factories/factories.js'
import { enrollApp } from '../../../../test/factories/factors.js'
import { addSamlSite, beginSaml, bring, lastRecorded, partsOf, signedXml } from '../../../../test/factories/saml-sso.js'
import {
  addProvider,
  beginSignIn,
  fetchMe,
  oidcProvider,
  resultOf,
  returnFromProvider,
} from '../../../../test/factories/sso.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { startService } from '../../../../test/harness/service.js'
import { at } from '../../../../test/peers/saml-peer.js'

const service = await startService()
const provider = await startScriptedProvider()
afterAll(async () => {
  await service.close()
  await provider.close()
})
const { api } = service
const owner = await registerUser(service)
const { id } = await addProvider(service, owner, oidcProvider(provider, { autoProvision: true }))
const site = await addSamlSite(service, owner, { autoProvision: true })
beforeEach(() => {
  provider.script = {}
})

const HOUR = 3_600
const MONTH = 30 * 86_400
const seconds = () => Math.floor(service.clock.ms() / 1_000)
/** Claims of a new user who authenticated this many seconds ago; undefined omits the time. */
const signedIn = (ago: number | undefined) => {
  const email = newEmail('person')
  return { sub: email, email, email_verified: true, ...(ago !== undefined && { auth_time: seconds() - ago }) }
}
/** The AuthnInstant of a SAML statement; the peer uses the clock of the service. */
const instant = (ago: number) => ({ authnInstant: at(-ago) })

/** Signs in with OpenID Connect and returns the parameters of the callback page. */
async function byOidc(query: Record<string, string>, ago: number | undefined): Promise<ApiResponse> {
  const { location, cookies } = await beginSignIn(service, id, query)
  return returnFromProvider(service, provider.authorize(location, signedIn(ago)), cookies)
}

async function bySaml(query: Record<string, string>, ago: number, email = newEmail('person')): Promise<ApiResponse> {
  const { cookies, requestId } = await beginSaml(site, query)
  const xml = signedXml({ ...partsOf({ email }), ...instant(ago) })
  return bring(site, xml, { cookies, relayState: requestId })
}

/** Returns the age in seconds of the authentication that a new session states. */
async function ageOf(answer: ApiResponse): Promise<number> {
  const { authenticatedAt } = await fetchMe(service, resultOf(answer).token)
  return seconds() - Math.floor(Date.parse(authenticatedAt) / 1_000)
}

/** The cookie that identifies a browser to the authorization endpoints. */
const browserOf = ({ cookies }: ApiResponse) => ({ keyward_sso: cookies.keyward_sso?.value ?? '' })

describe('the authentication time of a session', () => {
  it('equals the one that the provider states, and never lies in the future', async () => {
    expect(await ageOf(await byOidc({}, HOUR))).toBeCloseTo(HOUR, -1)
    expect(await ageOf(await bySaml({}, HOUR))).toBeCloseTo(HOUR, -1)
    expect(await ageOf(await byOidc({}, -60))).toBeGreaterThanOrEqual(0)
    expect(await ageOf(await bySaml({}, -60))).toBeGreaterThanOrEqual(0)
  })

  it('dates back at most a month, and a month if the provider states none', async () => {
    expect(await ageOf(await byOidc({}, 10 * MONTH))).toBeCloseTo(MONTH, -1)
    expect(await ageOf(await bySaml({}, 10 * MONTH))).toBeCloseTo(MONTH, -1)
    expect(await ageOf(await byOidc({}, undefined))).toBeCloseTo(MONTH, -1)
    for (const nonsense of ['1', null, Number.MAX_VALUE, -1]) {
      provider.script.claims = { auth_time: nonsense }
      const age = await ageOf(await byOidc({}, undefined))
      expect(age).toBeGreaterThanOrEqual(0)
      expect(age).toBeLessThanOrEqual(MONTH + 10)
    }
  })

  it('remains after a second factor is verified here', async () => {
    const member = await addColleague(service, owner)
    const app = await enrollApp(service, await logIn(service, member))
    const result = resultOf(await bySaml({}, HOUR, member.email))
    await service.clock.advance(60_000)
    const { body } = await api('POST', '/api/v1/auth/mfa/verify-challenge', {
      body: { mfaToken: result.mfaToken, code: app.code() },
    })
    const { authenticatedAt } = await fetchMe(service, body.accessToken)
    expect(seconds() - Date.parse(authenticatedAt) / 1_000).toBeCloseTo(HOUR + 60, -1)
  })

  it('rejects an operation that requires a recent authentication until the user signs in again', async () => {
    // The provider signs its owner in; creating API tokens requires a recent authentication.
    const acting = async (maxAge: Record<string, string>, ago: number) => {
      const { token } = resultOf(await bySaml(maxAge, ago, owner.email))
      return api('POST', '/api/v1/api-tokens', { token, body: { name: 'Sync', scopes: ['users:read'] } })
    }
    const old = await acting({}, HOUR)
    expect([old.status, old.body.code]).toEqual([403, 'reauthentication_required'])
    expect((await acting({ maxAge: '0' }, 5)).status).toBe(201)
  })
})

describe('a sign-in with maxAge', () => {
  it('requests the age from the provider in its protocol', async () => {
    const asked = async (query: Record<string, string>) => (await beginSignIn(service, id, query)).location.searchParams
    const plain = await asked({})
    expect([plain.get('max_age'), plain.get('prompt')]).toEqual([null, null])
    const fresh = await asked({ maxAge: '0' })
    expect([fresh.get('max_age'), fresh.get('prompt')]).toEqual(['0', 'login'])
    const young = await asked({ maxAge: '300' })
    expect([young.get('max_age'), young.get('prompt')]).toEqual(['300', null])
    expect((await beginSaml(site)).request).not.toContain('ForceAuthn')
    for (const maxAge of ['0', '300'])
      expect((await beginSaml(site, { maxAge })).request).toContain(' ForceAuthn="true"')
  })

  it.each(['-1', 'x', '1.5', '2592001', ''])('rejects %j as maxAge', async (maxAge) => {
    const { status, body } = await api('GET', `/api/v1/sso/oidc/${id}/login?maxAge=${maxAge}`)
    expect([status, body.code]).toEqual([400, 'invalid_request'])
  })

  it('accepts a recent authentication, dated at most when it was requested, with any clock of the provider', async () => {
    for (const age of [await byOidc({ maxAge: '0' }, 5), await byOidc({ maxAge: '0' }, 110)])
      expect(await ageOf(age)).toBeLessThan(5)
    for (const age of [await bySaml({ maxAge: '0' }, 5), await bySaml({ maxAge: '0' }, 110)])
      expect(await ageOf(age)).toBeLessThan(5)
    expect(await ageOf(await byOidc({ maxAge: '300' }, 200))).toBeCloseTo(200, -1)
    expect(await ageOf(await byOidc({ maxAge: '300' }, 400))).toBeCloseTo(300, -1)
  })

  it('rejects an older authentication, or one without a time, and creates nothing', async () => {
    const answers = [
      await byOidc({ maxAge: '0' }, 130),
      await byOidc({ maxAge: '300' }, 430),
      await byOidc({ maxAge: '0' }, undefined),
      await bySaml({ maxAge: '0' }, 130),
      await bySaml({ maxAge: '300' }, 430),
    ]
    for (const answer of answers) {
      expect(resultOf(answer)).toEqual({ error: 'sso_sign_in_too_old', requestId: expect.any(String) })
      expect(answer.cookies).toEqual({})
    }
    const email = newEmail('rejected')
    await bySaml({ maxAge: '0' }, HOUR, email)
    expect(await service.sql('SELECT 1 FROM users WHERE email = $1', [email])).toEqual([])
    const recorded = await lastRecorded(site, owner)
    expect(recorded).toMatchObject({ outcome: 'refused', error: 'sso_sign_in_too_old' })
    expect(recorded.checks).toContainEqual({
      id: 'sign_in_age',
      status: 'failed',
      expected: expect.stringMatching(/^at most \d s ago$/),
      found: expect.stringMatching(/^36\d\d s ago$/),
      detail: expect.stringContaining('returned an older one'),
    })
    const { body } = await api('GET', '/api/v1/audit/logs?action=user.login&result=FAILURE', { token: owner.token })
    const reasons = body.data.map(({ metadata }: { metadata: { reason: string } }) => metadata.reason)
    expect(reasons.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 'sso_sign_in_too_old'))
  })
})

describe('ForceAuthn of a SAML application', async () => {
  const sp = await startServiceProvider(service, owner, {}, { forceAuthn: true })
  const visit = (path: string, cookies = {}) => api('GET', path, { cookies, headers: { accept: 'text/html' } })

  /** The pending request: the query of its URL and where it continues. */
  async function begin(): Promise<{ saml: string; resume: string }> {
    const page = locationOf(await visit(await redirectPath(service, sp)))
    const saml = page.searchParams.get('saml') ?? ''
    return { saml, resume: `${sp.idp}/sso?resume=${saml.split(':')[1]}` }
  }

  it('passes it to the sign-in page', async () => {
    const { saml } = await begin()
    expect((await api('GET', `/api/v1/public/bootstrap?saml=${saml}`)).body.signInMaxAge).toBe(0)
    const calm = await startServiceProvider(service, owner)
    const page = locationOf(await visit(await redirectPath(service, calm)))
    const { body } = await api('GET', `/api/v1/public/bootstrap?saml=${page.searchParams.get('saml')}`)
    expect(body).not.toHaveProperty('signInMaxAge')
  })

  it('accepts an authentication that was requested from the provider, and states its time', async () => {
    const { saml, resume } = await begin()
    const begunAt = service.clock.ms()
    const back = await bySaml({ maxAge: '0', returnTo: `/login?saml=${saml}` }, 20)
    const xml = responseOf(await visit(resume, browserOf(back)))
    expect(statusesOf(xml)).toEqual(['Success'])
    expect(Date.parse(/AuthnInstant="([^"]+)"/.exec(xml)?.[1] ?? '')).toBeGreaterThanOrEqual(begunAt)
  })

  it('rejects an old authentication in a browser that has not requested a new one', async () => {
    for (const back of [await bySaml({}, HOUR), await byOidc({}, HOUR), await byOidc({}, undefined)]) {
      const { saml, resume } = await begin()
      expect(locationOf(await visit(resume, browserOf(back))).pathname).toBe('/login')
      const { body } = await api('GET', `${sp.idp}/requests/${saml.split(':')[1]}`, { token: resultOf(back).token })
      expect(body.loginRequired).toBe(true)
    }
    // The provider was visited after the request, but returned its earlier authentication.
    const { resume } = await begin()
    for (const back of [await bySaml({}, HOUR), await byOidc({}, undefined)])
      expect(locationOf(await visit(resume, browserOf(back))).pathname).toBe('/login')
  })
})

describe('a recent sign-in that an OpenID Connect application requires', async () => {
  const app = await registerApp(service, owner)

  it.each([
    [{ prompt: 'login' }, 0],
    [{ max_age: '0' }, 0],
    [{ max_age: '300' }, 300],
    [{ prompt: 'login', max_age: '300' }, 0],
    [{}, undefined],
  ])('passes %j to the sign-in page as %s', async (params, expected) => {
    const uid = uidOf(await authorize(service, app, params))
    expect((await api('GET', `/api/v1/public/bootstrap?uid=${uid}`)).body.signInMaxAge).toBe(expected)
  })

  it.each([{ prompt: 'login' }, { max_age: '0' }, { max_age: '300' }])(
    'issues a code, with %j, only for an authentication that was requested from the provider',
    async (params) => {
      const uid = uidOf(await authorize(service, app, params))
      for (const back of [await byOidc({}, HOUR), await bySaml({}, HOUR), await byOidc({}, undefined)]) {
        const { token } = resultOf(back)
        const seen = await api('GET', `${app.idp}/interaction/${uid}`, { token })
        expect(seen.body.loginRequired).toBe(true)
        const rejected = await api('POST', `${app.idp}/interaction/${uid}/confirm`, { token, body: { consent: true } })
        expect([rejected.status, rejected.body.code]).toEqual([403, 'reauthentication_required'])
      }
      const { token = '' } = resultOf(await byOidc({ maxAge: '0' }, 5))
      expect((await confirm(service, app, uid, { token })).searchParams.get('code')).not.toBeNull()
    },
  )
})
