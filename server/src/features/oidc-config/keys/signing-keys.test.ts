import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CERTIFICATE, CERTIFIED, ISSUER_CERTIFICATE } from '../../../../test/factories/certified-key.js'
import { atOnce, expectError, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import {
  type ConfiguredApp,
  configuredApp,
  type PemPair,
  pemOf,
  pemPair,
  validationErrorsOf,
} from '../../../../test/factories/oidc-configuration.js'
import { dumpDatabase, dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let owner: TestUser
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
})
afterAll(() => service.close())

const newApp = () => configuredApp(service, owner)
const ec = pemPair('P-256')
const rsa = pemPair('rsa')

const jwksOf = async (path: string): Promise<Record<string, unknown>[]> => {
  const answers = await atOnce(service.urls.length, (node) =>
    service.api('GET', `/api/v1/sso/oidc-idp/${path}/jwks`, { node }),
  )
  for (const { body } of answers) expect(body).toEqual(answers[0]?.body)
  return answers[0]?.body.keys
}
const kidsOf = async (path: string) => (await jwksOf(path)).map(({ kid }) => kid)
const importing = (kid: string, algorithm: string, pair: PemPair, more: object = {}) => ({
  kid,
  algorithm,
  ...pair,
  ...more,
})

describe('importing a signing key', () => {
  const cases: [string, PemPair][] = [
    ['RS256', rsa],
    ['RS384', rsa],
    ['RS512', rsa],
    ['PS256', rsa],
    ['PS384', rsa],
    ['PS512', rsa],
    ['ES256', ec],
    ['ES384', pemPair('P-384')],
    ['ES512', pemPair('P-521')],
  ]
  it.each(cases)('accepts and publishes a key of %s without its private key', async (algorithm, pair) => {
    const app = await newApp()
    const before = await app.version()
    const made = await app.make('/signing-keys', importing('mine', algorithm, pair))
    expect(made).toEqual({
      id: expect.any(String),
      kid: 'mine',
      algorithm,
      isDefault: false,
      useForAccessTokens: false,
      hasCertificate: false,
      createdAt: expect.any(String),
    })
    expect((await app.call('GET', '/signing-keys')).body.data).toEqual([made])
    expect((await app.call('GET', '')).body.signingKeys).toEqual([made])
    const published = (await jwksOf(app.id)).find(({ kid }) => kid === 'mine')
    expect(published).toEqual({
      ...createPublicKey(pair.publicKey).export({ format: 'jwk' }),
      kid: 'mine',
      use: 'sig',
      alg: algorithm,
    })
    expect(await app.version()).toBe(before + 1)
    // The key is not published by the issuer of the team or other applications.
    expect(await kidsOf(owner.teamId)).not.toContain('mine')
  })

  it('accepts every common PEM format', async () => {
    const app = await newApp()
    const rsaKey = createPrivateKey(rsa.privateKey)
    const ecKey = createPrivateKey(ec.privateKey)
    const pkcs1 = rsaKey.export({ format: 'pem', type: 'pkcs1' }) as string
    const publicPkcs1 = createPublicKey(rsa.publicKey).export({ format: 'pem', type: 'pkcs1' }) as string
    const sec1 = ecKey.export({ format: 'pem', type: 'sec1' }) as string
    const withParameters = `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${sec1}`
    await app.make('/signing-keys', importing('a', 'RS256', { publicKey: publicPkcs1, privateKey: pkcs1 }))
    await app.make('/signing-keys', importing('b', 'ES256', { publicKey: `\n${ec.publicKey}`, privateKey: sec1 }))
    await app.make(
      '/signing-keys',
      importing('c', 'ES256', { publicKey: ec.publicKey.replaceAll('\n', '\r\n'), privateKey: withParameters }),
    )
  })

  it('publishes the certificates in the JWKS', async () => {
    const app = await newApp()
    const [own, ca] = [CERTIFICATE, ISSUER_CERTIFICATE]
    const pair = CERTIFIED
    const made = await app.make('/signing-keys', importing('certified', 'ES256', pair, { certChain: own + ca }))
    expect(made.hasCertificate).toBe(true)
    const published = (await jwksOf(app.id)).find(({ kid }) => kid === 'certified')
    const certificate = new X509Certificate(own)
    expect(published).toMatchObject({
      x5c: [certificate.raw.toString('base64'), new X509Certificate(ca).raw.toString('base64')],
      'x5t#S256': Buffer.from(certificate.fingerprint256.replaceAll(':', ''), 'hex').toString('base64url'),
    })
    // The public key may be sent as a certificate too.
    await app.make(
      '/signing-keys',
      importing('by-certificate', 'ES256', { publicKey: own, privateKey: pair.privateKey }),
    )

    const wrong = (certChain: string, of = pair) =>
      app.call('POST', '/signing-keys', importing('x', 'ES256', of, { certChain }))
    for (const [answer, message] of [
      [await wrong(ca + own), 'must begin with a certificate of the public key'],
      [await wrong(own + own), 'must be in order: certificate 2 did not issue the previous one'],
      [await wrong(own, pemPair('P-256')), 'must begin with a certificate of the public key'],
      [await wrong(pair.publicKey), 'must contain certificates in PEM, that of the key first'],
      [await wrong('nothing'), 'must contain certificates in PEM, that of the key first'],
      [await wrong(own.replace(/\n[A-Za-z0-9+/]{20}/, '\nAAAA')), 'contains a certificate that is not readable'],
      [await wrong(own.repeat(11)), 'must contain at most 10 certificates'],
    ] as const)
      expect(validationErrorsOf(answer)).toEqual([['/certChain', message]])
  })

  const other = pemPair('P-256')
  const wrongs: [string, () => object, [string, RegExp][]][] = [
    [
      'keys that do not match each other',
      () => importing('x', 'ES256', { ...ec, privateKey: other.privateKey }),
      [['/privateKey', /does not match/]],
    ],
    [
      'a key of another type than the algorithm',
      () => importing('x', 'RS256', ec),
      [
        ['/publicKey', /must be an RSA key/],
        ['/privateKey', /must be an RSA key/],
      ],
    ],
    [
      'an RSA key for ES256',
      () => importing('x', 'ES256', rsa),
      [
        ['/publicKey', /EC key on the curve P-256/],
        ['/privateKey', /P-256/],
      ],
    ],
    [
      'a key on another curve',
      () => importing('x', 'ES384', ec),
      [
        ['/publicKey', /P-384/],
        ['/privateKey', /P-384/],
      ],
    ],
    [
      'a key of 1024 bits',
      () => importing('x', 'RS256', pemPair('rsa', 1_024)),
      [
        ['/publicKey', /has 1024 bits: RSA keys must have 2048 to 4096 bits/],
        ['/privateKey', /2048/],
      ],
    ],
    [
      'an Ed25519 key',
      () => importing('x', 'ES256', pemOf(generateKeyPairSync('ed25519'))),
      [
        ['/publicKey', /must be an EC key/],
        ['/privateKey', /must be an EC key/],
      ],
    ],
    [
      'a private key as the public key',
      () => importing('x', 'ES256', { ...ec, publicKey: ec.privateKey }),
      [['/publicKey', /must be one public key in PEM/]],
    ],
    [
      'a public key as the private key',
      () => importing('x', 'ES256', { ...ec, privateKey: ec.publicKey }),
      [['/privateKey', /must be one private key in PEM/]],
    ],
    [
      'two keys in one field',
      () => importing('x', 'ES256', { ...ec, privateKey: ec.privateKey + other.privateKey }),
      [['/privateKey', /must be one private key/]],
    ],
    [
      'an encrypted key',
      () =>
        importing('x', 'ES256', {
          ...ec,
          privateKey: createPrivateKey(ec.privateKey).export({
            format: 'pem',
            type: 'pkcs8',
            cipher: 'aes-256-cbc',
            passphrase: 'x',
          }) as string,
        }),
      [['/privateKey', /is encrypted/]],
    ],
    [
      'an encrypted key in the legacy format',
      () =>
        importing('x', 'RS256', {
          ...rsa,
          privateKey: createPrivateKey(rsa.privateKey).export({
            format: 'pem',
            type: 'pkcs1',
            cipher: 'aes-256-cbc',
            passphrase: 'x',
          }) as string,
        }),
      [['/privateKey', /is encrypted/]],
    ],
    [
      'a truncated key',
      () => importing('x', 'ES256', { ...ec, privateKey: ec.privateKey.replace(/\n.{20}/, '\n') }),
      [['/privateKey', /is not a readable key/]],
    ],
    [
      'a malformed key',
      () => importing('x', 'ES256', { publicKey: '', privateKey: 'x' }),
      [
        ['/publicKey', /must be one public key/],
        ['/privateKey', /must be one private key/],
      ],
    ],
    ['an unknown algorithm', () => importing('x', 'HS256', ec), [['/algorithm', /allowed values/]]],
    ['a malformed kid', () => importing('a b', 'ES256', ec), [['/kid', /pattern/]]],
    ['a kid that is too long', () => importing('x'.repeat(101), 'ES256', ec), [['/kid', /100/]]],
  ]
  it.each(wrongs)('rejects %s with an error for the field', async (_, body, faults) => {
    const app = await newApp()
    const before = await dumpState(service)
    const found = validationErrorsOf(await app.call('POST', '/signing-keys', body()))
    expect(found.map(([path]) => path)).toEqual(faults.map(([path]) => path))
    for (const [index, [, message]] of faults.entries()) expect(found[index]?.[1]).toMatch(message)
    expect(await dumpState(service)).toEqual(before)
  })

  it('rejects a key with inconsistent parts', async () => {
    const jwk = createPrivateKey(rsa.privateKey).export({ format: 'jwk' })
    const bent = createPrivateKey({
      key: {
        ...jwk,
        d: createPrivateKey(pemPair('rsa').privateKey).export({ format: 'jwk' }).d as string,
        dp: jwk.dq as string,
      },
      format: 'jwk',
    })
    const privateKey = bent.export({ format: 'pem', type: 'pkcs8' }) as string
    expect(
      validationErrorsOf(
        await (await newApp()).call('POST', '/signing-keys', importing('x', 'RS256', { ...rsa, privateKey })),
      ),
    ).toEqual([['/privateKey', expect.stringMatching(/does not match|is not a readable key/)]])
  })

  it('rejects a second key with the same kid in a JWKS, also across twenty concurrent requests', async () => {
    const app = await newApp()
    const answers = await atOnce(20, () => app.call('POST', '/signing-keys', importing('same', 'ES256', ec)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, 409, 'kid_exists')
    const [ofTeam] = await kidsOf(owner.teamId)
    expectError(await app.call('POST', '/signing-keys', importing(String(ofTeam), 'ES256', ec)), 409, 'kid_exists')
    // No JWKS contains the keys of two applications.
    await (await newApp()).make('/signing-keys', importing('same', 'ES256', ec))
  })

  it('discloses the private key in no response, audit entry, log line or row', async () => {
    const app = await newApp()
    const secrets = [rsa, ec, other].flatMap(({ privateKey }) => {
      const key = createPrivateKey(privateKey)
      const { d = '', p, q, n = '' } = key.export({ format: 'jwk' })
      // Lines that contain only the modulus or point are also in the JWKS and certificates.
      const lines = privateKey.split('\n').slice(1, -2)
      const body = p ? lines.filter((line) => !n.includes(line)) : lines.slice(0, 2)
      return [d, p, q, ...body, key.export({ format: 'der', type: 'pkcs8' }).toString('hex').slice(100, 160)].filter(
        (one): one is string => (one?.length ?? 0) > 30,
      )
    })
    const answers = [
      await app.call('POST', '/signing-keys', importing('one', 'RS256', rsa)),
      await app.call('POST', '/signing-keys', importing('two', 'ES256', ec)),
      await app.call('POST', '/signing-keys', importing('two', 'ES256', ec)),
      await app.call('POST', '/signing-keys', importing('three', 'ES256', { ...ec, privateKey: other.privateKey })),
      await app.call('POST', '/signing-keys', importing('four', 'ES384', ec)),
      await app.call('GET', ''),
    ]
    const seen = [
      ...answers.map(({ text }) => text),
      (await service.api('GET', '/api/v1/audit/logs?limit=100', { token: owner.token })).text,
      service.logLines.join(''),
      JSON.stringify(await dumpDatabase(service)),
      JSON.stringify(await jwksOf(app.id)),
    ].join('\n')
    expect(secrets.length).toBeGreaterThan(30)
    for (const secret of secrets) expect(seen.includes(secret), secret).toBe(false)
  })
})

describe('generating a signing key', () => {
  it('returns a key of the requested algorithm with a unique kid', async () => {
    const app = await newApp()
    for (const [algorithm, kty] of [
      ['RS256', 'RSA'],
      ['PS512', 'RSA'],
      ['ES256', 'EC'],
      ['ES384', 'EC'],
      ['ES512', 'EC'],
    ]) {
      const made = await app.make('/signing-keys/generate', { algorithm })
      expect(made).toMatchObject({ algorithm, kid: expect.stringMatching(/^[\w-]{16}$/), isDefault: false })
      expect((await jwksOf(app.id)).find(({ kid }) => kid === made.kid)).toMatchObject({
        kty,
        alg: algorithm,
        use: 'sig',
      })
    }
    expect((await app.make('/signing-keys/generate', { algorithm: 'ES256', kid: 'named' })).kid).toBe('named')
    expectError(
      await app.call('POST', '/signing-keys/generate', { algorithm: 'ES256', kid: 'named' }),
      409,
      'kid_exists',
    )
  })

  it('rejects more than twenty keys', async () => {
    const app = await newApp()
    await app.make('/signing-keys/generate', { algorithm: 'ES256' })
    await service.sql(
      `INSERT INTO signing_keys (id, organization_id, application_id, kid, algorithm, public_jwk, sealed_private_key, is_default, use_for_access_tokens, created_at)
       SELECT gen_random_uuid(), organization_id, application_id, 'k' || n, algorithm, public_jwk, sealed_private_key, false, false, created_at
       FROM signing_keys, generate_series(1, 19) n WHERE application_id = $1`,
      [app.id],
    )
    expectError(await app.call('POST', '/signing-keys/generate', { algorithm: 'ES256' }), 409, 'limit_reached')
  })

  it('requires a recent sign-in of a session, and none of an API token', async () => {
    const late = await registerUser(service)
    const app = await configuredApp(service, late)
    const key = await app.make('/signing-keys/generate', { algorithm: 'ES256' })
    const { body: program } = await service.api('POST', '/api/v1/api-tokens', {
      token: late.token,
      body: { name: 'p', scopes: ['oidc-config:read', 'oidc-config:write'] },
    })
    await service.clock.advance(14 * 60_000)
    const { body: session } = await service.api('POST', '/api/v1/auth/refresh', {
      body: { refreshToken: late.refreshToken },
    })
    await service.clock.advance(2 * 60_000)
    const acts: [string, string, object?][] = [
      ['POST', '/signing-keys/generate', { algorithm: 'ES256' }],
      ['POST', '/signing-keys', importing('x', 'ES256', ec)],
      ['PUT', `/signing-keys/${key.id}`, { isDefault: true }],
      ['DELETE', `/signing-keys/${key.id}`],
    ]
    for (const [method, path, body] of acts)
      expectError(await app.call(method, path, body, session.accessToken), 403, 'reauthentication_required')
    expectError(
      await service.api('POST', '/api/v1/org/signing-keys/rotate', { token: session.accessToken }),
      403,
      'reauthentication_required',
    )
    for (const [method, path, body] of acts)
      expect((await app.call(method, path, body, program.token)).status, path).toBeLessThan(300)
    expect((await service.api('POST', '/api/v1/org/signing-keys/rotate', { token: program.token })).status).toBe(201)
  })
})

describe('signing keys of an application', () => {
  // These tests advance the clock beyond the lifetime of any session.
  beforeEach(async () => {
    owner = await registerUser(service)
  })
  const marks = async (app: ConfiguredApp) =>
    Object.fromEntries(
      (await app.call('GET', '/signing-keys')).body.data.map((key: Record<string, unknown>) => [
        key.kid,
        [key.isDefault, key.useForAccessTokens],
      ]),
    )

  it('replaces the default key and the ES256 key for access tokens, so that there is one of each', async () => {
    const app = await newApp()
    const a = await app.make('/signing-keys/generate', { algorithm: 'RS256', kid: 'a', isDefault: true })
    const b = await app.make('/signing-keys/generate', { algorithm: 'ES256', kid: 'b', useForAccessTokens: true })
    expect(await marks(app)).toEqual({ a: [true, false], b: [false, true] })
    await app.make('/signing-keys', importing('c', 'ES256', ec, { isDefault: true }))
    expect(await marks(app)).toEqual({ a: [false, false], b: [false, true], c: [true, false] })
    await Promise.all(
      [...Array(20).keys()].map((n) => app.call('PUT', `/signing-keys/${(n % 2 ? a : b).id}`, { isDefault: true })),
    )
    expect(Object.values(await marks(app)).filter((mark) => (mark as boolean[])[0])).toHaveLength(1)
    expect(
      (await app.call('PUT', `/signing-keys/${b.id}`, { isDefault: false, useForAccessTokens: false })).body,
    ).toMatchObject({ isDefault: false, useForAccessTokens: false })
    for (const answer of [
      await app.call('PUT', `/signing-keys/${a.id}`, { useForAccessTokens: true }),
      await app.call('POST', '/signing-keys/generate', { algorithm: 'ES384', useForAccessTokens: true }),
    ])
      expect(validationErrorsOf(answer)).toEqual([
        ['/useForAccessTokens', 'must not be true for another algorithm than ES256'],
      ])
  })

  it('retires a deleted key, which stays published until its last token has expired', async () => {
    const app = await newApp()
    await app.call('PUT', '/token-policy', { idTokenLifetime: 86_400 })
    await app.call('PUT', '/token-policy', { idTokenLifetime: 600 })
    const { id, kid } = await app.make('/signing-keys/generate', { algorithm: 'ES256', isDefault: true })
    const { body } = await app.call('DELETE', `/signing-keys/${id}`)
    expect(body).toEqual({ deleted: true, id, publishedUntil: expect.any(String) })
    const left = Date.parse(body.publishedUntil) - service.clock.ms()
    expect(left).toBeGreaterThan(86_300_000)
    expect(left).toBeLessThan(86_500_000)
    expect((await app.call('DELETE', `/signing-keys/${id}`)).body).toEqual(body)
    expectError(await app.call('PUT', `/signing-keys/${id}`, { isDefault: true }), 409, 'key_retired')
    expect((await app.call('GET', '/signing-keys')).body.data).toMatchObject([
      { kid, isDefault: false, retiredAt: expect.any(String), publishedUntil: body.publishedUntil },
    ])
    expectError(await app.call('POST', '/signing-keys/generate', { algorithm: 'ES256', kid }), 409, 'kid_exists')
    expect(await kidsOf(app.id)).toContain(kid)
    await service.clock.advance(left + 1_000)
    expect(await kidsOf(app.id)).not.toContain(kid)
  })

  it('removes a key from JWKS and list if it is deleted immediately', async () => {
    const app = await newApp()
    const { id, kid } = await app.make('/signing-keys/generate', { algorithm: 'ES256', isDefault: true })
    expect(await kidsOf(app.id)).toContain(kid)
    expect((await app.call('DELETE', `/signing-keys/${id}?immediately=true`)).body).toEqual({ deleted: true, id })
    expect(await kidsOf(app.id)).not.toContain(kid)
    expect((await app.call('GET', '/signing-keys')).body.data).toEqual([])
    expectError(await app.call('DELETE', `/signing-keys/${id}`), 404, 'signing_key_not_found')
  })

  it('purges retired keys in a job', async () => {
    const app = await newApp()
    const { id } = await app.make('/signing-keys/generate', { algorithm: 'ES256' })
    await app.call('DELETE', `/signing-keys/${id}`)
    const stored = await app.make('/signing-keys/generate', { algorithm: 'ES256' })
    await service.clock.advance(3 * 3_600_000)
    await service.sql("UPDATE jobs SET run_at = $1 WHERE kind = 'oidc_config.purge_keys'", [service.clock.now()])
    await expect
      .poll(async () => {
        await service.settle()
        return (await service.sql('SELECT id FROM signing_keys WHERE application_id = $1', [app.id])).map(
          (row) => row.id,
        )
      })
      .toEqual([stored.id])
  })

  it('returns 404 for a key of another application', async () => {
    const { id } = await (await newApp()).make('/signing-keys/generate', { algorithm: 'ES256' })
    const other = await newApp()
    expectError(await other.call('PUT', `/signing-keys/${id}`, { isDefault: true }), 404, 'signing_key_not_found')
    expectError(await other.call('DELETE', `/signing-keys/${id}?immediately=true`), 404, 'signing_key_not_found')
  })
})

describe('the signing key of a team', () => {
  it('verifies after its rotation until the last token of any application has expired', async () => {
    const team = await registerUser(service)
    const call = (method: string, path = '') =>
      service.api(method, `/api/v1/org/signing-keys${path}`, { token: team.token })
    const [first] = (await call('GET')).body.data
    expect(first).toMatchObject({ algorithm: 'RS256', isDefault: true })
    const app = await configuredApp(service, team)
    await app.call('PUT', '/token-policy', { accessTokenLifetime: 7_200 })
    const rotated = await call('POST', '/rotate')
    expect([rotated.status, rotated.body]).toMatchObject([201, { algorithm: 'RS256', isDefault: true }])
    const [now, before] = (await call('GET')).body.data
    expect(now).toEqual(rotated.body)
    expect(before).toMatchObject({ id: first.id, isDefault: false, retiredAt: expect.any(String) })
    const left = Date.parse(before.publishedUntil) - service.clock.ms()
    expect(left).toBeGreaterThan(7_100_000)
    expect(left).toBeLessThan(7_300_000)
    expect(await kidsOf(team.teamId)).toEqual([now.kid, first.kid])
    expect(await kidsOf(app.id)).toEqual([now.kid, first.kid])
    await service.clock.advance(left + 1_000)
    expect(await kidsOf(team.teamId)).toEqual([now.kid])
  })

  it('stops verifying, with all previous keys, at an immediate rotation', async () => {
    const team = await registerUser(service)
    const rotate = (body?: object) =>
      service.api('POST', '/api/v1/org/signing-keys/rotate', { token: team.token, ...(body && { body }) })
    const app = await configuredApp(service, team)
    const own = await app.make('/signing-keys/generate', { algorithm: 'ES256' })
    const [first] = await kidsOf(team.teamId)
    const second = (await rotate({ immediately: false })).body
    expect(await kidsOf(team.teamId)).toEqual([second.kid, first])
    const { status, body: third } = await rotate({ immediately: true })
    expect(status).toBe(201)
    expect(await kidsOf(team.teamId)).toEqual([third.kid])
    expect(await kidsOf(app.id)).toEqual([own.kid, third.kid])
    const { body } = await service.api('GET', '/api/v1/org/signing-keys', { token: team.token })
    expect(body.data).toEqual([third])
    const logs = await service.api('GET', '/api/v1/audit/logs?limit=100', { token: team.token })
    const [entry] = logs.body.data.filter(({ action }: { action: string }) => action === 'signing_key.rotated')
    expect(entry.metadata).toEqual({ kid: third.kid, before: second.kid, removed: [second.kid, first] })
    expect(validationErrorsOf(await rotate({ immediately: 'yes' }))[0]?.[0]).toBe('/immediately')
  })

  it('exists exactly once as the signing key across ten concurrent rotations', async () => {
    const team = await registerUser(service)
    const answers = await atOnce(10, () =>
      service.api('POST', '/api/v1/org/signing-keys/rotate', { token: team.token }),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
    const { body } = await service.api('GET', '/api/v1/org/signing-keys', { token: team.token })
    expect(body.data).toHaveLength(11)
    expect(body.data.filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toHaveLength(1)
    await service.sql(`UPDATE signing_keys SET published_until = NULL WHERE organization_id = $1`, [team.teamId])
    await atOnce(10, () => service.api('POST', '/api/v1/org/signing-keys/rotate', { token: team.token }))
    expectError(
      await service.api('POST', '/api/v1/org/signing-keys/rotate', { token: team.token }),
      409,
      'limit_reached',
    )
  })
})
