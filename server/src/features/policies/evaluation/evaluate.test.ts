import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  expectError,
  joinTeam,
  registerApplication,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const POLICIES = '/api/v1/policies'
const QUESTION = { resource: 'documents/42', action: 'read' }

describe('POST /policies/evaluate', () => {
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

  const make = async (fields: Record<string, unknown> = {}) => {
    const { status, body } = await service.api('POST', POLICIES, {
      token,
      body: { name: 'Read', resource: 'documents/*', actions: ['read'], ...fields },
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }
  const evaluate = (fields: Record<string, unknown> = {}, query = '', headers: Record<string, string> = {}) =>
    service.api('POST', `${POLICIES}/evaluate${query}`, { token, headers, body: { ...QUESTION, ...fields } })
  const decisionOf = async (fields: Record<string, unknown> = {}) => (await evaluate(fields)).body.decision
  const lastEntry = async () =>
    (await service.api('GET', '/api/v1/audit/logs?action=policy.evaluated&limit=1', { token })).body.data[0]

  it('denies without a matching policy', async () => {
    const { status, body } = await evaluate()
    expect([status, body]).toEqual([200, { decision: 'DENY', reason: expect.stringMatching(/^No policy matched/) }])
  })

  it('names the policy that allowed', async () => {
    const { id } = await make({ priority: 3 })
    const { body } = await evaluate()
    expect(body).toEqual({
      decision: 'ALLOW',
      matchedPolicy: { id, name: 'Read', effect: 'ALLOW', priority: 3 },
      reason: expect.stringContaining('“Read”'),
    })
  })

  it('denies if any DENY policy matches, regardless of its priority', async () => {
    await make({ priority: 100 })
    const { id } = await make({ name: 'Never', effect: 'DENY', priority: -5, resource: '*', actions: ['*'] })
    const { body } = await evaluate()
    expect(body).toMatchObject({ decision: 'DENY', matchedPolicy: { id, effect: 'DENY', priority: -5 } })
  })

  it('names the matching policy with the highest priority, then the oldest', async () => {
    await make({ name: 'low', priority: 1 })
    const first = await make({ name: 'first', priority: 2 })
    await service.clock.advance(5)
    await make({ name: 'second', priority: 2 })
    expect((await evaluate()).body.matchedPolicy).toMatchObject({ id: first.id, name: 'first' })
  })

  it('evaluates only enabled policies of type ACCESS', async () => {
    for (const type of ['SIGN_ON', 'MFA', 'PASSWORD']) await make({ type })
    const { id } = await make({ enabled: false })
    expect(await decisionOf()).toBe('DENY')
    await service.api('PUT', `${POLICIES}/${id}`, { token, body: { enabled: true } })
    expect(await decisionOf()).toBe('ALLOW')
  })

  it('evaluates no policy of another team', async () => {
    await make()
    const outsider = await registerUser(service)
    const { body } = await service.api('POST', `${POLICIES}/evaluate`, { token: outsider.token, body: QUESTION })
    expect(body.decision).toBe('DENY')
  })

  it('uses the IP address, user agent and time of a caller who evaluates for themselves', async () => {
    await make({ conditions: { ipRange: ['127.0.0.0/8', '::1'], userAgent: 'probe/1' } })
    const headers = { 'user-agent': 'probe/1' }
    expect((await evaluate({}, '', headers)).body.decision).toBe('ALLOW')
    expect((await evaluate({ userId: owner.id.toUpperCase() }, '', headers)).body.decision).toBe('ALLOW')
    expect((await evaluate({ context: { ipAddress: '203.0.113.9' } }, '', headers)).body.decision).toBe('DENY')
    expect((await lastEntry()).metadata.context).toEqual({
      ipAddress: '203.0.113.9',
      userAgent: 'probe/1',
      timestamp: expect.any(String),
    })
  })

  it('uses no IP address or user agent for another user', async () => {
    const member = await registerUser(service)
    await joinTeam(service, member, owner.teamId)
    const agent = await registerApplication(service, owner, { isAiAgent: true })
    await make({ conditions: { ipRange: ['127.0.0.0/8', '::1'] } })
    expect(await decisionOf({ userId: member.id })).toBe('DENY')
    expect(await decisionOf({ agentId: agent.id })).toBe('DENY')
    expect(await decisionOf({ userId: member.id, context: { ipAddress: '127.0.0.1' } })).toBe('ALLOW')
    expect(Object.keys((await lastEntry()).metadata.context).sort()).toEqual(['ipAddress', 'timestamp'])
  })

  it('defaults to the current time', async () => {
    const hour = service.clock.now().getUTCHours()
    const text = (value: number) => `${String(value % 24).padStart(2, '0')}:00`
    await make({ conditions: { timeWindow: { start: text(hour), end: text(hour + 2) } } })
    expect(await decisionOf()).toBe('ALLOW')
    await service.clock.advance(3 * 3_600_000)
    token = (await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: owner.refreshToken } })).body
      .accessToken
    expect(await decisionOf()).toBe('DENY')
    expect(await decisionOf({ context: { timestamp: `2026-03-02T${text(hour)}:30Z` } })).toBe('ALLOW')
  })

  it('records the caller, the user, the request and the decision', async () => {
    const member = await registerUser(service)
    await joinTeam(service, member, owner.teamId)
    const agent = await registerApplication(service, owner, { isAiAgent: true })
    const { id } = await make()
    await evaluate({ userId: member.id, agentId: agent.id, context: { timestamp: '2026-03-02T10:00:00Z', level: 3 } })
    expect(await lastEntry()).toMatchObject({
      userId: owner.id,
      agentId: agent.id,
      resource: `user:${member.id}`,
      result: 'SUCCESS',
      metadata: {
        ...QUESTION,
        decision: 'ALLOW',
        policy: { id, name: 'Read' },
        context: { timestamp: '2026-03-02T10:00:00Z', level: 3 },
      },
    })
    await evaluate({ action: 'write' })
    const denied = await lastEntry()
    expect(denied).toMatchObject({ agentId: null, resource: `user:${owner.id}`, result: 'DENIED' })
    expect(denied.metadata).not.toHaveProperty('policy')
  })

  it('returns 404 without an audit entry for a user or agent that the team does not have', async () => {
    const outsider = await registerUser(service)
    const foreign = await registerApplication(service, outsider, { isAiAgent: true })
    const plain = await registerApplication(service, owner)
    for (const userId of [outsider.id, 'unknown', '', plain.id]) {
      expectError(await evaluate({ userId }), 404, 'user_not_found')
    }
    for (const agentId of [foreign.id, plain.id, 'none', owner.id])
      expectError(await evaluate({ agentId }), 404, 'application_not_found')
    expect(await lastEntry()).toBeUndefined()
  })

  it.each([
    ['ipAddress', 'here'],
    ['ipAddress', 7],
    ['userAgent', ['x']],
    ['geoLocation', { country: 'DE' }],
    ['geoLocation', 'Germany'],
    ['geoLocation', ''],
    ['timestamp', 'soon'],
    ['timestamp', 5],
  ])('rejects %s %j in the context with the path of the field', async (key, value) => {
    const answer = await evaluate({ context: { [key]: value } })
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toContain(`/context/${key}`)
    expect(await lastEntry()).toBeUndefined()
  })

  it('accepts lists of 100 items and 16,384 characters of context, and no more', async () => {
    await make({ conditions: { groups: 'g99' } })
    const groups = Array.from({ length: 101 }, (_, index) => `g${index}`)
    expect(await decisionOf({ context: { groups: groups.slice(0, 100) } })).toBe('ALLOW')
    const long = await evaluate({ context: { 'a/b': groups, groups } })
    expectError(long, 400, 'invalid_request')
    expect(long.body.errors).toEqual([
      { path: '/context/a~1b', message: 'must not have more than 100 items' },
      { path: '/context/groups', message: 'must not have more than 100 items' },
    ])
    const frame = JSON.stringify({ text: '' }).length
    expect((await evaluate({ context: { text: 'x'.repeat(16_384 - frame) } })).status).toBe(200)
    const large = await evaluate({ context: { text: 'x'.repeat(16_385 - frame) } })
    expectError(large, 400, 'invalid_request')
    expect(large.body.errors).toEqual([
      { path: '/context', message: 'must not be longer than 16384 characters of JSON' },
    ])
  })

  it('uses no attributes of the membership', async () => {
    const member = await registerUser(service)
    await joinTeam(service, member, owner.teamId)
    const row = () =>
      service.sql('SELECT ctid::text, xmin::text, xmax::text FROM memberships WHERE organization_id = $1 ORDER BY 1', [
        owner.teamId,
      ])
    const before = await row()
    expect((await evaluate({ userId: member.id })).status).toBe(200)
    expect(await row()).toEqual(before)
  })

  it('treats null as unknown', async () => {
    await make()
    const context = { ipAddress: null, geoLocation: null, timestamp: null, userAgent: null }
    expect(await decisionOf({ context, userId: null, agentId: null })).toBe('ALLOW')
    expect(await decisionOf({ context: null })).toBe('ALLOW')
  })

  it('evaluates a context that is too large to be recorded, and notes it in the audit entry', async () => {
    await make({ conditions: { level: 3 } })
    expect(await decisionOf({ context: { level: 3, text: 'x'.repeat(5_000) } })).toBe('ALLOW')
    const { metadata } = await lastEntry()
    expect(metadata).toMatchObject({ ...QUESTION, decision: 'ALLOW', contextTooLarge: true })
    expect(metadata).not.toHaveProperty('context')
  })

  it('explains why each policy matched or not, requested in the body or in the query', async () => {
    await make({ name: 'other action', actions: ['write'], priority: 9 })
    await make({ name: 'off', enabled: false, priority: 8 })
    await make({ name: 'elsewhere', resource: 'images/*', priority: 7 })
    await make({ name: 'place', conditions: { geoLocations: 'FR', ipRange: '203.0.113.0/24', level: 3 }, priority: 6 })
    await make({ name: 'fits', priority: 5 })
    await make({ name: 'sign-in', type: 'MFA' })
    const context = { geoLocation: 'DE', ipAddress: '198.51.100.7' }
    const { body } = await evaluate({ explain: true, context })
    expect(body.decision).toBe('ALLOW')
    expect(
      body.considered.map(({ name, matched, failed }: Record<string, unknown>) => ({ name, matched, failed })),
    ).toEqual([
      { name: 'other action', matched: false, failed: ['actions'] },
      { name: 'off', matched: false, failed: ['enabled'] },
      { name: 'elsewhere', matched: false, failed: ['resource'] },
      {
        name: 'place',
        matched: false,
        failed: expect.arrayContaining(['conditions.ipRange', 'conditions.geoLocations', 'conditions.level']),
      },
      { name: 'fits', matched: true, failed: [] },
    ])
    const { reason } = body.considered[3]
    expect(reason).toContain('ipRange does not hold for ipAddress "198.51.100.7"')
    expect(reason).toContain('level needs level in the context, which has none')
    expect((await evaluate({ context }, '?explain=true')).body).toEqual(body)
    expect((await evaluate({ context }, '?explain=false')).body).not.toHaveProperty('considered')
  })

  it('explains three conditions of a policy, and lists all that failed', async () => {
    const keys = Array.from({ length: 50 }, (_, index) => `k${String(index).padStart(2, '0')}`)
    await make({ conditions: Object.fromEntries(keys.map((key) => [key, 1])) })
    const { body } = await evaluate({ explain: true, context: { k01: 'x'.repeat(200) } })
    const { failed, reason } = body.considered[0]
    expect(failed).toEqual(keys.map((key) => `conditions.${key}`))
    expect(reason.split('; ')).toEqual([
      'the condition k00 needs k00 in the context, which has none',
      `the condition k01 does not hold for k01 "${'x'.repeat(99)}…`,
      'the condition k02 needs k02 in the context, which has none',
      '47 more of its conditions do not hold',
    ])
  })

  it('requires policies:evaluate, which policies:read does not include', async () => {
    const reader = await registerUser(service)
    await joinTeam(service, reader, owner.teamId, { role: 'READ_ONLY_ADMIN' })
    const ask = (method: string, path: string, body?: unknown) =>
      service.api(method, path, { token: reader.token, headers: { 'x-org-id': owner.teamId }, body })
    expect((await ask('GET', POLICIES)).status).toBe(200)
    expectError(await ask('POST', `${POLICIES}/evaluate`, QUESTION), 403, 'forbidden')
    expectError(
      await ask('POST', `${POLICIES}/replay`, { draft: { name: 'x', resource: '*', actions: ['*'] } }),
      403,
      'forbidden',
    )
    expectError(await ask('POST', POLICIES, { name: 'x', resource: '*', actions: ['*'] }), 403, 'forbidden')
  })

  describe('a draft', () => {
    const DRAFT = { name: 'Draft', resource: 'documents/42', actions: ['*'], effect: 'DENY' }

    it('evaluates a draft as if it were saved, marks the response, and does not save it', async () => {
      await make()
      await service.settle()
      const before = await dumpState(service)
      const { body } = await evaluate({ draft: DRAFT, explain: true })
      expect(body).toMatchObject({
        decision: 'DENY',
        draft: true,
        matchedPolicy: { id: 'draft', name: 'Draft', effect: 'DENY', priority: 0, draft: true },
        considered: [
          { name: 'Read', matched: true },
          { name: 'Draft', matched: true, draft: true },
        ],
      })
      expect(body.considered[0]).not.toHaveProperty('draft')
      expect(await lastEntry()).toMatchObject({ result: 'DENIED', metadata: { draft: true, decision: 'DENY' } })
      expect(await dumpState(service)).toEqual(before)
      const { body: real } = await evaluate()
      expect(real.decision).toBe('ALLOW')
      expect(real).not.toHaveProperty('draft')
    })

    it('evaluates a draft in place of the policy with its ID', async () => {
      const deny = await make({ effect: 'DENY' })
      const allow = await make({ name: 'allow' })
      expect(await decisionOf()).toBe('DENY')
      const { body } = await evaluate({ draft: { ...DRAFT, id: deny.id.toUpperCase(), enabled: false } })
      expect(body).toMatchObject({ decision: 'ALLOW', draft: true, matchedPolicy: { id: allow.id } })
      expect(body.matchedPolicy).not.toHaveProperty('draft')
      const disabled = await make({ enabled: false })
      const { body: both } = await evaluate({ explain: true, draft: { ...DRAFT, effect: 'ALLOW', id: disabled.id } })
      expect(both.considered.filter(({ id }: { id: string }) => id === disabled.id)).toMatchObject([{ draft: true }])
    })

    it('rejects a draft that could not be saved, with the path of the field', async () => {
      for (const [wrong, path] of [
        [{ actions: [] }, '/draft/actions'],
        [{ conditions: { ipRange: 'x' } }, '/draft/conditions/ipRange'],
        [{ name: '' }, '/draft/name'],
        [{ type: 'MFA' }, '/draft/type'],
      ] as const) {
        const answer = await evaluate({ draft: { ...DRAFT, ...wrong } })
        expectError(answer, 400, 'invalid_request')
        expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path)
      }
    })
  })
})
