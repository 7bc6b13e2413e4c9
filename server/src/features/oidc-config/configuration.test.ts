import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  expectError,
  joinTeam,
  registerApplication,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import { configuredApp, validationErrorsOf } from '../../../test/factories/oidc-configuration.js'
import { dumpState } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'

let service: TestService
let owner: TestUser
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
})
afterAll(() => service.close())

const newApp = (fields?: Record<string, unknown>) => configuredApp(service, owner, fields)
const entriesOf = async (id: string) => {
  const { body } = await service.api('GET', '/api/v1/audit/logs?limit=100', { token: owner.token })
  return body.data
    .filter(
      ({ resource, action }: Record<string, string>) =>
        resource === `application:${id}` && action !== 'application.created',
    )
    .map(({ action, metadata }: Record<string, unknown>) => [action, metadata])
}
const CLAIM = { name: 'dept', userAttribute: 'department', targetTokens: ['ID_TOKEN'] }
const RULE = { name: 'Domain', pattern: '^[^@]+@', replacement: '' }

describe('the configuration of an application', () => {
  it('contains only the standard scopes and default lifetimes initially', async () => {
    const app = await newApp()
    const { status, body } = await app.call('GET', '')
    expect(status).toBe(200)
    expect(body).toEqual({
      id: app.id,
      applicationId: app.id,
      scopes: [
        { name: 'openid', isDefault: true },
        { name: 'profile', isDefault: true },
        { name: 'email', isDefault: false },
        { name: 'offline_access', isDefault: false },
      ].map((scope) => ({ ...scope, id: expect.any(String), description: null, createdAt: body.createdAt })),
      claims: [],
      regexRules: [],
      signingKeys: [],
      tokenPolicy: {
        accessTokenLifetime: 3_600,
        idTokenLifetime: 3_600,
        refreshTokenLifetime: 2_592_000,
        rotationEnabled: true,
        reuseInterval: 30,
        updatedAt: body.createdAt,
      },
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
    })
    expect((await app.call('GET', '/scopes')).body.data).toEqual(body.scopes)
    expect((await app.call('GET', '/token-policy')).body).toEqual(body.tokenPolicy)
    for (const list of ['claims', 'regex-rules', 'signing-keys'])
      expect((await app.call('GET', `/${list}`)).body).toEqual({ data: [] })
  })

  it('returns application_not_oidc for a SAML application', async () => {
    const saml = await newApp({ type: 'SAML', samlEntityId: 'https://sp.example' })
    const before = await dumpState(service)
    const rejected = [
      saml.call('GET', ''),
      saml.call('POST', '/scopes', { name: 'a' }),
      saml.call('POST', '/claims', CLAIM),
      saml.call('POST', '/regex-rules', RULE),
      saml.call('POST', '/signing-keys/generate', { algorithm: 'ES256' }),
      saml.call('PUT', '/token-policy', { reuseInterval: 1 }),
      saml.call('POST', '/preview', { userId: owner.id, scopes: [] }),
    ]
    for (const answer of await Promise.all(rejected)) expectError(answer, 409, 'application_not_oidc')
    expect(await dumpState(service)).toEqual(before)
  })

  it('increments the version of the application at every change, and only then', async () => {
    const app = await newApp()
    const rule = await app.make('/regex-rules', RULE)
    const claim = await app.make('/claims', { ...CLAIM, regexRuleId: rule.id })
    const scope = await app.make('/scopes', { name: 'read' })
    const changes: [string, string, object?][] = [
      ['PUT', `/scopes/${scope.id}`, { description: 'Reads' }],
      ['PUT', `/claims/${claim.id}`, { name: 'division' }],
      ['PUT', `/regex-rules/${rule.id}`, { flags: 'g' }],
      ['PUT', '/token-policy', { reuseInterval: 5 }],
      ['DELETE', `/claims/${claim.id}`],
      ['DELETE', `/regex-rules/${rule.id}`],
      ['DELETE', `/scopes/${scope.id}`],
    ]
    let version = await app.version()
    expect(version).toBe(4)
    for (const [method, path, body] of changes) {
      expect((await app.call(method, path, body)).status, path).toBe(200)
      version += 1
      expect(await app.version(), path).toBe(version)
      // The same value again is no change and is not recorded.
      if (method === 'PUT') expect((await app.call(method, path, body)).status).toBe(200)
      expect(await app.version(), path).toBe(version)
    }
    expect(await entriesOf(app.id)).toEqual([
      ['oidc_scope.deleted', { scope: 'read' }],
      ['regex_rule.deleted', { rule: 'Domain' }],
      ['oidc_claim.deleted', { claim: 'division' }],
      ['token_policy.updated', { before: { reuseInterval: 30 }, after: { reuseInterval: 5 } }],
      ['regex_rule.updated', { rule: 'Domain', changed: ['flags'] }],
      [
        'oidc_claim.updated',
        { claim: 'division', userAttribute: 'department', targetTokens: ['ID_TOKEN'], changed: ['name'] },
      ],
      ['oidc_scope.updated', { scope: 'read', changed: ['description'] }],
      ['oidc_scope.created', { scope: 'read', isDefault: false }],
      ['oidc_claim.created', { claim: 'dept', userAttribute: 'department', targetTokens: ['ID_TOKEN'] }],
      ['regex_rule.created', { rule: 'Domain' }],
    ])
  })

  it('requires the permission to read or write', async () => {
    const app = await newApp()
    const reader = await registerUser(service)
    await joinTeam(service, reader, owner.teamId, { role: 'READ_ONLY_ADMIN' })
    const { body } = await service.api('POST', '/api/v1/auth/switch-team', {
      token: reader.token,
      body: { teamId: owner.teamId },
    })
    const as = body.accessToken
    expect((await app.call('GET', '', undefined, as)).status).toBe(200)
    expect((await app.call('POST', '/regex-rules/test', { ...RULE, input: 'a' }, as)).status).toBe(200)
    for (const [method, path, sent] of [
      ['POST', '/scopes', { name: 'a' }],
      ['PUT', '/token-policy', {}],
      ['POST', '/signing-keys/generate', { algorithm: 'ES256' }],
    ] as const)
      expectError(await app.call(method, path, sent, as), 403, 'forbidden')
  })
})

describe('scopes of an application', () => {
  it('creates, changes and deletes a scope', async () => {
    const app = await newApp()
    const made = await app.make('/scopes', { name: 'read:reports', description: 'Reads reports', isDefault: true })
    expect(made).toEqual({
      id: expect.any(String),
      name: 'read:reports',
      description: 'Reads reports',
      isDefault: true,
      createdAt: expect.any(String),
    })
    const changed = await app.call('PUT', `/scopes/${made.id.toUpperCase()}`, { name: 'reports', description: null })
    expect(changed.body).toEqual({ ...made, name: 'reports', description: null })
    expect((await app.call('GET', '/scopes')).body.data.at(-1)).toEqual(changed.body)
    expect((await app.call('DELETE', `/scopes/${made.id}`)).body).toEqual({ deleted: true, id: made.id })
    for (const method of ['PUT', 'DELETE'])
      expectError(
        await app.call(method, `/scopes/${made.id}`, method === 'PUT' ? {} : undefined),
        404,
        'scope_not_found',
      )
  })

  it.each(['', ' ', 'a b', 'a"b', 'a\\b', 'ä', 'a\u0000', 'x'.repeat(101)])('rejects the name %j', async (name) => {
    expect(
      validationErrorsOf(await (await newApp()).call('POST', '/scopes', { name })).map(([path]) => path),
    ).toContain('/name')
  })

  it('creates a name once across many concurrent requests', async () => {
    const app = await newApp()
    const answers = await atOnce(CONCURRENT, () => app.call('POST', '/scopes', { name: 'read' }))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, 409, 'scope_exists')
    const other = await app.make('/scopes', { name: 'write' })
    expectError(await app.call('PUT', `/scopes/${other.id}`, { name: 'read' }), 409, 'scope_exists')
    for (const name of ['openid', 'offline_access'])
      expectError(await app.call('POST', '/scopes', { name }), 409, 'scope_exists')
    await (await newApp()).make('/scopes', { name: 'read' })
  })

  it('changes the description and default of a standard scope, which keeps its ID, name and position', async () => {
    const app = await newApp()
    const [openid, profile] = (await app.call('GET', '/scopes')).body.data
    const changed = await app.call('PUT', `/scopes/${profile.id}`, {
      description: 'Your name',
      isDefault: false,
      name: 'profile',
    })
    expect(changed.body).toEqual({ ...profile, description: 'Your name', isDefault: false })
    expect((await app.call('GET', '/scopes')).body.data.slice(0, 2)).toEqual([openid, changed.body])
    expectError(await app.call('PUT', `/scopes/${openid.id}`, { name: 'other' }), 409, 'standard_scope')
    expectError(await app.call('DELETE', `/scopes/${profile.id}`), 409, 'standard_scope')
    const [ofAnother] = (await (await newApp()).call('GET', '/scopes')).body.data
    expect(ofAnother.id).not.toBe(openid.id)
    expectError(await app.call('PUT', `/scopes/${ofAnother.id}`, {}), 404, 'scope_not_found')
  })

  it('deletes or renames a scope in the registration too', async () => {
    const app = await newApp({ scopes: ['openid', 'reports', 'read', 'write'] })
    const registered = async () =>
      (await service.api('GET', `/api/v1/applications/${app.id}`, { token: owner.token })).body.scopes
    const [reports, read] = [
      await app.make('/scopes', { name: 'reports' }),
      await app.make('/scopes', { name: 'read' }),
    ]
    const before = await app.version()
    expect((await app.call('DELETE', `/scopes/${reports.id}`)).status).toBe(200)
    expect(await registered()).toEqual(['openid', 'read', 'write'])
    expect((await app.call('PUT', `/scopes/${read.id}`, { name: 'look' })).status).toBe(200)
    expect(await registered()).toEqual(['openid', 'write'])
    expect(await app.version()).toBe(before + 2)
  })

  it('rejects more than a hundred scopes', async () => {
    const app = await newApp()
    await service.sql(
      `INSERT INTO oidc_scopes (id, application_id, name, is_default, created_at)
       SELECT gen_random_uuid(), $1, 's' || n, false, now() FROM generate_series(1, 95) n`,
      [app.id],
    )
    await app.make('/scopes', { name: 'last' })
    const rejected = await app.call('POST', '/scopes', { name: 'more' })
    expectError(rejected, 409, 'limit_reached')
    expect(rejected.body.detail).toBe('There are 100 scopes; the limit is 100')
  })
})

describe('claims of an application', () => {
  it('creates, changes and deletes a claim', async () => {
    const app = await newApp()
    const rule = await app.make('/regex-rules', RULE)
    const made = await app.make('/claims', {
      name: 'https://example.com/dept',
      userAttribute: 'email',
      targetTokens: ['ID_TOKEN', 'ACCESS_TOKEN'],
      regexRuleId: rule.id,
    })
    expect(made).toEqual({
      id: expect.any(String),
      name: 'https://example.com/dept',
      userAttribute: 'email',
      regexRuleId: rule.id,
      targetTokens: ['ACCESS_TOKEN', 'ID_TOKEN'],
      createdAt: expect.any(String),
    })
    const changed = await app.call('PUT', `/claims/${made.id}`, { regexRuleId: null, userAttribute: 'groups' })
    expect(changed.body).toEqual({ ...made, regexRuleId: null, userAttribute: 'groups' })
    expect((await app.call('GET', '/claims')).body.data).toEqual([changed.body])
    expect((await app.call('DELETE', `/claims/${made.id}`)).body).toEqual({ deleted: true, id: made.id })
    expectError(await app.call('DELETE', `/claims/${made.id}`), 404, 'claim_not_found')
  })

  it('accepts each listed attribute', async () => {
    const app = await newApp()
    const { body } = await app.call('GET', '/claims/attributes')
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(
      'id email emailVerified firstName lastName displayName department title phone locale teamId role groups externalId'.split(
        ' ',
      ),
    )
    for (const { name, description, type } of body.data) {
      expect(description).toMatch(/\w/)
      expect(type).toBe(name === 'groups' ? 'string[]' : name === 'emailVerified' ? 'boolean' : 'string')
      await app.make('/claims', { ...CLAIM, name: `c-${name}`, userAttribute: name })
    }
    for (const userAttribute of ['password', 'constructor', '', 'Email'])
      expect(validationErrorsOf(await app.call('POST', '/claims', { ...CLAIM, userAttribute }))[0]?.[0]).toBe(
        '/userAttribute',
      )
  })

  it.each(
    'iss sub aud exp nbf iat jti client_id scope auth_time nonce acr amr azp at_hash c_hash s_hash sid cnf act may_act events typ gid gen uic dlg active authorization_details _claim_names _claim_sources token_type username email_verified phone_number_verified updated_at __proto__ constructor prototype SUB Email_Verified'.split(
      ' ',
    ),
  )('rejects the reserved name %s', async (name) => {
    const app = await newApp()
    expect(validationErrorsOf(await app.call('POST', '/claims', { ...CLAIM, name }))).toEqual([
      ['/name', 'is a reserved claim of the protocol'],
    ])
    const { id } = await app.make('/claims', CLAIM)
    expect(validationErrorsOf(await app.call('PUT', `/claims/${id}`, { name }))[0]?.[0]).toBe('/name')
  })

  it.each([[[]], [['ID_TOKEN', 'ID_TOKEN']], [['USERINFO']], ['ID_TOKEN']])(
    'rejects the target tokens %j',
    async (targetTokens) => {
      const [[path] = []] = validationErrorsOf(
        await (await newApp()).call('POST', '/claims', { ...CLAIM, targetTokens }),
      )
      expect(path).toMatch(/^\/targetTokens/)
    },
  )

  it('rejects a second claim with the same name in a token', async () => {
    const app = await newApp()
    const first = await app.make('/claims', CLAIM)
    expectError(
      await app.call('POST', '/claims', { ...CLAIM, targetTokens: ['ACCESS_TOKEN', 'ID_TOKEN'] }),
      409,
      'claim_exists',
    )
    const second = await app.make('/claims', { ...CLAIM, targetTokens: ['ACCESS_TOKEN'] })
    expectError(await app.call('PUT', `/claims/${second.id}`, { targetTokens: ['ID_TOKEN'] }), 409, 'claim_exists')
    expect((await app.call('PUT', `/claims/${first.id}`, CLAIM)).status).toBe(200)
    const answers = await atOnce(20, () => app.call('POST', '/claims', { ...CLAIM, name: 'race' }))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  it('rejects a rule of another application', async () => {
    const app = await newApp()
    const foreign = await (await newApp()).make('/regex-rules', RULE)
    const outsider = await registerUser(service)
    const elsewhere = await (await configuredApp(service, outsider)).make('/regex-rules', RULE)
    const { id } = await app.make('/claims', CLAIM)
    for (const regexRuleId of [foreign.id, elsewhere.id, randomUUID(), 'none', ''])
      for (const answer of [
        await app.call('POST', '/claims', { ...CLAIM, name: 'x', regexRuleId }),
        await app.call('PUT', `/claims/${id}`, { regexRuleId }),
      ])
        expect(validationErrorsOf(answer)).toEqual([['/regexRuleId', 'is not a rule of this application']])
  })
})

describe('rules of an application', () => {
  it('creates, changes and deletes a rule, unless a claim uses it', async () => {
    const app = await newApp()
    const made = await app.make('/regex-rules', { ...RULE, flags: 'gi' })
    expect(made).toEqual({ id: expect.any(String), ...RULE, flags: 'gi', createdAt: expect.any(String) })
    const changed = await app.call('PUT', `/regex-rules/${made.id}`, { replacement: '$&' })
    expect(changed.body).toEqual({ ...made, replacement: '$&' })
    expect((await app.call('GET', '/regex-rules')).body.data).toEqual([changed.body])
    const claim = await app.make('/claims', { ...CLAIM, regexRuleId: made.id })
    const rejected = await app.call('DELETE', `/regex-rules/${made.id}`)
    expectError(rejected, 409, 'rule_in_use')
    expect(rejected.body.detail).toBe('Used by dept')
    await app.call('DELETE', `/claims/${claim.id}`)
    expect((await app.call('DELETE', `/regex-rules/${made.id}`)).body).toEqual({ deleted: true, id: made.id })
    expectError(await app.call('PUT', `/regex-rules/${made.id}`, {}), 404, 'rule_not_found')
  })

  it('rejects a rule that does not compile, with field and position', async () => {
    const app = await newApp()
    const { id } = await app.make('/regex-rules', RULE)
    const before = await dumpState(service)
    for (const [wrong, path, message] of [
      [{ pattern: 'ab(?=c)' }, '/pattern', 'lookahead and lookbehind are not supported (at position 3)'],
      [{ pattern: '(a)\\1' }, '/pattern', 'backreferences to a group are not supported in a pattern (at position 4)'],
      [{ replacement: 'a$1' }, '/replacement', 'the pattern has no group 1 (at position 2)'],
      [{ flags: 'u' }, '/flags', 'must be any of g, i, m and s, each once'],
      [
        { pattern: `${'\\p{L}|'.repeat(82)}z`, flags: 'gi' },
        '/pattern',
        'may name at most 4 Unicode classes, such as \\pL and \\p{Greek}',
      ],
      [
        { pattern: '[B-\\x{10FFFF}]', flags: 'i' },
        '/pattern',
        'may, with the flag i, have ranges of at most 25000 characters in all',
      ],
    ] as const) {
      expect(validationErrorsOf(await app.call('POST', '/regex-rules', { ...RULE, ...wrong }))).toEqual([
        [path, message],
      ])
      expect(validationErrorsOf(await app.call('PUT', `/regex-rules/${id}`, wrong))).toEqual([[path, message]])
      expect(validationErrorsOf(await app.call('POST', '/regex-rules/test', { ...RULE, ...wrong, input: '' }))).toEqual(
        [[path, message]],
      )
    }
    expect(await dumpState(service)).toEqual(before)
  })

  it('rejects more than forty rules', async () => {
    const app = await newApp()
    await service.sql(
      `INSERT INTO oidc_regex_rules (id, application_id, name, pattern, replacement, flags, created_at)
       SELECT gen_random_uuid(), $1, 'r' || n, 'a', '', '', now() FROM generate_series(1, 39) n`,
      [app.id],
    )
    await app.make('/regex-rules', RULE)
    expectError(await app.call('POST', '/regex-rules', RULE), 409, 'limit_reached')
  })

  it('tests a rule on a string without saving it', async () => {
    const app = await newApp()
    const before = await dumpState(service)
    const test = (body: object) => app.call('POST', '/regex-rules/test', body)
    expect((await test({ pattern: '^(.)[^@]*@(.+)$', replacement: '$2/$1', input: 'ada@example.com' })).body).toEqual({
      matched: true,
      result: 'example.com/a',
    })
    expect((await test({ pattern: 'X', replacement: '-', flags: 'gi', input: 'axbx' })).body).toEqual({
      matched: true,
      result: 'a-b-',
    })
    expect((await test({ pattern: 'z', replacement: '-', input: 'abc' })).body).toEqual({
      matched: false,
      result: 'abc',
    })
    expect(
      validationErrorsOf(
        await test({ pattern: 'a', replacement: 'b'.repeat(500), flags: 'g', input: 'a'.repeat(10) }),
      )[0]?.[0],
    ).toBe('/input')
    expect(validationErrorsOf(await test({ pattern: 'a', replacement: '', input: 'a'.repeat(4_097) }))[0]?.[0]).toBe(
      '/input',
    )
    expect(await dumpState(service)).toEqual(before)
  })

  it('tests a rule with exponential backtracking in other engines, and serves other requests meanwhile', async () => {
    const app = await newApp()
    const evil = { pattern: '^(a+)+$', replacement: '', input: `${'a'.repeat(4_000)}b` }
    const [answers, active] = await Promise.all([
      atOnce(20, () => app.call('POST', '/regex-rules/test', evil)),
      fetch(`${service.urls[0]}/livez`),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(active.status).toBe(200)
  })
})

describe('the token policy of an application', () => {
  it('changes the given fields within their limits', async () => {
    const app = await newApp()
    await service.clock.advance(1_000)
    const { body } = await app.call('PUT', '/token-policy', {
      accessTokenLifetime: 60,
      refreshTokenLifetime: 315_360_000,
      rotationEnabled: false,
    })
    expect(body).toMatchObject({
      accessTokenLifetime: 60,
      idTokenLifetime: 3_600,
      refreshTokenLifetime: 315_360_000,
      rotationEnabled: false,
      reuseInterval: 30,
    })
    expect(body.updatedAt > (await app.call('GET', '')).body.createdAt).toBe(true)
    expect((await app.call('GET', '/token-policy')).body).toEqual(body)
    expect(
      (await app.call('PUT', '/token-policy', { idTokenLifetime: 31_536_000, reuseInterval: 3_600 })).body,
    ).toMatchObject({ accessTokenLifetime: 60, idTokenLifetime: 31_536_000, reuseInterval: 3_600 })
  })

  it.each([
    ['accessTokenLifetime', 60, 31_536_000],
    ['idTokenLifetime', 60, 31_536_000],
    ['refreshTokenLifetime', 3_600, 315_360_000],
    ['reuseInterval', 0, 3_600],
  ])('accepts for %s integers from %i to %i', async (field, least, most) => {
    const app = await newApp()
    for (const value of [least - 1, most + 1, least + 0.5, -1, '60', null, 1e300])
      expect(
        validationErrorsOf(await app.call('PUT', '/token-policy', { [field]: value }))[0]?.[0],
        String(value),
      ).toBe(`/${field}`)
    expect(await app.version()).toBe(1)
    for (const value of [least, most])
      expect((await app.call('PUT', '/token-policy', { [field]: value })).body[field]).toBe(value)
  })

  it('stores the expiry of the last longer token after shortening, which later changes do not reduce', async () => {
    const app = await newApp()
    const untilOf = async () => {
      const [row] = await service.sql<{ tokens_until: Date | null }>(
        'SELECT tokens_until FROM oidc_token_policies WHERE application_id = $1',
        [app.id],
      )
      return row?.tokens_until
    }
    await app.call('PUT', '/token-policy', { idTokenLifetime: 86_400 })
    expect(await untilOf()).toBeNull()
    await app.call('PUT', '/token-policy', { idTokenLifetime: 60 })
    const until = await untilOf()
    expect(until?.getTime()).toBeCloseTo(service.clock.ms() + 86_400_000, -4)
    await app.call('PUT', '/token-policy', { accessTokenLifetime: 60 })
    expect(await untilOf()).toEqual(until)
  })
})

it('deletes the configuration with its application', async () => {
  const { id } = await registerApplication(service, owner)
  const app = { id, path: `/api/v1/applications/${id}/oidc-config` }
  const rule = await service.api('POST', `${app.path}/regex-rules`, { token: owner.token, body: RULE })
  await service.api('POST', `${app.path}/claims`, { token: owner.token, body: { ...CLAIM, regexRuleId: rule.body.id } })
  expect((await service.api('DELETE', `/api/v1/applications/${id}`, { token: owner.token })).status).toBe(200)
  for (const table of ['oidc_claims', 'oidc_regex_rules'])
    expect(await service.sql(`SELECT 1 FROM ${table} WHERE application_id = $1`, [id])).toEqual([])
})
