import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  isActive,
  registerApp,
  requestTokens,
  type TestApp,
  tokensFor,
} from '../../../../test/doubles/relying-party.js'
import { atOnce, CONCURRENT, expectError, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { dumpDatabase } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let user: TestUser
let app: TestApp
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  user = await registerUser(service)
  app = await registerApp(service, user, { grantTypes: ['client_credentials'], scopes: ['read'] })
})

const OVERLAP = 600
const PATH = () => `/api/v1/applications/${app.id}`
const rotate = (body?: object): Promise<ApiResponse> =>
  service.api('POST', `${PATH()}/rotate-secret`, { token: user.token, body })
const read = async () => (await service.api('GET', PATH(), { token: user.token })).body
const request = (secret: string | undefined) =>
  requestTokens(service, app, { grant_type: 'client_credentials' }, { auth: 'basic', secret: secret ?? '' })
/** Returns whether the token endpoint and introspection accept the secret, on every node. */
async function works(secret: string | undefined): Promise<boolean> {
  const body = { token: 'unknown', client_id: app.clientId, client_secret: secret }
  const answers = await atOnce(service.urls.length * 2, async (index) =>
    index % 2 ? request(secret) : service.api('POST', '/api/v1/oauth/introspect', { body }),
  )
  const all = new Set(answers.map(({ status }) => status))
  expect([[200], [401]]).toContainEqual([...all])
  return all.has(200)
}

describe('POST /applications/{appId}/rotate-secret', () => {
  it('accepts both secrets until the overlap ends, and keeps issued tokens valid', async () => {
    const { body: before } = await request(app.secret)
    const { status, body } = await rotate({ keepPreviousFor: OVERLAP })
    expect(status).toBe(200)
    expect(Date.parse(body.previousSecretExpiresAt)).toBeGreaterThan(service.clock.ms() + (OVERLAP - 60) * 1_000)
    expect(body.previousSecretExpiresAt).toBe((await read()).previousSecretExpiresAt)
    expect([await works(app.secret), await works(body.clientSecret), await works('wrong')]).toEqual([true, true, false])
    expect(await isActive(service, before.access_token)).toBe(true)
    await service.clock.advance((OVERLAP - 60) * 1_000)
    expect(await works(app.secret)).toBe(true)
    await service.clock.advance(60_000)
    expect([await works(app.secret), await works(body.clientSecret)]).toEqual([false, true])
    expect(await read()).not.toHaveProperty('previousSecretExpiresAt')
  })

  it.each([{}, { keepPreviousFor: 0 }, undefined])(
    'revokes the previous secret with its tokens without an overlap (%j)',
    async (body) => {
      const { body: before } = await request(app.secret)
      const { body: answer } = await rotate(body)
      expect(Object.keys(answer)).toEqual(['clientSecret'])
      expect([await works(app.secret), await works(answer.clientSecret)]).toEqual([false, true])
      expect(await isActive(service, before.access_token)).toBe(false)
    },
  )

  it('revokes the older secret on the next rotation, with or without an overlap', async () => {
    const { body: second } = await rotate({ keepPreviousFor: OVERLAP })
    const { body: third } = await rotate({ keepPreviousFor: OVERLAP })
    expect([await works(app.secret), await works(second.clientSecret), await works(third.clientSecret)]).toEqual([
      false,
      true,
      true,
    ])
    const { body: fourth } = await rotate()
    expect([await works(third.clientSecret), await works(second.clientSecret)]).toEqual([false, false])
    expect(await works(fourth.clientSecret)).toBe(true)
    expect(await read()).not.toHaveProperty('previousSecretExpiresAt')
  })

  it("revokes the previous secret on request, with the application's own tokens", async () => {
    const { body: before } = await request(app.secret)
    const { body } = await rotate({ keepPreviousFor: OVERLAP })
    const { body: byPrevious } = await request(app.secret)
    const { body: byPresent } = await request(body.clientSecret)
    const end = () => service.api('DELETE', `${PATH()}/previous-secret`, { token: user.token })
    const ended = await end()
    expect([ended.status, ended.body.id]).toEqual([200, app.id])
    expect(ended.body).not.toHaveProperty('previousSecretExpiresAt')
    expect([await works(app.secret), await works(body.clientSecret)]).toEqual([false, true])
    for (const { access_token: token } of [before, byPrevious, byPresent])
      expect(await isActive(service, token)).toBe(false)
    const { body: after } = await request(body.clientSecret)
    expect(await isActive(service, after.access_token)).toBe(true)
    // Without a previous secret nothing changes.
    expect((await end()).body).toEqual(ended.body)
    expect(await isActive(service, after.access_token)).toBe(true)
    const { body: logs } = await service.api('GET', '/api/v1/audit/logs?action=application.previous_secret_ended', {
      token: user.token,
    })
    const mine = logs.data.filter(({ resource }: { resource: string }) => resource === `application:${app.id}`)
    expect(mine).toHaveLength(1)
  })

  it('keeps user grants when the previous secret is revoked, but revokes every token on a rotation', async () => {
    const web = await registerApp(service, user, {
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    })
    const path = `/api/v1/applications/${web.id}`
    const post = (body: object) => service.api('POST', `${path}/rotate-secret`, { token: user.token, body })
    const ofUser = await tokensFor(service, web, user, { scope: 'openid offline_access' })
    const { body: second } = await post({ keepPreviousFor: OVERLAP })
    const own = async (secret: string): Promise<string> =>
      (await requestTokens(service, web, { grant_type: 'client_credentials' }, { secret })).body.access_token
    const ofItself = await own(second.clientSecret)
    await service.api('DELETE', `${path}/previous-secret`, { token: user.token })
    expect(await isActive(service, ofItself)).toBe(false)
    const renewed = await own(second.clientSecret)
    const stays = [ofUser.access_token, ofUser.refresh_token, renewed]
    for (const token of stays) expect(await isActive(service, token)).toBe(true)
    await post({})
    for (const token of stays) expect(await isActive(service, token)).toBe(false)
  })

  it('revokes no token when the overlap expires', async () => {
    const { body } = await rotate({ keepPreviousFor: OVERLAP })
    await service.clock.advance((OVERLAP - 60) * 1_000)
    const { body: late } = await request(app.secret)
    await service.clock.advance(120_000)
    expect([await works(app.secret), await works(body.clientSecret)]).toEqual([false, true])
    expect(await isActive(service, late.access_token)).toBe(true)
  })

  it('creates no overlap for a client without a secret, or after a change to private_key_jwt or none', async () => {
    await rotate({ keepPreviousFor: OVERLAP })
    const update = (body: object) => service.api('PUT', PATH(), { token: user.token, body })
    await update({ isPublicClient: true, grantTypes: ['authorization_code'] })
    expectError(await rotate({ keepPreviousFor: OVERLAP }), 409, 'no_client_secret')
    await update({ isPublicClient: false, grantTypes: ['client_credentials'] })
    const { body } = await rotate({ keepPreviousFor: OVERLAP })
    expect(Object.keys(body)).toEqual(['clientSecret'])
    expect([await works(app.secret), await works(body.clientSecret)]).toEqual([false, true])
  })

  it.each([-1, 86_401, 1.5, '60', null])(
    'rejects an overlap of %j seconds and changes nothing',
    async (keepPreviousFor) => {
      const rejected = await rotate({ keepPreviousFor })
      expectError(rejected, 400, 'invalid_request')
      expect(rejected.body.errors[0].path).toBe('/keepPreviousFor')
      expect(await works(app.secret)).toBe(true)
    },
  )

  it('leaves the two latest secrets after concurrent rotations', async () => {
    const answers = await atOnce(CONCURRENT, () => rotate({ keepPreviousFor: OVERLAP }))
    const secrets = [app.secret, ...answers.map(({ body }) => body.clientSecret)]
    const good = []
    for (const secret of secrets) if ((await request(secret)).status === 200) good.push(secret)
    expect(good).toHaveLength(2)
  })

  it('stores only SHA-256 hashes, and records the end of the overlap', async () => {
    const { body } = await rotate({ keepPreviousFor: OVERLAP })
    const all = JSON.stringify(await dumpDatabase(service))
    for (const secret of [app.secret, body.clientSecret]) expect(all).not.toContain(secret)
    const { body: logs } = await service.api('GET', '/api/v1/audit/logs?action=application.secret_rotated', {
      token: user.token,
    })
    expect(logs.data[0]).toMatchObject({
      resource: `application:${app.id}`,
      metadata: { previousSecretExpiresAt: body.previousSecretExpiresAt },
    })
  })
})
