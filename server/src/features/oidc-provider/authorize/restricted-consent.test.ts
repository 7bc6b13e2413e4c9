import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  authorize,
  expectOAuthError,
  isActive,
  locationOf,
  pkce,
  registerApp,
  requestTokens,
  signInBrowser,
  type TestApp,
  tokensFor,
} from '../../../../test/doubles/relying-party.js'
import {
  addUser,
  expectError,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const TEMPORARY = 'set by the team, not by the user'
const EVERYTHING = 'openid profile email offline_access'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

let service: TestService
let owner: TestUser
let user: TestUser
let app: TestApp
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  owner = await registerUser(service)
  user = await registerUser(service)
  await verifyEmailAddress(service, user)
  app = await registerApp(service, owner)
  const { id } = await addUser(service, owner, { email: user.email, temporaryPassword: TEMPORARY })
  await service.api('PUT', `/api/v1/users/${id}`, { token: owner.token, body: { status: 'active' } })
})

/** Creates a session in which the team has signed in as the user. */
async function asTeam(): Promise<Pick<TestUser, 'token'>> {
  const body = { email: user.email, password: TEMPORARY, teamId: owner.teamId }
  const answer = await service.api('POST', '/api/v1/auth/login', { body })
  expect(answer.status).toBe(200)
  return { token: answer.body.accessToken }
}

const grants = async ({ token }: Pick<TestUser, 'token'>) =>
  (await service.api('GET', '/api/v1/auth/grants', { token })).body.data
const withdraw = ({ token }: Pick<TestUser, 'token'>, id = app.id) =>
  service.api('DELETE', `/api/v1/auth/grants/${id}`, { token })

/** Returns the response without a page for all scopes, with the cookie of the user's own browser. */
async function withoutPage(cookies: Record<string, string>): Promise<string | null> {
  const { challenge } = pkce()
  const params = { scope: EVERYTHING, prompt: 'none', code_challenge: challenge, code_challenge_method: 'S256' }
  return locationOf(await authorize(service, app, params, cookies)).searchParams.get('error')
}

describe('a consent in a session that is restricted to a team', () => {
  it('needs a consent separate from that in an unrestricted session', async () => {
    await tokensFor(service, app, await asTeam(), { scope: EVERYTHING })
    const browser = await signInBrowser(service, user)
    await tokensFor(service, app, browser, { scope: 'openid' })
    expect(await withoutPage(browser.cookies)).toBe('consent_required')
    await tokensFor(service, app, browser, { scope: EVERYTHING })
    expect(await withoutPage(browser.cookies)).toBeNull()
  })

  it('shows and withdraws nothing of the consent in an unrestricted session', async () => {
    const own = (await tokensFor(service, app, user, { scope: 'openid email' })).access_token
    const team = await asTeam()
    expect(await grants(team)).toEqual([])
    expectError(await withdraw(team), 404, 'grant_not_found')

    const restricted = (await tokensFor(service, app, team, { scope: 'openid' })).access_token
    expect((await grants(team)).map(({ scopes }: { scopes: string[] }) => scopes)).toEqual([['openid']])
    expect((await withdraw(team)).status).toBe(200)
    expect(await isActive(service, restricted)).toBe(false)
    expect(await isActive(service, own)).toBe(true)
    expect(await grants(user)).toHaveLength(1)
  })

  it('appears in an unrestricted session, whose withdrawal includes all other grants of the application', async () => {
    const own = (await tokensFor(service, app, user, { scope: 'openid email' })).access_token
    const restricted = (await tokensFor(service, app, await asTeam(), { scope: 'openid profile' })).access_token
    const [grant, ...more] = await grants(user)
    expect(more).toEqual([])
    expect(grant.scopes).toEqual(['email', 'openid', 'profile'])
    expect((await withdraw(user)).status).toBe(200)
    expect([await isActive(service, own), await isActive(service, restricted)]).toEqual([false, false])
    expect(await grants(user)).toEqual([])
  })

  it('excludes an agent whose grant the user withdrew', async () => {
    const fields = {
      isAiAgent: true,
      grantTypes: ['client_credentials', EXCHANGE],
      responseTypes: [],
      redirectUris: [],
    }
    const agent = await registerApp(service, owner, fields)
    const exchange = async () =>
      requestTokens(service, agent, {
        grant_type: EXCHANGE,
        subject_token: (await tokensFor(service, app, user, { scope: 'openid email' })).access_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      })
    expect((await exchange()).status).toBe(200)
    expect((await withdraw(user, agent.id)).status).toBe(200)

    const team = await asTeam()
    expect((await service.api('GET', '/api/v1/auth/grants/withdrawn', { token: team.token })).body.data).toEqual([])
    const allowed = await service.api('POST', `/api/v1/auth/grants/${agent.id}/allow`, { token: team.token })
    expectError(allowed, 404, 'withdrawn_grant_not_found')
    expectOAuthError(await exchange(), 'access_denied')
  })

  it('allows withdrawing and restoring the grant in a restricted session, for an agent too', async () => {
    const fields = {
      isAiAgent: true,
      grantTypes: ['client_credentials', EXCHANGE],
      responseTypes: [],
      redirectUris: [],
    }
    const agent = await registerApp(service, owner, fields)
    const team = await asTeam()
    const exchange = async () =>
      requestTokens(service, agent, {
        grant_type: EXCHANGE,
        subject_token: (await tokensFor(service, app, team, { scope: 'openid email' })).access_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      })
    expect((await exchange()).status).toBe(200)
    expect((await withdraw(team, agent.id)).status).toBe(200)
    expectOAuthError(await exchange(), 'access_denied')
    const path = `/api/v1/auth/grants/${agent.id}/allow`
    expect((await service.api('POST', path, { token: team.token })).status).toBe(200)
    expect((await exchange()).status).toBe(200)
  })

  it('ends no session of the user with an ID token of that application', async () => {
    const { id_token: hint } = await tokensFor(service, app, await asTeam())
    const browser = await signInBrowser(service, user)
    const signOut = () =>
      service.api('GET', `${app.idp}/end-session?${new URLSearchParams({ id_token_hint: hint })}`, {
        cookies: browser.cookies,
        headers: { accept: 'text/html,*/*' },
      })
    expect(locationOf(await signOut()).pathname).toBe('/logout')
    expect((await service.api('GET', '/api/v1/auth/me', { token: browser.token })).status).toBe(200)
    await tokensFor(service, app, browser)
    expect(locationOf(await signOut()).pathname).toBe('/logged-out')
  })
})
