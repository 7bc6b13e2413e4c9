import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectOAuthError } from '../../../../test/doubles/relying-party.js'
import {
  addColleague,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const API_TOKEN = 'the-token-of-the-whole-instance-0123456789'
const REGISTER = '/api/v1/oauth/register'

let service: TestService
let owner: TestUser
let creator: TestUser
let client: ApiResponse['body']
beforeAll(async () => {
  service = await startService({ env: { API_TOKEN } })
})
afterAll(() => service.close())
beforeEach(async () => {
  owner = await registerUser(service)
  creator = await addColleague(service, owner, 'admin')
  client = await registered(await apiToken(creator))
})

async function apiToken({ token }: Pick<TestUser, 'token'>): Promise<string> {
  const body = { name: 'CI', scopes: ['applications:write'] }
  const made = await service.api('POST', '/api/v1/api-tokens', { token, body })
  expect(made.status, made.text).toBe(201)
  return made.body.token
}
async function registered(token: string): Promise<ApiResponse['body']> {
  const body = { client_name: 'Payroll', team_id: owner.teamId, redirect_uris: ['https://rp.example/callback'] }
  const answer = await service.api('POST', REGISTER, { body, headers: { 'x-api-token': token } })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}
const read = ({ client_id, registration_access_token } = client) =>
  service.api('GET', `${REGISTER}/${client_id}`, { token: registration_access_token })
const changeCreator = (body: object) => service.api('PUT', `/api/v1/users/${creator.id}`, { token: owner.token, body })
const removeCreator = () =>
  service.api('DELETE', `/api/v1/organizations/${owner.teamId}/members/${creator.id}`, { token: owner.token })
const expectValid = async () => expect((await read()).status).toBe(200)
const expectRejected = async () => expectOAuthError(await read(), 'invalid_token', 401)

async function save({ token }: Pick<TestUser, 'token'> = owner): Promise<void> {
  const { body } = await service.api('GET', '/api/v1/applications', { token })
  const { id } = body.data.find(({ clientId }: { clientId: string }) => clientId === client.client_id)
  const saved = await service.api('PUT', `/api/v1/applications/${id}`, { token, body: { description: 'Checked' } })
  expect(saved.status, saved.text).toBe(200)
}

describe('a registration access token', () => {
  it('loses its access on every request after its creator was removed, until an administrator saves the application', async () => {
    await expectValid()
    expect((await removeCreator()).status).toBe(200)
    const { client_id, registration_access_token: token } = client
    const body = { client_id, client_name: 'Payroll', redirect_uris: ['https://evil.example/callback'] }
    for (const method of ['GET', 'PUT', 'DELETE'])
      expectOAuthError(
        await service.api(method, `${REGISTER}/${client_id}`, { token, ...(method === 'PUT' && { body }) }),
        'invalid_token',
        401,
      )
    await save()
    const { body: stored } = await read()
    expect(stored.redirect_uris).toEqual(['https://rp.example/callback'])
    const query = '?action=application.updated'
    const { body: log } = await service.api('GET', `/api/v1/audit/logs${query}`, { token: owner.token })
    expect(log.data[0].metadata.registrationTokenTakenOver).toBe(true)
  })

  it('loses its access while its creator may not change applications', async () => {
    await changeCreator({ role: 'viewer' })
    await expectRejected()
    await changeCreator({ role: 'admin' })
    await expectValid()
  })

  it('stays rejected when its suspended creator is reactivated', async () => {
    await changeCreator({ status: 'suspended' })
    await expectRejected()
    await changeCreator({ status: 'active' })
    await expectRejected()
  })

  it('depends on its creator although another administrator saved the application before', async () => {
    await save()
    await removeCreator()
    await expectRejected()
  })

  it('depends on the administrator who took it over', async () => {
    const second = await addColleague(service, owner, 'admin')
    await removeCreator()
    await save(second)
    await expectValid()
    await service.api('DELETE', `/api/v1/organizations/${owner.teamId}/members/${second.id}`, { token: owner.token })
    await expectRejected()
  })

  it('depends on no member if the API token of the instance registered the client', async () => {
    client = await registered(API_TOKEN)
    await save(creator)
    await removeCreator()
    await expectValid()
  })

  it("loses its access after the first verification of its creator's email address, and after the end of a temporary password", async () => {
    const token = await requestToken(service, 'password_reset', creator.email)
    const body = { token, newPassword: `${PASSWORD} again` }
    expect((await service.api('POST', '/api/v1/auth/reset-password', { body })).status).toBe(200)
    await expectRejected()
  })

  it('has no access if the client was registered before creators were stored, until an administrator saves the application', async () => {
    await service.sql('UPDATE applications SET registration_token_by = NULL WHERE client_id = $1', [client.client_id])
    await expectRejected()
    await save()
    await expectValid()
  })
})
