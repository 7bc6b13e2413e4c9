import { createPublicKey, randomBytes, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addColleague,
  atOnce,
  CONCURRENT,
  expectError,
  registerApplication,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../test/factories/factories.js'
import { dumpDatabase } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'
import { DAY, HOUR } from '../../platform/clock.js'

interface Key {
  id: string
  state: 'next' | 'active' | 'retired'
  certificate: string
  fingerprint: string
  notAfter: string
  endsAt?: string
}

let service: TestService
let owner: TestUser
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
})
afterAll(() => service.close())

const TEAM = '/api/v1/org/saml-keys'
const newApp = async (name = 'Payroll') => {
  const { id } = await registerApplication(service, owner, { name, type: 'SAML', samlSpEntityId: 'urn:example:sp' })
  return `/api/v1/applications/${id}/saml/keys`
}
const call = (method: string, path: string, body?: object, user = owner) =>
  service.api(method, path, { token: user.token, ...(body && { body }) })
const keysAt = async (path: string, user = owner): Promise<Key[]> =>
  (await call('GET', path, undefined, user)).body.data
const statesAt = async (path: string) => (await keysAt(path)).map(({ state }) => state)
const entriesOf = async (id: string) =>
  (
    await service.sql<{ action: string }>(
      "SELECT action FROM audit_entries WHERE metadata->>'keyId' = $1 OR metadata->>'before' = $1 ORDER BY id",
      [id],
    )
  ).map(({ action }) => action)

describe('GET /api/v1/applications/{appId}/saml/keys', () => {
  it('creates the first key once across concurrent requests on every node, with its own certificate', async () => {
    const path = await newApp('Löhne & <Gehälter>')
    const answers = await atOnce(CONCURRENT, () => keysAt(path))
    const [first] = answers[0] as [Key]
    for (const keys of answers) expect(keys.map(({ id }) => id)).toEqual([first.id])
    const certificate = new X509Certificate(first.certificate)
    expect(certificate.subject).toBe('CN=Löhne & \\<Gehälter\\>')
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2_048)
    expect(certificate.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(first.fingerprint)
    expect(Date.parse(certificate.validFrom)).toBeLessThan(service.clock.ms())
    expect(Date.parse(first.notAfter) - service.clock.ms()).toBeGreaterThan(9 * 365 * DAY)
    expect(await entriesOf(first.id)).toEqual(['saml_key.created'])
  })

  it('creates a readable certificate for the longest name in four-byte characters', async () => {
    const [key] = (await keysAt(await newApp('🦊'.repeat(50)))) as [Key]
    expect(new X509Certificate(key.certificate).subject).toContain('CN=')
  })

  it('returns different keys for the team and for every other application', async () => {
    const prints = [await newApp(), await newApp(), TEAM].map(async (path) => (await keysAt(path))[0]?.fingerprint)
    expect(new Set(await Promise.all(prints)).size).toBe(3)
  })

  it('encrypts the private key at rest and never returns it', async () => {
    const path = await newApp()
    const { text } = await call('GET', path)
    expect(text).not.toMatch(/PRIVATE|sealed/i)
    expect(JSON.stringify(await dumpDatabase(service))).not.toContain('PRIVATE KEY')
    const rows = await service.sql<{ sealed: string }>('SELECT sealed_private_key AS sealed FROM saml_keys')
    for (const { sealed } of rows) expect(sealed).toMatch(/^v1\./)
  })

  it('rejects an OpenID Connect application, and a caller without applications:read', async () => {
    const oidc = await registerApplication(service, owner)
    expectError(await call('GET', `/api/v1/applications/${oidc.id}/saml/keys`), 409, 'application_not_saml')
    const member = await addColleague(service, owner)
    expectError(await call('GET', await newApp(), undefined, member), 403, 'forbidden')
    const outsider = await registerUser(service)
    expectError(await call('GET', await newApp(), undefined, outsider), 404, 'application_not_found')
  })

  it('deletes the keys with the application', async () => {
    const path = await newApp()
    const [key] = (await keysAt(path)) as [Key]
    await call('DELETE', path.replace('/saml/keys', ''))
    expect(await service.sql('SELECT 1 FROM saml_keys WHERE id = $1', [key.id])).toEqual([])
  })
})

describe('the rollover of a SAML key', () => {
  it('publishes the next key, signs with it once activated, and keeps the previous one for 30 days', async () => {
    const path = await newApp()
    const [first] = (await keysAt(path)) as [Key]
    const { status, body: next } = await call('POST', path)
    expect(status).toBe(201)
    expect(await statesAt(path)).toEqual(['active', 'next'])
    expect((await call('POST', `${path}/${next.id}/activate`, {})).body).toMatchObject({ id: next.id, state: 'active' })
    const after = await keysAt(path)
    expect(after.map(({ id, state }) => [id, state])).toEqual([
      [next.id, 'active'],
      [first.id, 'retired'],
    ])
    const left = Date.parse(after[1]?.endsAt ?? '') - service.clock.ms()
    expect(Math.round(left / DAY)).toBe(30)
    expect(await entriesOf(next.id)).toEqual(['saml_key.prepared', 'saml_key.activated'])
  })

  it('deletes the previous key at once with `immediately`', async () => {
    const path = await newApp()
    const [first] = (await keysAt(path)) as [Key]
    const { body: next } = await call('POST', path)
    await call('POST', `${path}/${next.id}/activate`, { immediately: true })
    expect((await keysAt(path)).map(({ id }) => id)).toEqual([next.id])
    expect(await entriesOf(first.id)).toEqual(['saml_key.created', 'saml_key.activated'])
  })

  it('creates one next key across concurrent requests, and activates it once', async () => {
    const path = await newApp()
    const made = await atOnce(10, () => call('POST', path))
    expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
    const { id } = made.find(({ status }) => status === 201)?.body ?? {}
    const activated = await atOnce(10, () => call('POST', `${path}/${id}/activate`, {}))
    expect(activated.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect(await statesAt(path)).toEqual(['active', 'retired'])
  })

  it('deletes the next key, but not the signing one', async () => {
    const path = await newApp()
    const [first] = (await keysAt(path)) as [Key]
    const { body: next } = await call('POST', path)
    expect((await call('DELETE', `${path}/${next.id}`)).body).toEqual({ deleted: true, id: next.id })
    expect(await statesAt(path)).toEqual(['active'])
    expectError(await call('DELETE', `${path}/${first.id}`), 409, 'saml_key_signs')
    expectError(await call('POST', `${path}/${first.id}/activate`, {}), 409, 'saml_key_not_waiting')
    expectError(await call('DELETE', `${path}/${next.id}`), 404, 'saml_key_not_found')
  })

  it('rejects a key of another owner', async () => {
    const [path, other] = [await newApp(), await newApp()]
    const { body: next } = await call('POST', other)
    for (const place of [path, TEAM]) {
      expectError(await call('POST', `${place}/${next.id}/activate`, {}), 404, 'saml_key_not_found')
      expectError(await call('DELETE', `${place}/${next.id}`), 404, 'saml_key_not_found')
    }
    expect(await statesAt(other)).toEqual(['active', 'next'])
  })

  it('requires a recent sign-in', async () => {
    const late = await registerUser(service)
    const { body: next } = await call('POST', TEAM, undefined, late)
    await service.clock.advance(HOUR / 3)
    const { body } = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: late.refreshToken } })
    const user = { ...late, token: body.accessToken }
    for (const [method, path, sent] of [
      ['POST', TEAM],
      ['POST', `${TEAM}/${next.id}/activate`, {}],
      ['DELETE', `${TEAM}/${next.id}`],
    ] as const)
      expectError(await call(method, path, sent, user), 403, 'reauthentication_required')
    expect((await keysAt(TEAM, user)).length).toBe(2)
  })
})

describe('an expired SAML key', () => {
  it('disappears at its expiry, and is deleted', async () => {
    const user = await registerUser(service)
    await keysAt(TEAM, user)
    const { body: next } = await call('POST', TEAM, undefined, user)
    await call('POST', `${TEAM}/${next.id}/activate`, {}, user)
    await service.clock.advance(30 * DAY + HOUR)
    const { body } = await service.api('POST', '/api/v1/auth/verify', {
      body: { token: await requestToken(service, 'magic_link', user.email) },
    })
    expect((await keysAt(TEAM, { ...user, token: body.accessToken })).map(({ id }) => id)).toEqual([next.id])
    await service.settle()
    const left = await service.sql('SELECT 1 FROM saml_keys WHERE ends_at <= $1', [service.clock.now()])
    expect(left).toEqual([])
  })
})

describe('a change of ENCRYPTION_KEY', () => {
  it('encrypts SAML keys again, and they still sign', async () => {
    const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    const own = await startService({ env: { ENCRYPTION_KEY: first } })
    try {
      const user = await registerUser(own)
      const sealed = async () =>
        (await own.sql<{ sealed: string }>('SELECT sealed_private_key AS sealed FROM saml_keys'))[0]?.sealed
      const [key] = (await own.api('GET', TEAM, { token: user.token })).body.data as [Key]
      const before = await sealed()
      await own.restart({ ENCRYPTION_KEY: `${second},${first}` })
      expect(await sealed()).not.toBe(before)
      await own.restart({ ENCRYPTION_KEY: second })
      const { data } = (await own.api('GET', TEAM, { token: user.token })).body
      expect(data).toEqual([key])
      expect(createPublicKey(key.certificate).asymmetricKeyType).toBe('rsa')
    } finally {
      await own.close()
    }
  })
})
