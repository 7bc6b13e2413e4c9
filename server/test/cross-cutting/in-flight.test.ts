import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorize,
  codeFor,
  exchangeCode,
  isActive,
  pkce,
  refresh,
  registerApp,
  type TestApp,
  uidOf,
} from '../doubles/relying-party.js'
import { type ScriptedProvider, startScriptedProvider } from '../doubles/scripted-provider.js'
import { type Authenticator, createAuthenticator } from '../factories/authenticator.js'
import {
  joinTeam,
  logIn,
  registerUser,
  requestToken,
  type TestUser,
  verifyEmailAddress,
} from '../factories/factories.js'
import { addProvider, beginSignIn, oidcProvider, returnFromProvider } from '../factories/sso.js'
import type { ApiResponse } from '../harness/api.js'
import { startService, type TestService } from '../harness/service.js'
import { LONG } from '../harness/some-of.js'

const ROUNDS = LONG ? 20 : 4
const SCOPE = 'openid offline_access'

/** The credentials that the requests of a round returned. */
interface Created {
  sessions: string[]
  refreshTokens: string[]
  ssoSession: string | undefined
  apiToken: string | undefined
  passkey: Authenticator | undefined
  codes: { code: string; verifier: string }[]
  grants: { access_token: string; refresh_token: string }[]
}

describe('a request that creates credentials while the access of its user is revoked', () => {
  let service: TestService
  let provider: ScriptedProvider
  let owner: TestUser
  let app: TestApp
  let providerId: string
  beforeAll(async () => {
    service = await startService()
    provider = await startScriptedProvider()
    owner = await registerUser(service)
    app = await registerApp(service, owner)
    providerId = (await addProvider(service, owner, oidcProvider(provider))).id
  })
  afterAll(async () => {
    await service.close()
    await provider.close()
  })

  const as = (token: string, method: string, path: string, body?: unknown) =>
    service.api(method, `/api/v1/${path}`, { token, ...(body !== undefined && { body }) })
  const post = (path: string, body: unknown) => service.api('POST', `/api/v1/${path}`, { body })
  const later = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds))

  /** Creates a member of the team and prepares the requests of a round. */
  async function prepare(verified: boolean) {
    let user = await registerUser(service)
    if (verified) await verifyEmailAddress(service, user)
    await joinTeam(service, user, owner.teamId, { role: 'ORG_ADMIN' })
    const { body } = await post('auth/login', { email: user.email, password: user.password, teamId: owner.teamId })
    user = { ...user, token: body.accessToken, refreshToken: body.refreshToken }
    const options = await as(user.token, 'GET', 'auth/mfa/passkey/options')
    const passkey = createAuthenticator()
    const credential = passkey.create(options.body)
    const ready = await codeFor(service, app, user, { scope: SCOPE })
    const proof = pkce()
    const params = { scope: SCOPE, code_challenge: proof.challenge, code_challenge_method: 'S256', prompt: 'consent' }
    const uid = uidOf(await authorize(service, app, params))
    const { location, cookies } = await beginSignIn(service, providerId)
    const callback = provider.authorize(location, { sub: `sub-${user.id}`, email: user.email, email_verified: true })
    const requests = {
      passkey: () => as(user.token, 'POST', 'auth/mfa/passkey/enroll', { credential }),
      apiToken: () => as(user.token, 'POST', 'api-tokens', { name: 'CI', scopes: ['org:read'] }),
      consent: () =>
        service.api('POST', `${app.idp}/interaction/${uid}/confirm`, { token: user.token, body: { consent: true } }),
      exchange: () => exchangeCode(service, app, ready),
      refresh: () => post('auth/refresh', { refreshToken: user.refreshToken }),
      sso: () => returnFromProvider(service, callback, cookies),
    }
    return { user, passkey, proof, ready, requests }
  }
  type Prepared = Awaited<ReturnType<typeof prepare>>

  /** Sends the requests concurrently with the one that revokes the access, at a different time in each round. */
  async function race(
    { user, passkey, proof, ready, requests }: Prepared,
    round: number,
    end: () => Promise<ApiResponse>,
  ) {
    const names = Object.keys(requests) as (keyof typeof requests)[]
    const first = round % names.length
    const ordered = [...names.slice(first), ...names.slice(0, first)]
    const answers = {} as Record<keyof typeof requests, ApiResponse>
    await Promise.all([
      ...ordered.map(async (name, place) => {
        await later(place * 2)
        answers[name] = await requests[name]()
      }),
      later((round % 5) * 3).then(async () => expect((await end()).status).toBeLessThan(300)),
    ])
    const ok = (name: keyof typeof requests) => (answers[name].status < 300 ? answers[name].body : undefined)
    const page = answers.sso.headers.get('location')
    const callback = ok('consent') && new URL(ok('consent').redirectTo).searchParams.get('code')
    return {
      sessions: [user.token, ...(ok('refresh') ? [ok('refresh').accessToken] : [])],
      refreshTokens: [user.refreshToken, ...(ok('refresh') ? [ok('refresh').refreshToken] : [])],
      ssoSession: page ? (new URL(page).searchParams.get('token') ?? undefined) : undefined,
      apiToken: ok('apiToken')?.token,
      passkey: ok('passkey') && passkey,
      codes: [...(callback ? [{ code: callback, verifier: proof.verifier }] : []), ready],
      grants: ok('exchange') ? [ok('exchange')] : [],
    } satisfies Created
  }

  const statusOf = async (token: string) => (await as(token, 'GET', 'auth/me')).status
  async function signInByPasskey(authenticator: Authenticator, teamId?: string): Promise<ApiResponse> {
    const { body } = await service.api('POST', '/api/v1/auth/passkey/options')
    return post('auth/passkey/verify', { credential: authenticator.get(body), ...(teamId && { teamId }) })
  }
  async function expectSessionsEnded({ sessions, refreshTokens }: Created): Promise<void> {
    for (const token of sessions) expect(await statusOf(token)).toBe(401)
    for (const refreshToken of refreshTokens) expect((await post('auth/refresh', { refreshToken })).status).toBe(401)
  }
  async function expectGrantsEnded({ codes, grants }: Created): Promise<void> {
    for (const { access_token, refresh_token } of grants) {
      expect(await isActive(service, access_token)).toBe(false)
      expect(await isActive(service, refresh_token)).toBe(false)
      expect((await refresh(service, app, refresh_token)).status).toBe(400)
    }
    for (const code of codes) expect((await exchangeCode(service, app, code)).status).toBe(400)
  }
  const reset = async ({ email }: TestUser) => {
    const token = await requestToken(service, 'password_reset', email)
    return () => post('auth/reset-password', { token, newPassword: 'a new battery staple' })
  }

  it('leaves no access after a first verification by a reset', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const prepared = await prepare(false)
      const created = await race(prepared, round, await reset(prepared.user))
      await expectSessionsEnded(created)
      await expectGrantsEnded(created)
      if (created.apiToken) expect((await as(created.apiToken, 'GET', 'org')).status).toBe(401)
      if (created.passkey) expect((await signInByPasskey(created.passkey)).status).toBe(401)
      // The provider may sign the user in to its own team again.
      const sso = created.ssoSession && (await as(created.ssoSession, 'GET', 'auth/me'))
      if (sso && sso.status === 200) expect(sso.body.session.confined).toBe(true)
    }
  })

  it('leaves no session and no grant after a reset of a verified account', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const prepared = await prepare(true)
      const created = await race(prepared, round, await reset(prepared.user))
      await expectSessionsEnded(created)
      await expectGrantsEnded(created)
    }
  })

  it.each([
    ['a removal', (id: string) => as(owner.token, 'DELETE', `users/${id}`)],
    ['a suspension', (id: string) => as(owner.token, 'PUT', `users/${id}`, { status: 'suspended' })],
  ])('leaves no access to the team after %s', async (_, end) => {
    for (let round = 0; round < ROUNDS; round++) {
      const prepared = await prepare(true)
      owner = { ...(await logIn(service, owner)), teamId: owner.teamId }
      const created = await race(prepared, round, () => end(prepared.user.id))
      await expectSessionsEnded(created)
      await expectGrantsEnded(created)
      if (created.apiToken) expect((await as(created.apiToken, 'GET', 'org')).status).toBe(401)
      if (created.ssoSession) expect(await statusOf(created.ssoSession)).toBe(401)
      if (created.passkey) {
        expect((await signInByPasskey(created.passkey, owner.teamId)).status).toBe(403)
        const { body } = await signInByPasskey(created.passkey)
        expect(body.team.id).not.toBe(owner.teamId)
      }
    }
  })
})
