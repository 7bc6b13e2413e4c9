import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  expectError,
  joinTeam,
  logIn,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const PATH = '/api/v1/policies/password'
const DEFAULTS = {
  minLength: 8,
  requireUppercase: false,
  requireLowercase: false,
  requireNumbers: false,
  requireSymbols: false,
  maxAgeDays: 0,
  historyCount: 0,
  lockoutThreshold: 7,
  lockoutDuration: 20,
}

describe('GET and PUT /policies/password', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ env: { LIMIT_ACCOUNT_FAILURES: '7', LIMIT_ACCOUNT_MINUTES: '20' } })
  })
  afterAll(() => service.close())

  const read = ({ token }: Pick<TestUser, 'token'>) => service.api('GET', PATH, { token })
  const write = ({ token }: Pick<TestUser, 'token'>, body: object) => service.api('PUT', PATH, { token, body })
  const entries = (teamId: string) =>
    service.sql<{ action: string; metadata: Record<string, unknown> }>(
      "SELECT action, metadata FROM audit_entries WHERE team_id = $1 AND action LIKE 'password_policy.%' ORDER BY id",
      [teamId],
    )

  it('stores the effective values exactly once across many concurrent first reads', async () => {
    const owner = await registerUser(service)
    const answers = await atOnce(CONCURRENT, () => read(owner))
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).toEqual(answers[0]?.body)
    }
    expect(answers[0]?.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      teamId: owner.teamId,
      ...DEFAULTS,
      createdAt: expect.any(String),
      updatedAt: answers[0]?.body.createdAt,
    })
    expect((await entries(owner.teamId)).map(({ action }) => action)).toEqual(['password_policy.created'])
  })

  it('updates the given fields and records the previous values', async () => {
    const owner = await registerUser(service)
    const first = await write(owner, { minLength: 12, historyCount: 5 })
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ ...DEFAULTS, minLength: 12, historyCount: 5 })
    await service.clock.advance(1_000)
    const second = await write(owner, { requireSymbols: true, minLength: 12, lockoutDuration: 10_080 })
    const expected = { ...first.body, requireSymbols: true, lockoutDuration: 10_080, updatedAt: expect.any(String) }
    expect(second.body).toEqual(expected)
    expect(second.body.updatedAt > first.body.updatedAt).toBe(true)
    expect((await read(owner)).body).toEqual(second.body)
    expect((await entries(owner.teamId)).at(-1)).toEqual({
      action: 'password_policy.updated',
      metadata: {
        changed: ['lockoutDuration', 'requireSymbols'],
        before: { lockoutDuration: 20, requireSymbols: false },
        after: { lockoutDuration: 10_080, requireSymbols: true },
      },
    })
  })

  it('records nothing if nothing changes', async () => {
    const owner = await registerUser(service)
    const { body: before } = await write(owner, { minLength: 12 })
    await service.clock.advance(1_000)
    for (const same of [{}, { minLength: 12 }, { ...DEFAULTS, minLength: 12 }]) {
      const answer = await write(owner, same)
      expect([answer.status, answer.body]).toEqual([200, before])
    }
    expect((await entries(owner.teamId)).map(({ action }) => action)).toEqual([
      'password_policy.created',
      'password_policy.updated',
    ])
  })

  it('loses no concurrent update', async () => {
    const owner = await registerUser(service)
    const changes = [{ minLength: 20 }, { maxAgeDays: 90 }, { historyCount: 24 }, { lockoutThreshold: 3 }]
    const answers = await atOnce(16, (index) => write(owner, changes[index % changes.length] ?? {}))
    for (const { status } of answers) expect(status).toBe(200)
    expect((await read(owner)).body).toMatchObject(Object.assign({}, ...changes))
  })

  it.each([
    ['minLength', 8, 128],
    ['maxAgeDays', 0, 3_650],
    ['historyCount', 0, 24],
    ['lockoutThreshold', 0, 1_000],
    ['lockoutDuration', 1, 10_080],
  ])('accepts %s from %i to %i only', async (field, least, most) => {
    const owner = await registerUser(service)
    for (const value of [least, most]) expect((await write(owner, { [field]: value })).body[field]).toBe(value)
    const before = (await read(owner)).body
    for (const value of [least - 1, most + 1, least + 0.5, String(least), null])
      expectError(await write(owner, { minLength: 9, [field]: value }), 400, 'invalid_request')
    expect((await read(owner)).body).toEqual(before)
  })

  it('applies at most 64 characters to the own password of a member', async () => {
    const owner = await registerUser(service)
    await write(owner, { minLength: 128 })
    const reset = async (length: number) => {
      const token = await requestToken(service, 'password_reset', owner.email)
      return service.api('POST', '/api/v1/auth/reset-password', { body: { token, newPassword: 'x'.repeat(length) } })
    }
    expectError(await reset(63), 400, 'password_policy')
    expect((await reset(64)).status).toBe(200)
  })

  it('isolates the policy of a team and deletes it with the team', async () => {
    const [owner, other] = [await registerUser(service), await registerUser(service)]
    await write(owner, { minLength: 30 })
    expect((await read(other)).body.minLength).toBe(8)
    await service.sql('DELETE FROM organizations WHERE id = $1', [owner.teamId])
    expect(await service.sql('SELECT 1 FROM password_policies WHERE organization_id = $1', [owner.teamId])).toEqual([])
    expectError(await read(owner), 401, 'invalid_access_token')
  })

  it('allows auditors to read and administrators to write', async () => {
    const owner = await registerUser(service)
    const seen: Record<string, number[]> = {}
    for (const role of ['ORG_ADMIN', 'READ_ONLY_ADMIN', 'USER_ADMIN', 'MEMBER']) {
      const user = await registerUser(service)
      await joinTeam(service, user, owner.teamId, { role })
      const { body } = await service.api('POST', '/api/v1/auth/login', {
        body: { email: user.email, password: user.password, teamId: owner.teamId },
      })
      const member = { token: body.accessToken }
      seen[role] = [(await read(member)).status, (await write(member, {})).status]
    }
    expect(seen).toEqual({
      ORG_ADMIN: [200, 200],
      READ_ONLY_ADMIN: [200, 403],
      USER_ADMIN: [403, 403],
      MEMBER: [403, 403],
    })
  })

  it('applies on the next request on every node', async () => {
    const owner = await registerUser(service)
    for (let minLength = 40; minLength < 44; minLength++) {
      await service.api('PUT', PATH, { token: owner.token, body: { minLength }, node: minLength % service.urls.length })
      for (let node = 0; node < service.urls.length; node++) {
        const { body } = await service.api('GET', '/api/v1/auth/me', { token: owner.token, node })
        expect(body.passwordPolicy).toEqual({
          minLength,
          requireUppercase: false,
          requireLowercase: false,
          requireNumbers: false,
          requireSymbols: false,
          maxAgeDays: 0,
          historyCount: 0,
        })
      }
    }
    await logIn(service, owner)
  })
})
