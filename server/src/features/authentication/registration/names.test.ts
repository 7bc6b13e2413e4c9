import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  expectError,
  invite,
  newEmail,
  PASSWORD,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { makeDirectory } from '../../../../test/factories/scim.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const FORGED = [
  'Ada\nSubject: x',
  'Ada\r',
  'Ada\u2028Love',
  'Ada\u202eecalevoL',
  'Ada\u2066x',
  'Ada\u0000',
  'Ada\u200b',
  'A\u200cda',
  'Ada\u200d',
  '\u200cعلی',
  'علی\u200c',
  'علی\u200c\u200cرضا',
  '\u202f\u200d\u202f',
]

/** Words with U+200C in Persian, with both joiners in Bengali and Malayalam, and emoji that consist of several. */
const JOINED = ['علی\u200cرضا', 'ক্\u200cষ', 'ന്\u200dറ', '👩🏽\u200d💻', '🏳️\u200d🌈']

describe('the name of a user', () => {
  let service: TestService
  let owner: TestUser
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
  })
  afterAll(() => service.close())

  const post = (path: string, body: object, token?: string) => service.api('POST', `/api/v1${path}`, { token, body })

  it.each(FORGED)('rejects a line break or an invisible character in every request: %j', async (name) => {
    const { token } = await invite(service, owner, newEmail())
    for (const names of [{ firstName: name }, { lastName: name }]) {
      expectError(
        await post('/auth/register', { email: newEmail(), password: PASSWORD, ...names }),
        400,
        'invalid_request',
      )
      expectError(await post('/invitations/accept', { token, password: PASSWORD, ...names }), 400, 'invalid_request')
      expectError(await post('/users', { email: newEmail(), ...names }, owner.token), 400, 'invalid_request')
      expectError(
        await service.api('PATCH', '/api/v1/auth/me', { token: owner.token, body: names }),
        400,
        'invalid_request',
      )
    }
    const scim = await makeDirectory(service, owner)
    const created = await scim.call('POST', '/Users', { userName: newEmail(), name: { givenName: name } })
    expect(created.status).toBe(400)
  })

  it.each(JOINED)('accepts a joiner inside a word or an emoji: %j', async (name) => {
    const names = { firstName: name, lastName: name }
    const registered = await post('/auth/register', { email: newEmail(), password: PASSWORD, ...names })
    expect(registered.status).toBe(201)
    expect(registered.body.user).toMatchObject(names)
    const scim = await makeDirectory(service, owner)
    const created = await scim.call('POST', '/Users', { userName: newEmail(), name: { givenName: name } })
    expect(created.status).toBe(201)
    expect(created.body.name.givenName).toBe(name)
    const group = await post('/groups', { name }, owner.token)
    expect(group.status).toBe(201)
  })

  it('rejects an invisible character in an import', async () => {
    const csv = `email,firstName\n${newEmail()},Ada\u202e\n`
    const { status, body } = await post('/users/import', { csv }, owner.token)
    expect(status).toBe(201)
    await service.settle()
    const run = await service.api('GET', `/api/v1/users/imports/${body.runId}`, { token: owner.token })
    expect(run.body).toMatchObject({ status: 'completed', created: 0, failures: [{ code: 'invalid_request' }] })
  })

  it('accepts a blank name at registration, and trims names', async () => {
    const names = { firstName: '', lastName: '  Lovelace ' }
    const { status, body } = await post('/auth/register', { email: newEmail(), password: PASSWORD, ...names })
    expect(status).toBe(201)
    expect(body.user).toMatchObject({ firstName: null, lastName: 'Lovelace' })
  })
})
