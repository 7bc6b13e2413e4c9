import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addUser,
  expectError,
  joinTeam,
  makeGroup,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { type ConfiguredApp, configuredApp } from '../../../../test/factories/oidc-configuration.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, UserId } from '../../../platform/ids.js'
import { CLIENT_CONFIG_COLUMN, clientConfigOf, type StoredClientConfig } from '../client-config.js'
import { allowedScopes } from '../scopes/standard-scopes.js'
import { customClaims } from './custom-claims.js'
import { toUserAttributes, USER_ATTRIBUTE_COLUMNS, type UserAttributesRow } from './user-claims.js'

let service: TestService
let owner: TestUser
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
})
afterAll(() => service.close())

const BOTH = ['ACCESS_TOKEN', 'ID_TOKEN']
const claim = (name: string, userAttribute: string, more: object = {}) => ({
  name,
  userAttribute,
  targetTokens: BOTH,
  ...more,
})
const preview = async (app: ConfiguredApp, userId: string, scopes = ['openid']) => {
  const { status, body } = await app.call('POST', '/preview', { userId, scopes })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const valuesOf = (claims: { name: string; value: unknown }[]) =>
  Object.fromEntries(claims.map(({ name, value }) => [name, value]))

const readAll = namedQuery<
  UserAttributesRow & { config: StoredClientConfig; allowed: string[] },
  [ApplicationId, UserId]
>(
  'test.person_and_config',
  `SELECT ${USER_ATTRIBUTE_COLUMNS}, ${CLIENT_CONFIG_COLUMN} AS config, ${allowedScopes('a')} AS allowed FROM applications a
   JOIN memberships m ON m.organization_id = a.organization_id JOIN users u ON u.id = m.user_id WHERE a.id = $1 AND u.id = $2`,
)
/** Reads the data that the provider reads in its query. */
const read = async (app: ConfiguredApp, userId: string) => {
  const [row] = await service.db.run(readAll, [app.id as ApplicationId, userId as UserId])
  if (!row) throw new Error('No such member')
  return { user: toUserAttributes(row), config: clientConfigOf(row.config), allowed: row.allowed }
}

/** Creates a member with all attributes that a team can write. */
async function member(): Promise<{ id: string; email: string }> {
  const { id, email } = await addUser(service, owner)
  await service.sql(
    `UPDATE memberships SET first_name = 'Ada', last_name = 'Lovelace', department = 'Engines', title = 'Countess', phone = '+44 20 7946 0000',
       locale = 'en-GB', external_id = $2, role = 'ORG_ADMIN' WHERE user_id = $1`,
    [id, `HR-${id}`],
  )
  for (const name of ['zebra', 'Analysts', 'éclair']) {
    const group = await makeGroup(service, owner.teamId, `${name}-${id}`)
    await service.sql('INSERT INTO group_members (group_id, user_id, organization_id) VALUES ($1, $2, $3)', [
      group,
      id,
      owner.teamId,
    ])
  }
  return { id, email }
}

describe('the claims of a member', () => {
  it('contains every attribute, identical in preview and provider', async () => {
    const app = await configuredApp(service, owner)
    const { id, email } = await member()
    const attributes = (await app.call('GET', '/claims/attributes')).body.data.map(({ name }: { name: string }) => name)
    for (const name of attributes) await app.make('/claims', claim(`c_${name}`, name))
    const expected = {
      c_id: id,
      c_email: email,
      c_emailVerified: false,
      c_firstName: 'Ada',
      c_lastName: 'Lovelace',
      c_displayName: 'Ada Lovelace',
      c_department: 'Engines',
      c_title: 'Countess',
      c_phone: '+44 20 7946 0000',
      c_locale: 'en-GB',
      c_teamId: owner.teamId,
      c_role: 'admin',
      c_groups: [`Analysts-${id}`, `zebra-${id}`, `éclair-${id}`],
      c_externalId: `HR-${id}`,
    }
    const { user, config } = await read(app, id)
    for (const target of ['ACCESS_TOKEN', 'ID_TOKEN'] as const)
      expect(customClaims(config, user, target)).toEqual(expected)
    const { idToken, accessToken, userinfo } = await preview(app, id)
    expect(valuesOf(idToken)).toEqual({ sub: id, ...expected })
    expect(valuesOf(accessToken)).toEqual({ sub: id, ...expected })
    expect(valuesOf(userinfo)).toEqual({ sub: id })
  })

  it('pass through their rules: each group separately, a boolean as a string', async () => {
    const app = await configuredApp(service, owner)
    const { id, email } = await member()
    const rule = async (pattern: string, replacement: string, flags = '') =>
      (await app.make('/regex-rules', { name: 'Rule', pattern, replacement, flags })).id
    const domain = await rule('^.*@', '')
    await app.make('/claims', claim('domain', 'email', { regexRuleId: domain, targetTokens: ['ID_TOKEN'] }))
    await app.make('/claims', claim('verified', 'emailVerified', { regexRuleId: await rule('false', 'no') }))
    await app.make('/claims', claim('groups', 'groups', { regexRuleId: await rule('^(?:zebra|é).*|-.*$', '') }))
    await app.make('/claims', claim('nothing', 'title', { regexRuleId: await rule('.*', '') }))
    const { user, config } = await read(app, id)
    expect(customClaims(config, user, 'ID_TOKEN')).toEqual({
      domain: 'example.com',
      verified: 'no',
      groups: ['Analysts'],
    })
    expect(customClaims(config, user, 'ACCESS_TOKEN')).toEqual({ verified: 'no', groups: ['Analysts'] })
    const { idToken } = await preview(app, id)
    expect(idToken.find(({ name }: { name: string }) => name === 'domain')).toEqual({
      name: 'domain',
      value: 'example.com',
      source: 'attribute:email',
      rule: { id: domain, name: 'Rule' },
      before: email,
    })
    expect(valuesOf(idToken)).toEqual({
      sub: id,
      domain: 'example.com',
      verified: 'no',
      groups: ['Analysts'],
      nothing: null,
    })
  })

  it('omits empty attributes, and reads groups only for a claim of them', async () => {
    const app = await configuredApp(service, owner)
    const { id } = await addUser(service, owner)
    await app.make('/claims', claim('dept', 'department'))
    expect((await read(app, (await member()).id)).user.groups).toEqual([])
    await app.make('/claims', claim('groups', 'groups'))
    const { user, config } = await read(app, id)
    expect(customClaims(config, user, 'ID_TOKEN')).toEqual({})
    expect(valuesOf((await preview(app, id)).idToken)).toEqual({ sub: id, dept: null, groups: null })
  })

  it('omits rules beyond the work budget of a token, and keeps the others', async () => {
    const app = await configuredApp(service, owner)
    const { id } = await addUser(service, owner)
    await service.sql('UPDATE memberships SET department = $2, title = $3 WHERE user_id = $1', [
      id,
      'a'.repeat(4_000),
      'Countess',
    ])
    const heavy = await app.make('/regex-rules', {
      name: 'Heavy',
      pattern: '(?:(?:a?){900}z)|(a)',
      replacement: '',
      flags: 'g',
    })
    await app.make('/claims', claim('title', 'title'))
    await app.make('/claims', claim('dept', 'department', { regexRuleId: heavy.id }))
    const { user, config } = await read(app, id)
    expect(customClaims(config, user, 'ID_TOKEN')).toEqual({ title: 'Countess' })
    expect(valuesOf((await preview(app, id)).idToken)).toEqual({ sub: id, title: 'Countess', dept: null })
  })
})

describe('the claims of a token', () => {
  it('limits all claims of a token to 8 kB in total, in order of creation', async () => {
    const app = await configuredApp(service, owner)
    const { id } = await addUser(service, owner)
    await service.sql('UPDATE memberships SET department = $2, title = $3 WHERE user_id = $1', [
      id,
      'é'.repeat(2_000),
      'Countess',
    ])
    for (const name of ['first', 'second', 'third']) await app.make('/claims', claim(name, 'department'))
    await app.make('/claims', claim('title', 'title'))
    const { user, config } = await read(app, id)
    for (const target of ['ACCESS_TOKEN', 'ID_TOKEN'] as const)
      expect(Object.keys(customClaims(config, user, target))).toEqual(['first', 'second', 'title'])
    const { idToken } = await preview(app, id)
    expect(valuesOf(idToken)).toMatchObject({ third: null, title: 'Countess' })
  })

  it('lists at most two hundred groups, unless a rule reduces them', async () => {
    const app = await configuredApp(service, owner)
    const { id } = await addUser(service, owner)
    const { user: empty } = await read(app, id)
    const one = (await app.make('/regex-rules', { name: 'One', pattern: '^g(\\d).*$', replacement: '$1' })).id
    await app.make('/claims', claim('all', 'groups'))
    await app.make('/claims', claim('digits', 'groups', { regexRuleId: one }))
    const { config } = await read(app, id)
    const groups = (count: number) => ({ ...empty, groups: [...Array(count).keys()].map((n) => `g${n}`) })
    expect(customClaims(config, groups(200), 'ID_TOKEN').all).toHaveLength(200)
    expect(customClaims(config, groups(201), 'ID_TOKEN')).toEqual({ digits: [...'0123456789'] })
  })

  it('shares one compiled rule, also across changes of the application', async () => {
    const app = await configuredApp(service, owner)
    const { id } = await app.make('/regex-rules', { name: 'Domain', pattern: '^.*@', replacement: '', flags: 'g' })
    for (const name of ['a', 'b']) await app.make('/claims', claim(name, 'email', { regexRuleId: id }))
    const rules = async () => (await read(app, owner.id)).config.claims.map(({ rule }) => rule)
    const [first, second] = await rules()
    expect(first).not.toBeNull()
    expect(second).toBe(first)
    await app.make('/scopes', { name: 'more' })
    for (const rule of await rules()) expect(rule).toBe(first)
  })

  it('omits stored rules that no longer compile, also in the preview', async () => {
    const app = await configuredApp(service, owner)
    const rule = await app.make('/regex-rules', { name: 'Old', pattern: 'a', replacement: '' })
    await app.make('/claims', claim('old', 'email', { regexRuleId: rule.id }))
    await app.make('/claims', claim('id', 'id'))
    await service.sql("UPDATE oidc_regex_rules SET pattern = $2, flags = 'gi' WHERE id = $1", [
      rule.id,
      `${'\\p{L}|'.repeat(82)}z`,
    ])
    const { user, config } = await read(app, owner.id)
    expect(customClaims(config, user, 'ID_TOKEN')).toEqual({ id: owner.id })
    const { idToken } = await preview(app, owner.id)
    expect(idToken.find(({ name }: { name: string }) => name === 'old')).toMatchObject({
      value: null,
      rule: { id: rule.id, name: 'Old' },
      before: owner.email,
    })
  })

  it('limits the work of each rule separately: an expensive first rule omits no other', async () => {
    const app = await configuredApp(service, owner)
    const { id } = await addUser(service, owner)
    await service.sql('UPDATE memberships SET department = $2, title = $3 WHERE user_id = $1', [
      id,
      'a'.repeat(4_000),
      'Countess',
    ])
    const rule = async (pattern: string, replacement: string) =>
      (await app.make('/regex-rules', { name: 'Rule', pattern, replacement })).id
    await app.make('/claims', claim('dept', 'department', { regexRuleId: await rule('(?:(?:a?){900}z)|(a)', '') }))
    await app.make('/claims', claim('title', 'title', { regexRuleId: await rule('ess$', '') }))
    const { user, config } = await read(app, id)
    expect(customClaims(config, user, 'ID_TOKEN')).toEqual({ title: 'Count' })
  })
})

describe('the data of an application for the provider', () => {
  it('contains scopes, lifetimes and allowed scopes', async () => {
    const app = await configuredApp(service, owner, { scopes: ['openid', 'reports'] })
    const [openid] = (await app.call('GET', '/scopes')).body.data
    const first = await read(app, owner.id)
    expect(first.config).toEqual({
      scopes: [
        { name: 'openid', isDefault: true },
        { name: 'profile', isDefault: true },
        { name: 'email', isDefault: false },
        { name: 'offline_access', isDefault: false },
      ],
      claims: [],
      tokenPolicy: {
        accessTokenLifetime: 3_600,
        idTokenLifetime: 3_600,
        refreshTokenLifetime: 2_592_000,
        rotationEnabled: true,
        reuseInterval: 30,
      },
    })
    expect(first.allowed).toEqual(['openid', 'reports'])
    await app.make('/scopes', { name: 'write', isDefault: true })
    await app.make('/scopes', { name: 'reports' })
    await app.call('PUT', `/scopes/${openid.id}`, { isDefault: false })
    const profile = (await app.call('GET', '/scopes')).body.data[1]
    await app.call('PUT', `/scopes/${profile.id}`, { description: 'Only said otherwise' })
    await app.call('PUT', '/token-policy', { accessTokenLifetime: 60 })
    const { config, allowed } = await read(app, owner.id)
    expect(config.scopes.map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['openid', false],
      ['profile', true],
      ['email', false],
      ['offline_access', false],
      ['write', true],
      ['reports', false],
    ])
    expect(config.tokenPolicy.accessTokenLifetime).toBe(60)
    expect(allowed).toEqual(['openid', 'reports', 'write'])
  })
})

describe('POST /oidc-config/preview', () => {
  it('returns standard claims of the granted scopes with their source, replaced by configured claims', async () => {
    const app = await configuredApp(service, owner)
    const { id, email } = await member()
    await app.make('/claims', claim('email', 'externalId', { targetTokens: ['ID_TOKEN'] }))
    const { idToken, accessToken, userinfo } = await preview(app, id, ['openid', 'email', 'never'])
    expect(userinfo).toEqual([
      { name: 'sub', value: id, source: 'scope:openid', rule: null },
      { name: 'email', value: email, source: 'scope:email', rule: null },
      { name: 'email_verified', value: false, source: 'scope:email', rule: null },
    ])
    expect(valuesOf(idToken)).toEqual({ sub: id, email: `HR-${id}`, email_verified: false })
    expect(idToken.filter(({ name }: { name: string }) => name === 'email')).toHaveLength(1)
    expect(valuesOf(accessToken)).toEqual({ sub: id })
    const profile = await preview(app, id, ['openid', 'profile'])
    expect(valuesOf(profile.userinfo)).toMatchObject({ name: 'Ada Lovelace', given_name: 'Ada', locale: 'en-GB' })
    expect(await preview(app, id, ['email'])).toMatchObject({ idToken: [], userinfo: [] })
  })

  it('issues no token and changes nothing', async () => {
    const app = await configuredApp(service, owner)
    const before = await dumpState(service)
    await preview(app, owner.id, ['openid', 'offline_access'])
    expect(await dumpState(service)).toEqual(before)
  })

  it('requires the permission to read users', async () => {
    const app = await configuredApp(service, owner)
    const ask = async (scopes: string[]) => {
      const { body } = await service.api('POST', '/api/v1/api-tokens', {
        token: owner.token,
        body: { name: 'p', scopes },
      })
      return app.call('POST', '/preview', { userId: owner.id, scopes: ['openid'] }, body.token)
    }
    const rejected = await ask(['oidc-config:read', 'oidc-config:write'])
    expectError(rejected, 403, 'forbidden')
    expect(rejected.body.detail).toContain('users:read')
    expectError(await ask(['users:read']), 403, 'forbidden')
    expect((await ask(['oidc-config:read', 'users:read'])).status).toBe(200)
  })

  it('returns 404 for a user who is no member', async () => {
    const app = await configuredApp(service, owner)
    const outsider = await registerUser(service)
    for (const userId of [outsider.id, randomUUID(), 'unknown', ''])
      expectError(await app.call('POST', '/preview', { userId, scopes: ['openid'] }), 404, 'user_not_found')
  })

  it('returns nothing of the own profile without a confirmed membership', async () => {
    const app = await configuredApp(service, owner)
    const own = await registerUser(service)
    await verifyEmailAddress(service, own)
    await service.sql("UPDATE users SET first_name = 'Private', department = 'Private' WHERE id = $1", [own.id])
    await joinTeam(service, own, owner.teamId, { counts: false })
    await app.make('/claims', claim('dept', 'department'))
    expect(JSON.stringify(await preview(app, own.id, ['openid', 'profile']))).not.toContain('Private')
    // Applications of the team get no more data.
    expect((await read(app, own.id)).user.department).toBeNull()
    await service.sql('UPDATE memberships SET counts = true WHERE user_id = $1', [own.id])
    expect((await read(app, own.id)).user.department).toBe('Private')
  })
})
