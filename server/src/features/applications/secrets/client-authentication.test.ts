import { createHash, generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  expectError,
  registerApplication,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { dumpDatabase } from '../../../../test/harness/dump.js'
import { nextRsaKeyPair } from '../../../../test/harness/rsa-keys.mjs'
import { startService, type TestService } from '../../../../test/harness/service.js'

const APPS = '/api/v1/applications'
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const jwk = ({ publicKey }: { publicKey: { export(options: { format: 'jwk' }): unknown } }) =>
  publicKey.export({ format: 'jwk' }) as Record<string, string>
const rsa = (modulusLength: number) => nextRsaKeyPair('peer', modulusLength)
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })
const RSA = jwk(rsa(2_048))
const EC = jwk(ec('P-256'))
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')

describe('client authentication', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
  })
  afterAll(() => service.close())

  const make = (fields: object = {}) => registerApplication(service, user, { ...fields })
  const create = (fields: object) =>
    service.api('POST', APPS, { token: user.token, body: { name: 'x', type: 'OIDC', ...fields } })
  const update = (id: string, body: object) => service.api('PUT', `${APPS}/${id}`, { token: user.token, body })
  const rotate = (id: string) => service.api('POST', `${APPS}/${id}/rotate-secret`, { token: user.token })
  const rejectedAt = ({ status, body }: ApiResponse) => [status, body.code, body.errors?.[0]?.path]
  const stored = async (id: string) => {
    const [row] = await service.sql<{ hash: string | null; generation: number; version: number }>(
      "SELECT encode(secret_hash, 'hex') AS hash, generation, version FROM applications WHERE id = $1",
      [id],
    )
    if (!row) throw new Error('There is no such application')
    return row
  }

  describe('a client secret', () => {
    it('stores the secret as SHA-256 only', async () => {
      const { id, clientSecret } = await make()
      expect((await stored(id)).hash).toBe(hashOf(clientSecret))
      expect(JSON.stringify(await dumpDatabase(service))).not.toContain(clientSecret)
      expect(service.logLines.join()).not.toContain(clientSecret)
    })

    it('omits the secret from later responses', async () => {
      const { id, clientSecret } = await make()
      const answers = [
        await service.api('GET', `${APPS}/${id}`, { token: user.token }),
        await service.api('GET', APPS, { token: user.token }),
        await update(id, { name: 'Renamed' }),
      ]
      for (const { text } of answers) {
        expect(text).not.toContain(clientSecret)
        expect(text).not.toMatch(/clientSecret|secretHash|generation/)
      }
    })

    it('revokes the old secret on rotation, with all issued tokens, at a recorded time', async () => {
      const { id, clientSecret, ...made } = await make()
      expect(made.secretRotatedAt).toBeUndefined()
      const before = await stored(id)
      await service.clock.advance(60_000)
      const { status, body } = await rotate(id)
      expect([status, Object.keys(body)]).toEqual([200, ['clientSecret']])
      expect(body.clientSecret).toMatch(/^[\w-]{43}$/)
      expect(body.clientSecret).not.toBe(clientSecret)
      expect(await stored(id)).toEqual({
        hash: hashOf(body.clientSecret),
        generation: before.generation + 1,
        version: before.version + 1,
      })
      const { body: after } = await service.api('GET', `${APPS}/${id}`, { token: user.token })
      expect(after).toEqual({ id, ...made, secretRotatedAt: after.updatedAt, updatedAt: after.updatedAt })
      expect(Date.parse(after.secretRotatedAt)).toBeGreaterThanOrEqual(Date.parse(made.createdAt) + 60_000)
      const logs = await service.api('GET', '/api/v1/audit/logs?action=application.secret_rotated', {
        token: user.token,
      })
      expect(logs.body.data[0]).toMatchObject({ resource: `application:${id}`, metadata: {} })
    })

    it('keeps the secret of one of two concurrent rotations, and counts both', async () => {
      const { id } = await make()
      const before = await stored(id)
      const answers = await atOnce(2, () => rotate(id))
      const hashes = answers.map(({ body }) => hashOf(body.clientSecret))
      expect(new Set(hashes).size).toBe(2)
      const after = await stored(id)
      expect(hashes).toContain(after.hash)
      expect(after.generation).toBe(before.generation + 2)
    })

    it('starts a new generation when the authentication method changes', async () => {
      const { id, clientSecret } = await make()
      const before = await stored(id)
      await update(id, { tokenEndpointAuthMethod: 'client_secret_post' })
      expect(await stored(id)).toMatchObject({ hash: hashOf(clientSecret), generation: before.generation + 1 })
    })

    it('keeps its generation when other fields change', async () => {
      const { id } = await make()
      const before = await stored(id)
      await update(id, {
        name: 'x',
        scopes: ['a'],
        tokenEndpointAuthMethod: 'client_secret_basic',
        isPublicClient: false,
      })
      expect(await stored(id)).toEqual({ ...before, version: before.version + 1 })
    })
  })

  it.each([
    [{ isPublicClient: true }, { isPublicClient: true, tokenEndpointAuthMethod: 'none' }],
    [{ tokenEndpointAuthMethod: 'none' }, { isPublicClient: true, tokenEndpointAuthMethod: 'none' }],
    [
      { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [EC] } },
      { isPublicClient: false, tokenEndpointAuthMethod: 'private_key_jwt' },
    ],
  ])('creates no secret for %j', async (fields, shown) => {
    const made = await make(fields)
    expect(made).toMatchObject(shown)
    expect(made).not.toHaveProperty('clientSecret')
    expect((await stored(made.id)).hash).toBeNull()
    expectError(await rotate(made.id), 409, 'no_client_secret')
    expect((await stored(made.id)).hash).toBeNull()
  })

  it.each([
    { isPublicClient: true },
    { tokenEndpointAuthMethod: 'none' },
    { tokenEndpointAuthMethod: 'private_key_jwt' },
  ])('deletes the secret when the client changes to %j, and does not restore it', async (fields) => {
    const { id } = await make({ jwks: { keys: [RSA] } })
    await rotate(id)
    const before = await stored(id)
    const { status, body } = await update(id, fields)
    expect(status).toBe(200)
    expect(body.secretRotatedAt).toBeUndefined()
    expect(await stored(id)).toMatchObject({ hash: null, generation: before.generation + 1 })
    const { body: back } = await update(id, { tokenEndpointAuthMethod: 'client_secret_basic' })
    expect(back).toMatchObject({ isPublicClient: false, tokenEndpointAuthMethod: 'client_secret_basic' })
    expect(await stored(id)).toMatchObject({ hash: null, generation: before.generation + 2 })
    const { body: rotated } = await rotate(id)
    expect(await stored(id)).toMatchObject({ hash: hashOf(rotated.clientSecret), generation: before.generation + 3 })
  })

  it('uses client_secret_basic when a public client becomes confidential', async () => {
    const { id } = await make({ isPublicClient: true })
    expect((await update(id, { isPublicClient: false })).body).toMatchObject({
      isPublicClient: false,
      tokenEndpointAuthMethod: 'client_secret_basic',
    })
  })

  it.each([
    { isPublicClient: true, tokenEndpointAuthMethod: 'client_secret_basic' },
    { isPublicClient: true, tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [EC] } },
    { isPublicClient: false, tokenEndpointAuthMethod: 'none' },
  ])('rejects the contradiction %j', async (fields) => {
    expect(rejectedAt(await create(fields))).toEqual([400, 'invalid_request', '/tokenEndpointAuthMethod'])
    const { id } = await make()
    expect(rejectedAt(await update(id, fields))).toEqual([400, 'invalid_request', '/tokenEndpointAuthMethod'])
  })

  it.each(['client_credentials', TOKEN_EXCHANGE])('rejects %s for a public client', async (grant) => {
    const grantTypes = ['authorization_code', grant]
    expect(rejectedAt(await create({ isPublicClient: true, grantTypes }))).toEqual([
      400,
      'invalid_request',
      '/grantTypes/1',
    ])
    const { id } = await make({ grantTypes })
    const before = await stored(id)
    expect(rejectedAt(await update(id, { isPublicClient: true }))).toEqual([400, 'invalid_request', '/grantTypes/1'])
    expect(await stored(id)).toEqual(before)
    expect((await update(id, { isPublicClient: true, grantTypes: ['authorization_code'] })).status).toBe(200)
    expect(rejectedAt(await update(id, { grantTypes }))).toEqual([400, 'invalid_request', '/grantTypes/1'])
  })

  describe('private_key_jwt', () => {
    it.each([
      ['RSA 2048', RSA],
      ['RSA 4096', jwk(rsa(4_096))],
      ['P-256', EC],
      ['P-384', jwk(ec('P-384'))],
      ['P-521', jwk(ec('P-521'))],
      ['Ed25519', jwk(generateKeyPairSync('ed25519'))],
    ])('accepts %s with additional key members', async (_name, key) => {
      const keys = [{ ...key, kid: 'one', use: 'sig', alg: 'any', x5c: ['AA'], custom: { a: 1 } }]
      const made = await make({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys, other: 1 } })
      expect(made.jwks).toEqual({ keys })
    })

    const privateEc = ec('P-256').privateKey.export({ format: 'jwk' })
    const privateRsa = rsa(2_048).privateKey.export({ format: 'jwk' })
    it.each<[string, object]>([
      ['RSA 1024', jwk(rsa(1_024))],
      ['secp256k1', jwk(ec('secp256k1'))],
      ['X25519', jwk(generateKeyPairSync('x25519'))],
      ['Ed448', jwk(generateKeyPairSync('ed448'))],
      ['a symmetric key', { kty: 'oct', k: 'AAAA' }],
      ['a private EC key', privateEc],
      ['a private RSA key', privateRsa],
      ['a private Ed25519 key', generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })],
      ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map((member): [string, object] => [
        `a key with ${member}`,
        { ...EC, [member]: 'AA' },
      ]),
      ['a private member that is null', { ...EC, d: null }],
      ['no kty', { crv: 'P-256', x: EC.x, y: EC.y }],
      ['another kty', { ...EC, kty: 'ec' }],
      ['no coordinate', { kty: 'EC', crv: 'P-256', x: EC.x }],
      ['a point that is not on the curve', { ...EC, y: EC.x }],
      ['a coordinate of another type', { ...EC, x: 7 }],
      ['an RSA key without exponent', { kty: 'RSA', n: RSA.n }],
      ['an RSA key of 20,000 bits', { ...RSA, n: Buffer.alloc(2_500, 0xff).toString('base64url') }],
      ['nothing at all', {}],
    ])('rejects %s', async (_name, key) => {
      const { id } = await make({ jwks: { keys: [RSA] } })
      const rejected = await update(id, { jwks: { keys: [RSA, key] } })
      expect(rejectedAt(rejected)).toEqual([400, 'invalid_request', '/jwks/keys/1'])
      const { body } = await service.api('GET', `${APPS}/${id}`, { token: user.token })
      expect(body.jwks).toEqual({ keys: [RSA] })
    })

    it.each([null, { keys: [] }])('requires a key: rejects %j', async (jwks) => {
      const fields = { tokenEndpointAuthMethod: 'private_key_jwt' }
      for (const answer of [await create(fields), await create({ ...fields, jwks })])
        expect(rejectedAt(answer)).toEqual([400, 'invalid_request', '/jwks'])
      const { id } = await make({ ...fields, jwks: { keys: [EC] } })
      expect(rejectedAt(await update(id, { jwks }))).toEqual([400, 'invalid_request', '/jwks'])
      const other = await make()
      expect(rejectedAt(await update(other.id, fields))).toEqual([400, 'invalid_request', '/jwks'])
      expect((await update(other.id, { jwks })).status).toBe(200)
    })

    it.each([
      ['twenty-one keys', { keys: Array(21).fill(EC) }, '/jwks/keys'],
      ['a string as a key', { keys: ['x'] }, '/jwks/keys/0'],
      ['keys that are not an array', { keys: EC }, '/jwks/keys'],
      ['more than 49,152 characters', { keys: [{ ...EC, x5c: ['A'.repeat(49_152)] }] }, '/jwks'],
    ])('rejects %s', async (_name, jwks, path) => {
      expect(rejectedAt(await create({ jwks }))).toEqual([400, 'invalid_request', path])
    })
  })
})
