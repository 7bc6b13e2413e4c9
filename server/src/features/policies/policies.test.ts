import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atOnce, expectError, registerUser, type TestUser } from '../../../test/factories/factories.js'
import { dumpState } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const POLICIES = '/api/v1/policies'
const SMALL = { name: 'Read documents', resource: 'documents/*', actions: ['read'] }
const UNKNOWN = '01900000-0000-7000-8000-0000000000ff'

describe('/policies', () => {
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

  const post = (body: unknown) => service.api('POST', POLICIES, { token, body })
  const put = (id: string, body: unknown) => service.api('PUT', `${POLICIES}/${id}`, { token, body })
  const make = async (fields: Record<string, unknown> = {}) => {
    const { status, body } = await post({ ...SMALL, ...fields })
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }
  const version = async () =>
    (await service.sql<{ v: number }>('SELECT policy_version AS v FROM organizations WHERE id = $1', [owner.teamId]))[0]
      ?.v
  const entries = async (action: string) =>
    (await service.api('GET', `/api/v1/audit/logs?action=${action}`, { token })).body.data

  it('creates a policy with the documented defaults', async () => {
    const policy = await make()
    expect(policy).toEqual({
      id: expect.any(String),
      teamId: owner.teamId,
      ...SMALL,
      description: null,
      type: 'ACCESS',
      effect: 'ALLOW',
      rules: [],
      conditions: {},
      priority: 0,
      enabled: true,
      createdAt: expect.any(String),
      updatedAt: policy.createdAt,
    })
    expect((await service.api('GET', `${POLICIES}/${policy.id}`, { token })).body).toEqual(policy)
    expect((await service.api('GET', POLICIES, { token })).body).toEqual({ data: [policy] })
  })

  it('stores all fields', async () => {
    const whole = {
      ...SMALL,
      description: 'Line one\nLine two',
      type: 'MFA',
      effect: 'DENY',
      priority: -2_147_483_648,
      enabled: false,
      conditions: {
        ipRange: ['10.0.0.0/8', '2001:db8::/32'],
        geoLocations: 'de',
        timeWindow: { start: '22:00', end: '06:00', days: ['FRI', 6], timezone: 'Europe/Berlin' },
        department: ['sales', 7, true, null],
      },
      rules: [
        {
          id: 'mine',
          name: 'Outside',
          conditions: { ipRange: '10.0.0.0/8' },
          requirement: 'MFA_REQUIRED',
          priority: 3,
        },
        { requirement: 'DENY' },
      ],
    }
    const policy = await make(whole)
    expect(policy).toMatchObject({
      ...whole,
      rules: [whole.rules[0], { id: expect.any(String), requirement: 'DENY', conditions: {}, priority: 0 }],
    })
    expect((await service.api('GET', `${POLICIES}/${policy.id}`, { token })).body).toEqual(policy)
  })

  it('lists policies by descending priority, then oldest first, and filters by type', async () => {
    const ids: Record<string, string> = {}
    for (const [name, priority, type] of [
      ['c', 0, 'ACCESS'],
      ['d', 0, 'MFA'],
      ['a', 9, 'PASSWORD'],
      ['e', -1, 'SIGN_ON'],
      ['b', 9, 'ACCESS'],
    ] as const) {
      ids[name] = (await make({ name, priority, type })).id
      await service.clock.advance(5)
    }
    const names = async (query = '') =>
      (await service.api('GET', `${POLICIES}${query}`, { token })).body.data.map(({ name }: { name: string }) => name)
    expect(await names()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(await names('?type=ACCESS')).toEqual(['b', 'c'])
    expect(await names('?type=SIGN_ON')).toEqual(['e'])
    expectError(await service.api('GET', `${POLICIES}?type=access`, { token }), 400, 'invalid_request')
  })

  it('accepts four types, and no change of the type', async () => {
    expectError(await post({ ...SMALL, type: 'OTHER' }), 400, 'invalid_request')
    const policy = await make({ effect: 'DENY' })
    expect((await put(policy.id, { type: 'MFA' })).body).toEqual(policy)
  })

  it('updates the given fields, and null resets a field', async () => {
    const policy = await make({
      description: 'Old',
      conditions: { department: 'it' },
      rules: [{ requirement: 'DENY' }],
    })
    await service.clock.advance(1_000)
    const { body: changed } = await put(policy.id, { effect: 'DENY', priority: 5 })
    expect(changed).toEqual({ ...policy, effect: 'DENY', priority: 5, updatedAt: changed.updatedAt })
    expect(changed.updatedAt > policy.updatedAt).toBe(true)
    const { body: cleared } = await put(policy.id, {
      description: null,
      conditions: null,
      rules: null,
      type: 'SIGN_ON',
    })
    expect(cleared).toMatchObject({ description: null, conditions: {}, rules: [], type: 'ACCESS', effect: 'DENY' })
    expect(await entries('policy.updated')).toMatchObject([
      { resource: `policy:${policy.id}`, metadata: { changed: ['conditions', 'description', 'rules'] } },
      { metadata: { name: SMALL.name, changed: ['effect', 'priority'] } },
    ])
  })

  it('keeps the version and records no entry for an update that changes nothing', async () => {
    const rules = [{ id: 'mine', conditions: { ipRange: '10.0.0.0/8' }, requirement: 'DENY', priority: 3 }]
    const policy = await make({ conditions: { b: [1, 'x'], a: null }, rules, description: 'Same' })
    const before = await version()
    await service.clock.advance(1_000)
    const { id, teamId: _, createdAt: __, updatedAt: ___, ...same } = policy
    for (const body of [{}, same, { conditions: { a: null, b: [1, 'x'] } }]) {
      const answer = await put(id, body)
      expect([answer.status, answer.body]).toEqual([200, policy])
    }
    expect(await version()).toBe(before)
    expect(await entries('policy.updated')).toEqual([])
  })

  it('deletes a policy permanently and records its fields', async () => {
    const policy = await make()
    const deleted = await service.api('DELETE', `${POLICIES}/${policy.id}`, { token })
    expect([deleted.status, deleted.body]).toEqual([200, { message: expect.any(String) }])
    for (const method of ['GET', 'PUT', 'DELETE'])
      expectError(
        await service.api(method, `${POLICIES}/${policy.id}`, { token, ...(method === 'PUT' && { body: {} }) }),
        404,
        'policy_not_found',
      )
    expect(await entries('policy.deleted')).toMatchObject([{ metadata: { name: SMALL.name, resource: 'documents/*' } }])
    expect(await entries('policy.created')).toHaveLength(1)
  })

  it('increments the version once per update, and not for rejected ones', async () => {
    const before = (await version()) ?? 0
    const { id } = await make()
    await put(id, { enabled: false })
    await put(UNKNOWN, { enabled: false })
    await put(id, { conditions: { ipRange: 'nowhere' } })
    await post({ ...SMALL, actions: [] })
    await service.api('DELETE', `${POLICIES}/${UNKNOWN}`, { token })
    await service.api('DELETE', `${POLICIES}/${id}`, { token })
    expect(await version()).toBe(before + 3)
  })

  it.each<[string, Record<string, unknown>, string[]]>([
    ['no action', { actions: [] }, ['/actions']],
    ['an empty action', { actions: ['read', ''] }, ['/actions/1']],
    ['a long action', { actions: ['x'.repeat(201)] }, ['/actions/0']],
    ['too many actions', { actions: Array(101).fill('x') }, ['/actions']],
    ['a blank name', { name: '  ' }, ['/name']],
    ['a long name', { name: 'x'.repeat(101) }, ['/name']],
    ['an empty resource', { resource: '' }, ['/resource']],
    ['a long resource', { resource: 'x'.repeat(501) }, ['/resource']],
    ['a priority with a fraction', { priority: 1.5 }, ['/priority']],
    ['a priority beyond 32 bits', { priority: 2_147_483_648 }, ['/priority']],
    ['another effect', { effect: 'allow' }, ['/effect']],
    ['a bad range', { conditions: { ipRange: ['10.0.0.0/8', '10.0.0.0/40'] } }, ['/conditions/ipRange/1']],
    ['a bad country', { conditions: { geoLocations: 'Germany' } }, ['/conditions/geoLocations']],
    [
      'bad times',
      { conditions: { timeWindow: { start: '9', end: '25:00', timezone: 'Nowhere' } } },
      ['/conditions/timeWindow/start', '/conditions/timeWindow/end', '/conditions/timeWindow/timezone'],
    ],
    ['a condition that is an object', { conditions: { owner: { id: 1 } } }, ['/conditions/owner']],
    [
      'conditions that are too long',
      { conditions: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, 'x'.repeat(480)])) },
      ['/conditions'],
    ],
    ['a rule without a requirement', { rules: [{ name: 'x' }] }, ['/rules/0/requirement']],
    [
      'a rule with a bad condition',
      { rules: [{ requirement: 'DENY' }, { requirement: 'DENY', conditions: { ipRange: 'x' } }] },
      ['/rules/1/conditions/ipRange'],
    ],
    [
      'two rules with the same ID',
      {
        rules: [
          { id: 'a', requirement: 'DENY' },
          { id: 'a', requirement: 'DENY' },
        ],
      },
      ['/rules/1/id'],
    ],
  ])('rejects %s with the path of the error and changes nothing', async (_, wrong, paths) => {
    const policy = await make()
    await service.settle()
    const before = await dumpState(service)
    for (const answer of [await post({ ...SMALL, ...wrong }), await put(policy.id, wrong)]) {
      expectError(answer, 400, 'invalid_request')
      const named = answer.body.errors.map(({ path }: { path: string }) => path)
      for (const path of paths) expect(named).toContain(path)
    }
    expect(await dumpState(service)).toEqual(before)
  })

  it('accepts at most 10,000 policies under concurrent creation', async () => {
    await service.sql(
      `INSERT INTO policies (id, organization_id, name, type, effect, resource, actions, rules, conditions, priority, enabled, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'Many', 'ACCESS', 'ALLOW', 'many/' || n, '{read}', '[]', '{}', 0, true, now(), now() FROM generate_series(1, 9998) n`,
      [owner.teamId],
    )
    const answers = await atOnce(6, () => post(SMALL))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectError(answer, 409, 'limit_reached')
      expect(answer.body.detail).toBe('The team has 10000 policies; its limit is 10000')
    }
    const { body } = await service.api('POST', `${POLICIES}/evaluate`, {
      token,
      body: { resource: 'many/9998', action: 'read' },
    })
    expect(body.decision).toBe('ALLOW')
  })

  it('accepts at most 16 MiB in total', async () => {
    await service.sql(
      `INSERT INTO policies (id, organization_id, name, type, effect, resource, actions, rules, conditions, priority, enabled, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'Large', 'MFA', 'ALLOW', 'x', '{read}', '[]', jsonb_build_object('k', repeat('x', 16000)), 0, true, now(), now() FROM generate_series(1, 1046) n`,
      [owner.teamId],
    )
    const large = { conditions: { k: Array.from({ length: 30 }, (_, i) => `${i}${'x'.repeat(490)}`) } }
    const small = await make()
    expectError(
      await put(small.id, { ...large, rules: Array.from({ length: 3 }, () => ({ requirement: 'DENY', ...large })) }),
      409,
      'limit_reached',
    )
    expect((await service.api('GET', `${POLICIES}/${small.id}`, { token })).body).toEqual(small)
  })

  it('applies concurrent updates one after the other, and counts each', async () => {
    const { id } = await make()
    const before = (await version()) ?? 0
    const answers = await atOnce(20, (index) => put(id, { name: `Name ${index}`, resource: `r/${index}` }))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(await version()).toBe(before + 20)
    const { body } = await service.api('GET', `${POLICIES}/${id}`, { token })
    expect(body.resource).toBe(`r/${body.name.slice(5)}`)
  })

  it('deletes once across concurrent requests', async () => {
    const { id } = await make()
    const answers = await atOnce(20, () => service.api('DELETE', `${POLICIES}/${id}`, { token }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expectError(answer, 404, 'policy_not_found')
  })
})
