import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  logIn,
  onboardAdmin,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const ENDPOINTS = ['/api/v1/settings', '/api/v1/config']
const DEFAULTS = {
  id: 'singleton',
  name: 'Keyward',
  logoUrl: null,
  primaryColor: expect.stringMatching(/^#[0-9a-f]{6}$/),
  allowedDomains: [],
  mfaRequired: false,
  mfaGracePeriodDays: 7,
  sessionMaxLifetimeDays: 90,
  customLoginConfig: null,
  createdAt: expect.stringMatching(/Z$/),
  updatedAt: expect.stringMatching(/Z$/),
}

describe('GET and PUT /settings and /config', () => {
  let service: TestService
  let admin: TestUser
  let outsider: TestUser
  beforeAll(async () => {
    service = await startService()
    outsider = await registerUser(service)
  })
  afterAll(() => service.close())

  const read = async (path = ENDPOINTS[0] as string, token = admin.token) =>
    (await service.api('GET', path, { token })).body
  const update = (path: string, body: unknown, token = admin.token) => service.api('PUT', path, { token, body })

  it('returns the documented defaults at both endpoints', async () => {
    for (const path of ENDPOINTS) expect(await read(path, outsider.token)).toEqual(DEFAULTS)
  })

  it('allows every owner of a team to update before onboarding, and no other role', async () => {
    for (const path of ENDPOINTS) expect((await update(path, {}, outsider.token)).status).toBe(200)
    const member = await registerUser(service)
    await service.sql("UPDATE memberships SET role = 'SUPER_ADMIN' WHERE user_id = $1", [member.id])
    for (const path of ENDPOINTS) expect((await update(path, {}, member.token)).status).toBe(403)
  })

  it('allows only instance administrators to update after onboarding', async () => {
    admin = await onboardAdmin(service)
    for (const path of ENDPOINTS) {
      expect((await update(path, { name: 'Mine' }, outsider.token)).body.code).toBe('forbidden')
      expect((await update(path, {})).status).toBe(200)
    }
    for (const [role, status] of [
      ['OWNER', 200],
      ['ORG_ADMIN', 403],
      ['MEMBER', 403],
    ] as const) {
      await service.sql('UPDATE memberships SET organization_id = $1, role = $2 WHERE user_id = $3', [
        admin.teamId,
        role,
        outsider.id,
      ])
      outsider = await logIn(service, outsider)
      for (const path of ENDPOINTS) expect((await update(path, {}, outsider.token)).status).toBe(status)
    }
    expect((await read()).name).toBe('Keyward')
  })

  it('requires an access token to read', async () => {
    for (const path of ENDPOINTS) expect((await service.api('GET', path)).status).toBe(401)
  })

  it('updates only the given fields and returns them at both endpoints', async () => {
    const before = await read()
    await service.clock.advance(1_000)
    const { body } = await update('/api/v1/config', {
      allowedDomains: ['Example.COM', 'example.com', 'b.example'],
      mfaRequired: true,
    })
    expect(body).toEqual({
      ...before,
      allowedDomains: ['example.com', 'b.example'],
      mfaRequired: true,
      updatedAt: body.updatedAt,
    })
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
    const { body: updated } = await update('/api/v1/settings', {
      name: 'Acme',
      customLoginConfig: { headline: 'Hello' },
    })
    expect(updated).toEqual({
      ...body,
      name: 'Acme',
      customLoginConfig: { headline: 'Hello' },
      updatedAt: updated.updatedAt,
    })
    for (const path of ENDPOINTS) expect(await read(path)).toEqual(updated)
    await update('/api/v1/config', { allowedDomains: [], mfaRequired: false })
  })

  it('ignores read-only fields and fields of the other endpoint', async () => {
    const before = await read()
    const readOnly = {
      id: 'other',
      createdAt: '2001-01-01T00:00:00Z',
      updatedAt: '2001-01-01T00:00:00Z',
      onboardedAt: null,
    }
    const { body } = await update('/api/v1/settings', {
      ...readOnly,
      allowedDomains: ['evil.test'],
      mfaRequired: true,
      mfaGracePeriodDays: 0,
      sessionMaxLifetimeDays: 1,
    })
    expect(body).toEqual({ ...before, updatedAt: body.updatedAt })
    const { body: configured } = await update('/api/v1/config', { ...readOnly, customLoginConfig: { x: 1 } })
    expect(configured).toEqual({ ...before, updatedAt: configured.updatedAt })
  })

  it('accepts null for nullable fields only', async () => {
    await update('/api/v1/settings', { logoUrl: 'https://example.com/logo.svg', customLoginConfig: { a: { b: [1] } } })
    expect((await update('/api/v1/settings', { logoUrl: null, customLoginConfig: null })).body).toMatchObject({
      logoUrl: null,
      customLoginConfig: null,
    })
    for (const field of ['name', 'primaryColor'])
      expect((await update('/api/v1/settings', { [field]: null })).status).toBe(400)
    for (const field of [
      'name',
      'primaryColor',
      'allowedDomains',
      'mfaRequired',
      'mfaGracePeriodDays',
      'sessionMaxLifetimeDays',
    ])
      expect((await update('/api/v1/config', { [field]: null })).status).toBe(400)
  })

  it.each([
    ['name', '', 'x'],
    ['name', '   ', ' x '],
    ['name', 'x'.repeat(101), 'x'.repeat(100)],
    ['primaryColor', 'red', '#AbC123'],
    ['primaryColor', '#12345', '#123456'],
    ['primaryColor', '#123456;background:url(x)', '#000000'],
    ['logoUrl', 'javascript:alert(1)', 'https://example.com/a.png'],
    ['logoUrl', 'data:image/png;base64,AA', 'http://localhost/a.png'],
    ['logoUrl', 'https://example.com/"onload="x', null],
    ['mfaGracePeriodDays', -1, 0],
    ['mfaGracePeriodDays', 366, 365],
    ['mfaGracePeriodDays', 1.5, 7],
    ['mfaGracePeriodDays', '7', 7],
    ['sessionMaxLifetimeDays', 0, 1],
    ['sessionMaxLifetimeDays', 366, 365],
    ['sessionMaxLifetimeDays', 1.5, 90],
    ['sessionMaxLifetimeDays', '90', 90],
    ['mfaRequired', 'true', false],
    ['allowedDomains', ['no domain'], ['example.com']],
    ['allowedDomains', ['@example.com'], ['xn--bcher-kva.example']],
    ['allowedDomains', ['localhost'], []],
    ['allowedDomains', 'example.com', []],
  ])('rejects %s = %j and accepts %j', async (field, invalid, valid) => {
    const before = await read()
    const rejected = await update('/api/v1/config', { [field]: invalid })
    expect([rejected.status, rejected.body.code]).toEqual([400, 'invalid_request'])
    expect(rejected.body.errors[0].path).toMatch(new RegExp(`^/${field}`))
    expect(await read()).toEqual(before)
    expect((await update('/api/v1/config', { [field]: valid })).status).toBe(200)
    await update('/api/v1/config', { name: 'Acme', allowedDomains: [] })
  })

  it.each([
    ['headline', 'two\nlines', 'Hello'],
    ['subtitle', 'x'.repeat(201), 'x'.repeat(200)],
    ['helpUrl', 'javascript:alert(1)', 'https://help.example/a?b'],
    ['privacyUrl', '//evil.example', 'http://example.com/privacy'],
    ['termsUrl', 'https://a.example/"x', null],
    ['supportEmail', 'a@example.com?bcc=b@example.com', 'it-help@example.com'],
  ])('rejects a login page with %s = %j and accepts %j', async (name, invalid, valid) => {
    const before = await read()
    const rejected = await update('/api/v1/settings', { customLoginConfig: { [name]: invalid } })
    expect([rejected.status, rejected.body.code]).toEqual([400, 'invalid_request'])
    expect(rejected.body.errors[0].path).toBe(`/customLoginConfig/${name}`)
    expect(await read()).toEqual(before)
    const customLoginConfig = { [name]: valid, other: { nested: [1] } }
    expect((await update('/api/v1/settings', { customLoginConfig })).body).toMatchObject({ customLoginConfig })
    await update('/api/v1/settings', { customLoginConfig: null })
  })

  it('applies many concurrent updates and records an audit entry for each', async () => {
    await atOnce(CONCURRENT, (index) =>
      update('/api/v1/config', index % 2 ? { mfaGracePeriodDays: 30 } : { primaryColor: '#00ff00' }),
    )
    expect(await read()).toMatchObject({ mfaGracePeriodDays: 30, primaryColor: '#00ff00' })
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=instance.updated&limit=50', {
      token: admin.token,
    })
    const changed = body.data.map(({ metadata }: { metadata: { changed: string[] } }) => metadata.changed.join())
    expect(changed.filter((names: string) => names === 'primaryColor')).toHaveLength(CONCURRENT / 2)
  })
})
