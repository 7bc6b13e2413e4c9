import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  expectOAuthError,
  isActive,
  registerApp,
  requestTokens,
  type TestApp,
  tokensFor,
} from '../../../../test/doubles/relying-party.js'
import {
  atOnce,
  claimsOf,
  expectError,
  joinTeam,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const AGENT = { isAiAgent: true, grantTypes: ['client_credentials', EXCHANGE], responseTypes: [], redirectUris: [] }

let service: TestService
let owner: TestUser
let user: TestUser
let app: TestApp
let agent: TestApp
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  owner = await registerUser(service)
  user = await registerUser(service)
  await joinTeam(service, user, owner.teamId)
  app = await registerApp(service, owner)
  agent = await registerApp(service, owner, { ...AGENT, name: 'Robot' })
})

type Who = Pick<TestUser, 'token'>
/** Exchanges a fresh token of the user for one of the agent. */
const exchange = async (at = agent) => {
  const subject = (await tokensFor(service, app, user, { scope: 'openid email' })).access_token
  return requestTokens(service, at, {
    grant_type: EXCHANGE,
    subject_token: subject,
    subject_token_type: ACCESS_TOKEN,
  })
}
const withdraw = async (id = agent.id) => {
  const { status } = await service.api('DELETE', `/api/v1/auth/grants/${id}`, { token: user.token })
  expect(status).toBe(200)
}
/** Exchanges a token, then withdraws the grant. Returns the revoked token. */
async function takenBack(): Promise<string> {
  const { status, body } = await exchange()
  expect(status).toBe(200)
  await withdraw()
  return body.access_token
}
const allow = ({ token }: Who, id = agent.id) => service.api('POST', `/api/v1/auth/grants/${id}/allow`, { token })
const listed = async (path: string, { token }: Who): Promise<Record<string, unknown>[]> =>
  (await service.api('GET', `/api/v1/auth/grants${path}`, { token })).body.data

describe('the withdrawn grant of an agent', () => {
  it('permits new exchanges after the user restores it, while revoked tokens stay revoked', async () => {
    const had = await takenBack()
    expectOAuthError(await exchange(), 'access_denied')
    const { status, body } = await allow(user)
    expect([status, typeof body.message]).toEqual([200, 'string'])
    expect(await isActive(service, had)).toBe(false)
    const again = await exchange()
    expect(again.status, again.text).toBe(200)
    expect(await isActive(service, again.body.access_token)).toBe(true)
  })

  it('lists the grant as withdrawn until it is restored, and then without scopes', async () => {
    expect(await listed('/withdrawn', user)).toEqual([])
    await takenBack()
    expect(await listed('/withdrawn', user)).toEqual([
      {
        id: agent.id,
        application: { id: agent.id, name: 'Robot', isAiAgent: true },
        team: { id: owner.teamId, name: expect.any(String) },
        withdrawnAt: expect.any(String),
      },
    ])
    expect((await listed('', user)).map(({ id }) => id)).toEqual([app.id])
    await allow(user)
    expect(await listed('/withdrawn', user)).toEqual([])
    expect((await listed('', user)).find(({ id }) => id === agent.id)).toMatchObject({ scopes: [] })
    await withdraw()
    expectOAuthError(await exchange(), 'access_denied')
  })

  it('restores the grant once, only for the user, with an entry in the log of the team', async () => {
    await takenBack()
    for (const who of [owner, await registerUser(service)])
      expectError(await allow(who), 404, 'withdrawn_grant_not_found')
    expectOAuthError(await exchange(), 'access_denied')
    const answers = await atOnce(20, () => allow(user))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(404)])
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=application.allowed_again', {
      token: owner.token,
    })
    expect(body.data).toEqual([
      expect.objectContaining({
        userId: user.id,
        resource: `application:${agent.id}`,
        metadata: expect.objectContaining({ client: agent.clientId }),
      }),
    ])
  })

  it('rejects restoring if the user has no access, or the application is stopped or no agent', async () => {
    await takenBack()
    const put = (change: object) =>
      service.api('PUT', `/api/v1/applications/${agent.id}`, { token: owner.token, body: change })
    const rejected = async () => {
      expectError(await allow(user), 404, 'withdrawn_grant_not_found')
      expect(await listed('/withdrawn', user)).toEqual([])
    }
    await put({ assignmentRequired: true })
    await rejected()
    await put({ assignmentRequired: false, isAiAgent: false })
    await rejected()
    await put({ isAiAgent: true })
    const membership = (status: string) =>
      service.sql('UPDATE memberships SET status = $1 WHERE user_id = $2 AND organization_id = $3', [
        status,
        user.id,
        owner.teamId,
      ])
    await membership('suspended')
    await rejected()
    await membership('active')
    await service.api('POST', `/api/v1/applications/${agent.id}/stop`, { token: owner.token })
    await rejected()
    await service.api('POST', `/api/v1/applications/${agent.id}/start`, { token: owner.token })
    expect((await allow(user)).status).toBe(200)
  })

  it('rejects restoring in a restricted session', async () => {
    await takenBack()
    const restricted = async (teamId: string) => {
      const { body } = await service.api('POST', '/api/v1/auth/login', {
        body: { email: user.email, password: user.password, teamId },
      })
      const token: string = body.accessToken
      await service.sql('UPDATE sessions SET confined_team_id = $2 WHERE id = $1', [claimsOf(token).sid, teamId])
      return { token }
    }
    for (const teamId of [user.teamId, owner.teamId]) {
      const session = await restricted(teamId)
      expectError(await allow(session), 404, 'withdrawn_grant_not_found')
      expect(await listed('/withdrawn', session)).toEqual([])
    }
  })
})

describe('a grant that was not withdrawn, or that requests consent itself,', () => {
  it('returns 404 without a change', async () => {
    expect((await exchange()).status).toBe(200)
    await tokensFor(service, app, user)
    await withdraw(app.id)
    const before = await dumpState(service)
    for (const id of [agent.id, app.id, user.id, agent.clientId, 'unknown'])
      expectError(await allow(user, id), 404, 'withdrawn_grant_not_found')
    expect(await listed('/withdrawn', user)).toEqual([])
    expect((await dumpState(service)).consents).toEqual(before.consents)
  })
})
