import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectError, logIn, makePolicy, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const POLICIES = '/api/v1/policies'
const DENY_TWO = { name: 'No 2', resource: 'documents/2', actions: ['*'], effect: 'DENY' }
const DAY = 86_400_000

describe('POST /policies/replay', () => {
  let service: TestService
  let owner: TestUser
  let token: string

  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    owner = await registerUser(service)
    token = owner.token
  })

  const evaluate = async (resource: string, fields: Record<string, unknown> = {}) =>
    expect(
      (await service.api('POST', `${POLICIES}/evaluate`, { token, body: { resource, action: 'read', ...fields } }))
        .status,
    ).toBe(200)
  const replay = (draft: unknown, days?: number) =>
    service.api('POST', `${POLICIES}/replay`, { token, body: { draft, days } })
  const entries = async (action: string) =>
    (await service.api('GET', `/api/v1/audit/logs?action=${action}`, { token })).body.data

  it('lists changed decisions newest first, and changes nothing but the audit log', async () => {
    await makePolicy(service, owner)
    for (const resource of ['documents/1', 'documents/2', 'images/2', 'documents/2']) await evaluate(resource)
    const [newest, , older] = await entries('policy.evaluated')
    await service.settle()
    const { audit_entries: _, ...before } = await dumpState(service)
    const { status, body } = await replay(DENY_TWO)
    const change = { resource: 'documents/2', action: 'read', from: 'ALLOW', to: 'DENY' }
    expect([status, body]).toEqual([
      200,
      {
        evaluated: 4,
        skipped: 0,
        truncated: false,
        changedTotal: 2,
        changed: [
          { auditId: newest.id, at: newest.createdAt, ...change },
          { auditId: older.id, at: older.createdAt, ...change },
        ],
      },
    ])
    const { audit_entries: __, ...after } = await dumpState(service)
    expect(after).toEqual(before)
    expect(await entries('policy.replayed')).toMatchObject([
      { result: 'SUCCESS', metadata: { name: 'No 2', days: 7, evaluated: 4, skipped: 0, changed: 2 } },
    ])
  })

  it('compares with the current policies, not with those at the time of the decision', async () => {
    await evaluate('documents/2')
    const { id } = await makePolicy(service, owner)
    // Denied at that time, allowed now: the draft does not change the current decision.
    expect((await replay({ name: 'x', resource: 'nothing', actions: ['*'] })).body).toMatchObject({
      evaluated: 1,
      changedTotal: 0,
    })
    expect((await replay(DENY_TWO)).body.changed).toMatchObject([{ from: 'ALLOW', to: 'DENY' }])
    const replaced = { id, name: 'Read', resource: 'documents/*', actions: ['read'], enabled: false }
    expect((await replay(replaced)).body.changed).toMatchObject([{ from: 'ALLOW', to: 'DENY' }])
  })

  it('uses the recorded context, including its time', async () => {
    await makePolicy(service, owner)
    await evaluate('documents/1', { context: { timestamp: '2026-03-02T10:00:00Z', ipAddress: '10.0.0.1', level: 3 } })
    await evaluate('documents/1', { context: { timestamp: '2026-03-02T20:00:00Z', ipAddress: '10.0.0.1', level: 3 } })
    const conditions = { timeWindow: { start: '09:00', end: '17:00' }, ipRange: '10.0.0.0/8', level: 3 }
    const { body } = await replay({ ...DENY_TWO, resource: '*', conditions })
    expect(body).toMatchObject({ evaluated: 2, changedTotal: 1 })
  })

  it('skips drafts and contexts that were too large to be recorded, and counts them', async () => {
    await makePolicy(service, owner)
    await evaluate('documents/2')
    await evaluate('documents/2', { draft: DENY_TWO })
    await evaluate('documents/2', { context: { text: 'x'.repeat(5_000) } })
    expect((await replay(DENY_TWO)).body).toMatchObject({ evaluated: 1, skipped: 2, changedTotal: 1 })
  })

  it('replays the requested number of days, of its own team only', async () => {
    await makePolicy(service, owner)
    await evaluate('documents/2')
    await service.clock.advance(10 * DAY)
    token = (await logIn(service, owner)).token
    await evaluate('documents/2')
    expect((await replay(DENY_TWO)).body.evaluated).toBe(1)
    expect((await replay(DENY_TWO, 11)).body.evaluated).toBe(2)
    for (const days of [0, 91, 1.5]) expectError(await replay(DENY_TWO, days), 400, 'invalid_request')
    token = (await registerUser(service)).token
    expect((await replay(DENY_TWO, 90)).body.evaluated).toBe(0)
  })

  it('replays the newest 10,000 and reports that there are older ones', async () => {
    await makePolicy(service, owner)
    const past = (from: number, to: number) =>
      service.sql(
        `INSERT INTO audit_entries (id, team_id, action, result, metadata, created_at)
         SELECT gen_random_uuid(), $1::uuid, 'policy.evaluated', 'SUCCESS',
           jsonb_build_object('resource', 'documents/' || n % 4, 'action', 'read', 'context', '{}'::jsonb), $2::timestamptz - n * interval '1 second'
         FROM generate_series($3::int, $4::int) n`,
        [owner.teamId, service.clock.now(), from, to],
      )
    for (let from = 1; from < 10_000; from += 1_000) await past(from, from + 999)
    const { body: all } = await replay(DENY_TWO)
    expect(all).toMatchObject({ evaluated: 10_000, truncated: false, changedTotal: 2_500 })
    expect(all.changed).toHaveLength(100)
    await past(10_001, 10_001)
    expect((await replay(DENY_TWO)).body).toMatchObject({ evaluated: 10_000, truncated: true })
  })

  it('rejects a draft that could not be saved', async () => {
    const answer = await replay({ ...DENY_TWO, conditions: { geoLocations: 'Nowhere' } })
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.errors).toMatchObject([{ path: '/draft/conditions/geoLocations' }])
    expect(await entries('policy.replayed')).toEqual([])
  })
})
