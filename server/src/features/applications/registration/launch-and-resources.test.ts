import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError, registerApplication, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { AT, NO_RESOURCES, OUR_OWN, RESOURCES } from '../../../../test/factories/resource-uris.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const APPS = '/api/v1/applications'
let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startService({ env: { BASE_URL: AT } })
  user = await registerUser(service)
})
afterAll(() => service.close())

const create = (fields: object) =>
  service.api('POST', APPS, { token: user.token, body: { name: 'x', type: 'OIDC', ...fields } })
const update = (id: string, body: object) => service.api('PUT', `${APPS}/${id}`, { token: user.token, body })

describe('launchUrl and resources of an application', () => {
  it('stores and updates each field separately', async () => {
    const resources = ['https://api.example.com/v1?x=1', 'urn:example:ledger', 'com.example.billing:/x']
    const made = await registerApplication(service, user, { launchUrl: 'https://app.example.com/start', resources })
    expect(made).toMatchObject({ launchUrl: 'https://app.example.com/start', resources })
    const renamed = await update(made.id, { name: 'Renamed' })
    expect(renamed.body).toMatchObject({ launchUrl: 'https://app.example.com/start', resources })
    const cleared = await update(made.id, { launchUrl: null, resources: ['urn:a:b', 'urn:a:b'] })
    expect(cleared.body).not.toHaveProperty('launchUrl')
    expect(cleared.body.resources).toEqual(['urn:a:b'])
    expect((await service.api('GET', `${APPS}/${made.id}`, { token: user.token })).body).toEqual(cleared.body)
  })

  it('returns none by default', async () => {
    const made = await registerApplication(service, user)
    expect(made.resources).toEqual([])
    expect(made).not.toHaveProperty('launchUrl')
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '/start',
    'http://app.example.com',
    'https://a@b.example.com',
    'https://*.example.com',
    'com.example.app:/start',
    'https://app.example.com/#start',
  ])('rejects the launch URL %s', async (launchUrl) => {
    const rejected = await create({ launchUrl })
    expectError(rejected, 400, 'invalid_request')
    expect(rejected.body.errors[0].path).toBe('/launchUrl')
  })

  it.each(RESOURCES)('accepts the resource %s', async (uri) => {
    const { status, text } = await create({ resources: [uri] })
    expect(status, text).toBe(201)
  })

  it.each(NO_RESOURCES)(
    'rejects the resource %j: not an absolute URI, or with fragment, user info or an unsafe scheme',
    async (uri) => {
      const rejected = await create({ resources: ['urn:a:b', uri] })
      expectError(rejected, 400, 'invalid_request')
      expect(rejected.body.errors[0].path).toBe('/resources/1')
    },
  )

  it.each(OUR_OWN)('rejects a resource of this service itself: %s', async (uri) => {
    const made = await registerApplication(service, user)
    const rejected = await update(made.id, { resources: [uri] })
    expectError(rejected, 400, 'invalid_request')
    expect(rejected.body.errors[0].path).toBe('/resources/0')
  })

  it('accepts at most 20 resources', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `urn:example:${index}`)
    expect((await create({ resources: many(20) })).status).toBe(201)
    expectError(await create({ resources: many(21) }), 400, 'invalid_request')
  })
})
