import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { nextRsaKeyPair } from '../../../../test/harness/rsa-keys.mjs'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { createEnvelope } from '../../../platform/crypto/envelope.js'

type Json = Record<string, unknown>
const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json
const hmac = (header: Json | string, payload: Json, key: Buffer | string, hash = 'sha256') => {
  const input = `${encode(header)}.${encode(payload)}`
  return `${input}.${createHmac(hash, key).update(input).digest('base64url')}`
}
const asymmetric = (header: Json, payload: Json, key: KeyObject) => {
  const input = `${encode(header)}.${encode(payload)}`
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

const rsa = nextRsaKeyPair()
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsaJwk = rsa.publicKey.export({ format: 'jwk' })
const ecJwk = ec.publicKey.export({ format: 'jwk' })
const foreignKey = randomBytes(32)

/** The knowledge of a forger: a valid token, the service's keys (to show that they sign only their own kind), another account. */
interface Known {
  token: string
  header: Json
  payload: Json
  signature: string
  key: Buffer
  successor: { id: string; key: Buffer }
  other: TestUser
}

type Forgery = [name: string, forge: (known: Known) => string]

const UNSIGNED: Forgery[] = ['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg): Forgery[] => [
  [`alg "${alg}" without a signature`, ({ header, payload }) => `${encode({ ...header, alg })}.${encode(payload)}.`],
  [
    `alg "${alg}" with the old signature`,
    ({ header, payload, signature }) => `${encode({ ...header, alg })}.${encode(payload)}.${signature}`,
  ],
])

const WRONG_KEY: Forgery[] = [
  ['another HMAC key', ({ header, payload }) => hmac(header, payload, foreignKey)],
  ['an empty HMAC key', ({ header, payload }) => hmac(header, payload, '')],
  ['the public URL as HMAC key', ({ header, payload }) => hmac(header, payload, String(payload.iss))],
  ['the key ID as HMAC key', ({ header, payload }) => hmac(header, payload, String(header.kid))],
  [
    'a server key for another purpose',
    ({ header, payload, successor }) => hmac({ ...header, kid: successor.id }, payload, successor.key),
  ],
  ['RS256', ({ header, payload }) => asymmetric({ ...header, alg: 'RS256' }, payload, rsa.privateKey)],
  ['RS256 under the header of HS256', ({ header, payload }) => asymmetric(header, payload, rsa.privateKey)],
  ['ES256', ({ header, payload }) => asymmetric({ ...header, alg: 'ES256' }, payload, ec.privateKey)],
  [
    'RS256 with the public key in jwk',
    ({ header, payload }) => asymmetric({ ...header, alg: 'RS256', jwk: rsaJwk }, payload, rsa.privateKey),
  ],
  [
    'ES256 with the public key in jwk',
    ({ header, payload }) => asymmetric({ ...header, alg: 'ES256', jwk: ecJwk }, payload, ec.privateKey),
  ],
  [
    'HS256 with the key in jwk',
    ({ header, payload }) =>
      hmac({ ...header, jwk: { kty: 'oct', k: foreignKey.toString('base64url') } }, payload, foreignKey),
  ],
  ...['jku', 'x5u'].map(
    (name): Forgery => [
      `a key to be fetched (${name})`,
      ({ header, payload }) => hmac({ ...header, [name]: 'http://127.0.0.1:1/keys' }, payload, foreignKey),
    ],
  ),
  ...[
    '../../../../dev/null',
    "x' UNION SELECT '",
    '',
    'unknown',
    '00000000-0000-7000-8000-000000000000',
    7,
    null,
    ['x'],
    { x: 1 },
  ].map(
    (kid): Forgery => [`kid ${JSON.stringify(kid)}`, ({ header, payload }) => hmac({ ...header, kid }, payload, '')],
  ),
]

/** Signed with the right key, with a header that the service does not write. */
const WRONG_HEADER: Forgery[] = [
  ['HS384', ({ header, payload, key }) => hmac({ ...header, alg: 'HS384' }, payload, key, 'sha384')],
  ['HS512', ({ header, payload, key }) => hmac({ ...header, alg: 'HS512' }, payload, key, 'sha512')],
  ['no typ', ({ header: { typ: _, ...header }, payload, key }) => hmac(header, payload, key)],
  ['no kid', ({ header: { kid: _, ...header }, payload, key }) => hmac(header, payload, key)],
  ...['JWT', 'at+jwt', 'logout+jwt', 'dpop+jwt', 'SESSION+JWT'].map(
    (typ): Forgery => [`typ ${typ}`, ({ header, payload, key }) => hmac({ ...header, typ }, payload, key)],
  ),
  ['crit', ({ header, payload, key }) => hmac({ ...header, crit: ['exp'] }, payload, key)],
  [
    'a second alg',
    ({ header, payload, key }) => hmac(JSON.stringify(header).replace('{', '{"alg":"none",'), payload, key),
  ],
  [
    'jku beside the right kid',
    ({ header, payload, key }) => hmac({ ...header, jku: 'http://127.0.0.1:1/keys' }, payload, key),
  ],
]

const WRONG_CLAIMS: Forgery[] = [
  ...['http://localhost:3000/', 'https://evil.example', '', null].map(
    (iss): Forgery => [`iss ${iss}`, ({ header, payload, key }) => hmac(header, { ...payload, iss }, key)],
  ),
  ...['http://localhost:3000', 'account', '', null].map(
    (aud): Forgery => [`aud ${aud}`, ({ header, payload, key }) => hmac(header, { ...payload, aud }, key)],
  ),
  [
    'exp in the past',
    ({ header, payload, key }) => hmac(header, { ...payload, exp: Math.floor(Date.now() / 1_000) - 1 }, key),
  ],
  ['exp of zero', ({ header, payload, key }) => hmac(header, { ...payload, exp: 0 }, key)],
  [
    'the session of another user',
    ({ header, payload, key, other }) => hmac(header, { ...payload, sid: decode(other.token.split('.')[1]).sid }, key),
  ],
  [
    'another user in this session',
    ({ header, payload, key, other }) => hmac(header, { ...payload, sub: other.id, team: other.teamId }, key),
  ],
  [
    'the team of another user',
    ({ header, payload, key, other }) => hmac(header, { ...payload, team: other.teamId }, key),
  ],
]

const flip = (text: string, at: number) => `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
const BROKEN: Forgery[] = [
  ['cut by one character', ({ token }) => token.slice(0, -1)],
  ['cut in half', ({ token }) => token.slice(0, token.length / 2)],
  ['without its signature', ({ token }) => token.split('.').slice(0, 2).join('.')],
  ['with an empty signature', ({ token }) => `${token.split('.').slice(0, 2).join('.')}.`],
  ['its header alone', ({ token }) => token.split('.')[0] ?? ''],
  ['only dots', () => '...'],
  ['with a fourth part', ({ token }) => `${token}.x`],
  ['with a dot at its end', ({ token }) => `${token}.`],
  ['with a dot at its start', ({ token }) => `.${token}`],
  ['in five parts', ({ token }) => `${token}.x.x`],
  ['padded', ({ token }) => `${token}=`],
  ['twice', ({ token }) => `${token}${token}`],
  [
    'with the spare bits of its signature set',
    ({ token }) => `${token.slice(0, -1)}${String.fromCharCode(token.charCodeAt(token.length - 1) + 1)}`,
  ],
  ...[0, 10, 20, 30, 42].map(
    (at): Forgery => [
      `with bit ${at} of the signature flipped`,
      ({ header, payload, signature }) => `${encode(header)}.${encode(payload)}.${flip(signature, at)}`,
    ],
  ),
  [
    'with another payload',
    ({ header, payload, signature, other }) =>
      `${encode(header)}.${encode({ ...payload, sub: other.id })}.${signature}`,
  ],
]

const ROUTES: [method: string, path: string, body?: object][] = [
  ['GET', '/api/v1/auth/me'],
  ['GET', '/api/v1/organizations'],
  ['PUT', '/api/v1/settings', { name: 'Forged' }],
  ['POST', '/api/v1/auth/logout'],
  ['POST', '/api/v1/sso/logout'],
]

describe('the access token verifier', () => {
  let service: TestService
  let known: Known
  beforeAll(async () => {
    const encryptionKey = randomBytes(32)
    service = await startService({ env: { ENCRYPTION_KEY: encryptionKey.toString('base64') } })
    const [{ token }, other] = [await registerUser(service), await registerUser(service)]
    const [header, payload, signature = ''] = token.split('.')
    const envelope = createEnvelope([encryptionKey])
    const ours = async (purpose: string) => {
      const [row] = await service.sql<{ id: string; sealed_key: string }>(
        'SELECT id, sealed_key FROM server_keys WHERE purpose = $1',
        [purpose],
      )
      return { id: row?.id ?? '', key: envelope.open(row?.sealed_key ?? '', `server-key:${row?.id}`) }
    }
    known = {
      token,
      header: decode(header),
      payload: decode(payload),
      signature,
      key: (await ours('session')).key,
      successor: await ours('successor'),
      other,
    }
  })
  afterAll(() => service.close())

  const me = (token: string) => service.api('GET', '/api/v1/auth/me', { token })

  it('accepts a payload that is signed again with the same key, as a control', async () => {
    expect(hmac(known.header, known.payload, known.key)).toBe(known.token)
    expect((await me(known.token)).status).toBe(200)
    expect((await me(hmac(known.header, { ...known.payload, more: true }, known.key))).status).toBe(200)
  })

  it.each([...UNSIGNED, ...WRONG_KEY, ...WRONG_HEADER, ...WRONG_CLAIMS, ...BROKEN])(
    'rejects on every route: %s',
    async (_, forge) => {
      const token = forge(known)
      expect(token).not.toBe(known.token)
      for (const [method, path, body] of ROUTES)
        expectError(await service.api(method, path, { token, body }), 401, 'invalid_access_token')
    },
  )

  it('rejects a token after 15 minutes', async () => {
    const { token } = await registerUser(service)
    await service.clock.advance(890_000)
    expect((await me(token)).status).toBe(200)
    await service.clock.advance(11_000)
    expectError(await me(token), 401, 'invalid_access_token')
  })
})
