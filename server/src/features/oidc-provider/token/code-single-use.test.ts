import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  codeFor,
  exchangeCode,
  expectOAuthError,
  isActive,
  refresh,
  registerApp,
  type TestApp,
  userinfo,
} from '../../../../test/doubles/relying-party.js'
import { atOnce, CONCURRENT, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const OFFLINE = { scope: 'openid offline_access' }

describe('an authorization code', () => {
  let service: TestService
  let user: TestUser
  let app: TestApp
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
    app = await registerApp(service, user)
  })
  afterAll(() => service.close())

  const expectRevoked = async (tokens: { access_token: string; refresh_token: string }) => {
    expect(await isActive(service, tokens.access_token)).toBe(false)
    expect(await isActive(service, tokens.refresh_token)).toBe(false)
    expectOAuthError(await userinfo(service, app, tokens.access_token), 'invalid_token', 401)
    expectOAuthError(await refresh(service, app, tokens.refresh_token), 'invalid_grant')
  }
  const auditEntryCount = async (action: string, grant: string) =>
    (await service.sql(`SELECT 1 FROM audit_entries WHERE action = $1 AND metadata->>'grant' = $2`, [action, grant]))
      .length

  it('redeems a code exactly once across many concurrent requests, and revokes its tokens at the second one', async () => {
    for (const global of [false, true]) {
      const given = await codeFor(service, app, user, OFFLINE)
      const answers = await atOnce(CONCURRENT, () => exchangeCode(service, app, given, { global }))
      const taken = answers.filter(({ status }) => status === 200)
      expect(taken).toHaveLength(1)
      for (const answer of answers) if (answer.status !== 200) expectOAuthError(answer, 'invalid_grant')
      await expectRevoked(taken[0]?.body)
    }
  })

  it('revokes all of its tokens when it is replayed, also refreshed ones', async () => {
    const given = await codeFor(service, app, user, OFFLINE)
    const first = await exchangeCode(service, app, given)
    const second = await refresh(service, app, first.body.refresh_token)
    expect([first.status, second.status]).toEqual([200, 200])
    expectOAuthError(await exchangeCode(service, app, given), 'invalid_grant')
    await expectRevoked(first.body)
    await expectRevoked(second.body)
    const [{ id } = { id: '' }] = await service.sql<{ id: string }>(
      `SELECT id FROM sessions WHERE kind = 'grant' AND end_reason = 'code_replayed' ORDER BY created_at DESC LIMIT 1`,
    )
    expect(await auditEntryCount('application.code_replayed', id)).toBe(1)
  })

  it('revokes no token of another code of the same user and application when it is replayed', async () => {
    const [one, other] = [await codeFor(service, app, user), await codeFor(service, app, user)]
    const stored = await exchangeCode(service, app, other)
    await exchangeCode(service, app, one)
    expectOAuthError(await exchangeCode(service, app, one), 'invalid_grant')
    expect(await isActive(service, stored.body.access_token)).toBe(true)
  })

  it('revokes no token when a third party replays it without the credentials or the verifier', async () => {
    const given = await codeFor(service, app, user, OFFLINE)
    const { body } = await exchangeCode(service, app, given)
    const outsider = await registerApp(service, user)
    expectOAuthError(await exchangeCode(service, outsider, given, { global: true }), 'invalid_grant')
    expectOAuthError(await exchangeCode(service, app, given, { secret: 'wrong' }), 'invalid_client', 401)
    expectOAuthError(await exchangeCode(service, app, { ...given, verifier: 'v'.repeat(43) }), 'invalid_grant')
    expect(await isActive(service, body.access_token)).toBe(true)
    expect(await isActive(service, body.refresh_token)).toBe(true)
  })

  it('accepts a code for 60 seconds', async () => {
    const [early, late] = [await codeFor(service, app, user), await codeFor(service, app, user)]
    await service.clock.advance(57_000)
    expect((await exchangeCode(service, app, early)).status).toBe(200)
    await service.clock.advance(3_000)
    expectOAuthError(await exchangeCode(service, app, late), 'invalid_grant')
  })

  it('results in tokens that are valid for exactly the hour that they state', async () => {
    const { body } = await exchangeCode(service, app, await codeFor(service, app, user, OFFLINE))
    expect(body.expires_in).toBe(3_600)
    await service.clock.advance(3_595_000)
    expect(await isActive(service, body.access_token)).toBe(true)
    await service.clock.advance(5_000)
    expect(await isActive(service, body.access_token)).toBe(false)
    expectOAuthError(await userinfo(service, app, body.access_token), 'invalid_token', 401)
    expect(await isActive(service, body.refresh_token)).toBe(true)
  })
})
