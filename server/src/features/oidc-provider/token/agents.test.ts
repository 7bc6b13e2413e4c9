import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  codeFor,
  exchangeCode,
  refresh,
  registerApp,
  requestTokens,
  type TestApp,
  tokensFor,
} from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const OFFLINE = { scope: 'openid offline_access' }
const OWN_CREDENTIALS = { grant_type: 'client_credentials' }
const GRANTS = ['authorization_code', 'refresh_token', 'client_credentials']

let service: TestService
let user: TestUser
let agent: TestApp
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  agent = await registerApp(service, user, { isAiAgent: true, grantTypes: GRANTS })
  // The first request for the keys of a team creates them.
  await service.api('GET', `${agent.idp}/jwks`)
})
afterAll(() => service.close())

interface Entry {
  id: string
  action: string
  result: string
  userId: string | null
  agentId: string | null
  resource: string | null
}

/** Returns the audit entries about the agent while `act` ran, oldest first. */
async function shown(act: () => Promise<unknown>): Promise<string[]> {
  const log = async (): Promise<Entry[]> =>
    (await service.api('GET', '/api/v1/audit/logs?limit=100', { token: user.token })).body.data
  const before = new Set((await log()).map(({ id }) => id))
  await act()
  return (await log())
    .filter(({ id }) => !before.has(id))
    .reverse()
    .map(({ action, result, userId, agentId }) => {
      const by = agentId === agent.id ? 'agent' : agentId
      return `${action} ${result} by ${by} for ${userId === user.id ? 'user' : userId}`
    })
}

const post = (path: string, body: object) => () => service.api('POST', `/api/v1/oauth/${path}`, { body })

describe('an application that is an agent', () => {
  it('appears in the entry of each token that it receives or is denied, for itself or for a user', async () => {
    const own = () => requestTokens(service, agent, OWN_CREDENTIALS)
    expect(await shown(own)).toEqual(['application.token_issued SUCCESS by agent for null'])
    const wrong = () => requestTokens(service, { ...agent, secret: 'wrong' }, OWN_CREDENTIALS)
    expect(await shown(wrong)).toEqual(['application.token_refused FAILURE by agent for null'])

    const given = await codeFor(service, agent, user, OFFLINE)
    let token = ''
    const redeem = async () => {
      token = (await exchangeCode(service, agent, given)).body.refresh_token
    }
    expect(await shown(redeem)).toEqual(['application.token_issued SUCCESS by agent for user'])
    expect(await shown(() => refresh(service, agent, token, { headers: { 'user-agent': 'Another client' } }))).toEqual([
      'application.token_issued SUCCESS by agent for user',
    ])
    expect(await shown(() => refresh(service, agent, 'unknown'))).toEqual([
      'application.token_refused FAILURE by agent for null',
    ])
    expect(await shown(() => exchangeCode(service, agent, given))).toEqual([
      'application.code_replayed FAILURE by agent for user',
    ])
  })

  it('appears in the entry of each token that it revokes, and of failed authentications', async () => {
    const tokens = await tokensFor(service, agent, user, OFFLINE)
    const { body: own } = await requestTokens(service, agent, OWN_CREDENTIALS)
    expect(await shown(post('revoke', { token: own.access_token }))).toEqual([
      'application.token_revoked SUCCESS by agent for null',
    ])
    for (const token of [tokens.access_token, tokens.refresh_token])
      expect(await shown(post('revoke', { token }))).toEqual(['application.token_revoked SUCCESS by agent for user'])
    const wrong = { token: 'x', client_id: agent.clientId, client_secret: 'wrong' }
    for (const path of ['introspect', 'revoke'])
      expect(await shown(post(path, wrong))).toEqual(['application.token_refused FAILURE by agent for null'])
  })

  it('appears in no entries of users: consent, changes, assignment', async () => {
    const consented = await shown(() => codeFor(service, agent, user, OFFLINE))
    expect(consented).toEqual(['application.consented SUCCESS by null for user'])
    const change = () =>
      service.api('PUT', `/api/v1/applications/${agent.id}`, { token: user.token, body: { description: 'New' } })
    expect(await shown(change)).toEqual(['application.updated SUCCESS by null for user'])
  })

  it('counts as an agent from the request after the change, on every node, until it is changed back', async () => {
    const app = await registerApp(service, user, { grantTypes: GRANTS })
    const mark = (isAiAgent: boolean) =>
      service.api('PUT', `/api/v1/applications/${app.id}`, { token: user.token, body: { isAiAgent } })
    const by = async () => {
      for (let node = 0; node < service.urls.length; node++) await requestTokens(service, app, OWN_CREDENTIALS)
      const { body } = await service.api('GET', '/api/v1/audit/logs', { token: user.token })
      const entries: Entry[] = body.data.slice(0, service.urls.length)
      for (const { action, resource } of entries)
        expect([action, resource]).toEqual(['application.token_issued', `application:${app.id}`])
      return new Set(entries.map(({ agentId }) => agentId))
    }
    expect(await by()).toEqual(new Set([null]))
    await mark(true)
    expect(await by()).toEqual(new Set([app.id]))
    await mark(false)
    expect(await by()).toEqual(new Set([null]))
  })
})
