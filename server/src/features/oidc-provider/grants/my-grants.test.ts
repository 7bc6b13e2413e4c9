import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  authorize,
  codeFor,
  exchangeCode,
  expectOAuthError,
  isActive,
  locationOf,
  pkce,
  refresh,
  registerApp,
  signInBrowser,
  type TestApp,
  tokensFor,
} from '../../../../test/doubles/relying-party.js'
import {
  atOnce,
  CONCURRENT,
  claimsOf,
  expectError,
  joinTeam,
  logIn,
  makeGroup,
  registerApplication,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

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
  await joinTeam(service, user, owner.teamId)
  app = await registerApp(service, owner, { name: 'Wiki', logoUrl: 'https://rp.example/logo.png' })
})

const OFFLINE = { scope: 'openid offline_access' }
type Listed = { id: string; name: string; lastUsedAt?: string }
const list = async (what: 'applications' | 'grants', { token }: Pick<TestUser, 'token'>) => {
  const { status, body } = await service.api('GET', `/api/v1/auth/${what}`, { token })
  expect(status).toBe(200)
  return body.data
}
const names = async (who: Pick<TestUser, 'token'>) => (await list('applications', who)).map(({ name }: Listed) => name)
const withdraw = ({ token }: Pick<TestUser, 'token'>, id = app.id) =>
  service.api('DELETE', `/api/v1/auth/grants/${id}`, { token })

/** Creates a session of the user that is restricted to this team. */
async function restricted(teamId: string): Promise<TestUser> {
  const { body } = await service.api('POST', '/api/v1/auth/login', {
    body: { email: user.email, password: user.password, teamId },
  })
  const { sid } = claimsOf(body.accessToken)
  await service.sql('UPDATE sessions SET confined_team_id = $2 WHERE id = $1', [sid, teamId])
  return { ...user, token: body.accessToken }
}

describe('GET /auth/applications', () => {
  it('lists applications by name, with team, launch URL and last use', async () => {
    await registerApplication(service, owner, {
      name: 'atlas',
      description: 'Maps',
      launchUrl: 'https://atlas.example/start',
      isAiAgent: true,
    })
    const team = { id: owner.teamId, name: expect.any(String) }
    const [atlas, wiki, ...more] = await list('applications', user)
    expect(more).toEqual([])
    expect(atlas).toEqual({
      id: expect.any(String),
      name: 'atlas',
      description: 'Maps',
      launchUrl: 'https://atlas.example/start',
      type: 'OIDC',
      isAiAgent: true,
      team,
    })
    expect(wiki).toEqual({
      id: app.id,
      name: 'Wiki',
      logoUrl: 'https://rp.example/logo.png',
      type: 'OIDC',
      isAiAgent: false,
      team,
    })
    await tokensFor(service, app, user)
    const used = (await list('applications', user))[1]
    expect(Math.abs(Date.parse(used.lastUsedAt) - service.clock.ms())).toBeLessThan(60_000)
  })

  it('lists applications without required assignment, or assigned directly or through a group', async () => {
    const assign = (id: string, what: 'users' | 'groups', ids: string[]) =>
      service.api('PUT', `/api/v1/applications/${id}/${what}`, {
        token: owner.token,
        body: { [what === 'users' ? 'userIds' : 'groupIds']: ids },
      })
    const closed = await registerApplication(service, owner, { name: 'Closed', assignmentRequired: true })
    expect(await names(user)).toEqual(['Wiki'])
    await assign(closed.id, 'users', [owner.id])
    expect(await names(user)).toEqual(['Wiki'])
    await assign(closed.id, 'users', [user.id])
    expect(await names(user)).toEqual(['Closed', 'Wiki'])
    await assign(closed.id, 'users', [])
    const group = await makeGroup(service, owner.teamId)
    await assign(closed.id, 'groups', [group])
    expect(await names(user)).toEqual(['Wiki'])
    await service.api('PUT', `/api/v1/groups/${group}/users`, { token: owner.token, body: { userIds: [user.id] } })
    expect(await names(user)).toEqual(['Closed', 'Wiki'])
  })

  it('excludes suspended teams, suspended memberships, other teams and applications without users', async () => {
    await registerApplication(service, owner, { name: 'Robot', grantTypes: ['client_credentials'], responseTypes: [] })
    await registerApplication(service, await registerUser(service), { name: 'Foreign' })
    expect(await names(user)).toEqual(['Wiki'])
    const set = (table: string, column: string, state: string) =>
      service.sql(
        `UPDATE ${table} SET status = $1 WHERE ${column} = $2 ${table === 'memberships' ? `AND user_id = '${user.id}'` : ''}`,
        [state, owner.teamId],
      )
    await set('organizations', 'id', 'SUSPENDED')
    expect(await names(user)).toEqual([])
    await set('organizations', 'id', 'ACTIVE')
    await set('memberships', 'organization_id', 'suspended')
    expect(await names(user)).toEqual([])
    await set('memberships', 'organization_id', 'active')
    expect(await names(user)).toEqual(['Wiki'])
  })

  it('lists only the applications of the team in a restricted session', async () => {
    await registerApplication(service, user, { name: 'Own' })
    expect(await names(user)).toEqual(['Own', 'Wiki'])
    expect(await names(await restricted(owner.teamId))).toEqual(['Wiki'])
    expect(await names(await restricted(user.teamId))).toEqual(['Own'])
  })
})

describe('grants of a user', () => {
  it('lists a grant with scopes and times', async () => {
    expect(await list('grants', user)).toEqual([])
    await tokensFor(service, app, user, { scope: 'openid email' })
    const [first, ...more] = await list('grants', user)
    expect(more).toEqual([])
    expect(first).toMatchObject({
      id: app.id,
      application: { id: app.id, name: 'Wiki', logoUrl: 'https://rp.example/logo.png', isAiAgent: false },
      team: { id: owner.teamId },
      offlineAccess: false,
      createdAt: first.updatedAt,
    })
    expect(first.scopes.toSorted()).toEqual(['email', 'openid'])
    await service.clock.advance(60_000)
    await tokensFor(service, app, user, OFFLINE)
    const [again] = await list('grants', user)
    expect(again).toMatchObject({ createdAt: first.createdAt, offlineAccess: true })
    expect(again.scopes.toSorted()).toEqual(['email', 'offline_access', 'openid'])
    for (const timestamp of ['updatedAt', 'lastUsedAt'])
      expect(Date.parse(again[timestamp]) - Date.parse(first[timestamp])).toBeGreaterThanOrEqual(60_000)
    expect(await list('grants', owner)).toEqual([])
  })

  it("lists the team's descriptions of the scopes", async () => {
    const own = await registerApp(service, owner, { name: 'Own', scopes: ['openid', 'orders', 'plain'] })
    const { status } = await service.api('POST', `/api/v1/applications/${own.id}/oidc-config/scopes`, {
      token: owner.token,
      body: { name: 'orders', description: 'Read your orders' },
    })
    expect(status).toBe(201)
    await tokensFor(service, own, user, { scope: 'openid orders plain' })
    const [grant] = await list('grants', user)
    expect(grant.scopeDetails.map(({ name }: { name: string }) => name)).toEqual(grant.scopes)
    expect(grant.scopeDetails.toSorted((a: Listed, b: Listed) => a.name.localeCompare(b.name))).toEqual([
      { name: 'openid', description: null },
      { name: 'orders', description: 'Read your orders' },
      { name: 'plain', description: null },
    ])
  })

  it('revokes codes, access and refresh tokens of every session on the next request after a withdrawal', async () => {
    const tokens = await tokensFor(service, app, user, OFFLINE)
    const elsewhere = await tokensFor(service, app, await logIn(service, user))
    const waiting = await codeFor(service, app, user)
    const ofOwner = await tokensFor(service, app, owner)
    const other = await registerApp(service, owner)
    const ofOther = await tokensFor(service, other, user)

    const { status, body } = await withdraw(user)
    expect([status, typeof body.message]).toEqual([200, 'string'])
    for (const token of [tokens.access_token, tokens.refresh_token, elsewhere.access_token])
      expect(await isActive(service, token)).toBe(false)
    expectOAuthError(await refresh(service, app, tokens.refresh_token), 'invalid_grant')
    expectOAuthError(await exchangeCode(service, app, waiting), 'invalid_grant')
    expect(await isActive(service, ofOwner.access_token)).toBe(true)
    expect(await isActive(service, ofOther.access_token)).toBe(true)
    expect((await list('grants', user)).map(({ id }: Listed) => id)).toEqual([other.id])
  })

  it('requires a new consent after a withdrawal, and lists the grant with new times', async () => {
    const { cookies } = await signInBrowser(service, user)
    await tokensFor(service, app, user, { scope: 'openid email' })
    const [before] = await list('grants', user)
    await withdraw(user)
    await service.clock.advance(60_000)
    const silent = () => authorize(service, app, { prompt: 'none' }, cookies)
    expect(locationOf(await silent()).searchParams.get('error')).toBe('consent_required')
    const { access_token: token } = await tokensFor(service, app, user)
    expect(await isActive(service, token)).toBe(true)
    const [after] = await list('grants', user)
    expect(after).toMatchObject({ id: app.id, scopes: ['openid'] })
    expect(Date.parse(after.createdAt)).toBeGreaterThan(Date.parse(before.createdAt))
    expect(locationOf(await silent()).searchParams.get('code')).toBeTruthy()
  })

  it('records a withdrawal in the audit log of the team', async () => {
    await tokensFor(service, app, user)
    await withdraw(user)
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=application.consent_withdrawn', {
      token: owner.token,
    })
    expect(body.data).toEqual([
      expect.objectContaining({
        userId: user.id,
        resource: `application:${app.id}`,
        metadata: expect.objectContaining({ client: app.clientId, grants: 1 }),
      }),
    ])
  })

  it('returns 404 without a change for a grant of another user, a withdrawn one and an unknown one', async () => {
    const { access_token: token } = await tokensFor(service, app, user)
    const before = await dumpState(service)
    for (const who of [owner, await registerUser(service)]) expectError(await withdraw(who), 404, 'grant_not_found')
    for (const id of ['unknown', user.id, app.clientId]) expectError(await withdraw(user, id), 404, 'grant_not_found')
    expect((await dumpState(service)).consents).toEqual(before.consents)
    expect(await isActive(service, token)).toBe(true)
    const answers = await atOnce(CONCURRENT, () => withdraw(user))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(CONCURRENT - 1).fill(404)])
  })

  it('lists and withdraws grants of a restricted session separately', async () => {
    const own = await registerApp(service, user)
    const inOwn = await restricted(user.teamId)
    await tokensFor(service, own, inOwn)
    const inTeam = await restricted(owner.teamId)
    const { access_token: token } = await tokensFor(service, app, inTeam)
    expect((await list('grants', inOwn)).map(({ id }: Listed) => id)).toEqual([own.id])
    expectError(await withdraw(inOwn), 404, 'grant_not_found')
    expect(await isActive(service, token)).toBe(true)
    expect((await withdraw(inTeam)).status).toBe(200)
    expect(await isActive(service, token)).toBe(false)
  })

  it('revokes a grant that is created during the withdrawal', async () => {
    const { cookies } = await signInBrowser(service, user)
    await tokensFor(service, app, user)
    const proof = pkce()
    const params = { prompt: 'none', code_challenge: proof.challenge, code_challenge_method: 'S256' }
    const answers = await atOnce(CONCURRENT, (index) =>
      index === CONCURRENT / 2 ? withdraw(user) : authorize(service, app, params, cookies),
    )
    const codes = answers.flatMap((answer, index) => {
      const back = index === CONCURRENT / 2 ? undefined : locationOf(answer).searchParams
      expect(back?.get('error') ?? 'consent_required').toBe('consent_required')
      return back?.get('code') ?? []
    })
    for (const code of codes)
      expectOAuthError(await exchangeCode(service, app, { code, verifier: proof.verifier }), 'invalid_grant')
    const active = await service.sql(
      "SELECT id FROM sessions WHERE kind = 'grant' AND user_id = $1 AND ended_at IS NULL",
      [user.id],
    )
    expect(active).toEqual([])
  })
})
