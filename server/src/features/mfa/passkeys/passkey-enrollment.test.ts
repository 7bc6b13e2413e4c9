import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type AuthenticatorOptions,
  createAuthenticator,
  type Tamper,
} from '../../../../test/factories/authenticator.js'
import { atOnce, expectError, logIn, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { beginLogIn, enrollApp, enrollPasskey, startApp } from '../../../../test/factories/factors.js'
import { entriesOf } from '../../../../test/harness/audit-entries.js'
import { dumpDatabase, dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { MINUTE } from '../../../platform/clock.js'

const YUBIKEY = 'ee882879-721c-4913-9775-3dfcce97072a'
const ELSEWHERE = Buffer.from('somewhere else').toString('base64url')
const bytes = (...some: (number | string | Buffer)[]): string =>
  Buffer.concat(some.map((one) => (typeof one === 'number' ? Buffer.of(one) : Buffer.from(one)))).toString('base64url')

describe('POST /auth/mfa/passkey/enroll', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    user = await registerUser(service)
  })

  const call = (method: string, path: string, { token }: Pick<TestUser, 'token'>, body?: unknown) =>
    service.api(method, `/api/v1/auth/${path}`, { token, body })
  const options = async (by: Pick<TestUser, 'token'> = user) => (await call('GET', 'mfa/passkey/options', by)).body
  const enroll = (credential: unknown, by: Pick<TestUser, 'token'> = user, name?: string) =>
    call('POST', 'mfa/passkey/enroll', by, { credential, ...(name !== undefined && { name }) })
  /** Creates a passkey with new options. */
  const create = async (tamper?: Tamper, authenticator: AuthenticatorOptions = {}) =>
    createAuthenticator(authenticator).create(await options(), tamper)
  const methodsOf = async (by = user) => (await call('GET', 'mfa/status', by)).body.methods
  const recorded = (by = user) =>
    entriesOf(
      service,
      `SELECT action, result, resource, metadata FROM audit_entries WHERE user_id = $1 AND action LIKE 'factor.%' ORDER BY id`,
      [by.id],
    )

  describe('GET /auth/mfa/passkey/options', () => {
    it('requests a discoverable credential of this site with preferred user verification', async () => {
      const body = await options()
      expect(body).toEqual({
        challenge: expect.stringMatching(/^[\w-]{80,}$/),
        rp: { id: 'localhost', name: 'Keyward' },
        user: { id: expect.any(String), name: user.email, displayName: user.email },
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
        timeout: 5 * MINUTE,
        attestation: 'none',
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
        excludeCredentials: [],
      })
    })

    it('returns a new challenge each time, and a stable user handle without personal data', async () => {
      const all = await atOnce(5, () => options())
      expect(new Set(all.map(({ challenge }) => challenge)).size).toBe(5)
      const [handle, ...others] = new Set(all.map((one) => one.user.id))
      expect(others).toEqual([])
      const raw = Buffer.from(handle, 'base64url')
      expect(raw).toHaveLength(16)
      expect(raw.toString('latin1')).not.toContain(user.email.slice(0, 4))
      expect((await options(await registerUser(service))).user.id).not.toBe(handle)
    })

    it('returns the names of the user', async () => {
      const named = await call('PATCH', 'me', user, { firstName: 'Mara', lastName: 'Núñez' })
      expect(named.status, named.text).toBe(200)
      expect((await options()).user).toMatchObject({ name: user.email, displayName: 'Mara Núñez' })
    })

    it('excludes only the passkeys of the account', async () => {
      const authenticator = createAuthenticator()
      await enrollPasskey(service, user, authenticator)
      const [{ credentialId: id }] = await methodsOf()
      const second = await options()
      expect(second.excludeCredentials).toEqual([{ id, type: 'public-key', transports: ['hybrid', 'internal'] }])
      expect(() => authenticator.create(second)).toThrow('already')
      expect((await options(await registerUser(service))).excludeCredentials).toEqual([])
    })

    it('stores nothing', async () => {
      // The sealing job changes all other tables of the audit log at any time.
      const isCompared = (table: string) => table === 'audit_entries' || !/^(jobs$|audit_)/.test(table)
      const dump = async () => Object.entries(await dumpDatabase(service)).filter(([table]) => isCompared(table))
      await service.settle()
      await options()
      const before = await dump()
      await atOnce(10, () => options())
      expect(await dump()).toEqual(before)
    })
  })

  it('registers the first factor with ten backup codes, and the account requires it', async () => {
    const { status, body } = await enroll(await create())
    expect([status, body]).toEqual([
      200,
      { success: true, methodId: expect.stringMatching(/^[0-9a-f-]{36}$/), backupCodes: expect.any(Array) },
    ])
    expect(body.backupCodes).toHaveLength(10)
    for (const code of body.backupCodes) expect(code).toMatch(/^[34679ACDEFGHJKMNPRTUWXY]{8}$/)
    expect((await call('GET', 'mfa/status', user)).body).toEqual({
      enabled: true,
      adaptive: false,
      backupCodesLeft: 10,
      methods: [
        {
          id: body.methodId,
          type: 'PASSKEY',
          name: 'Passkey',
          verified: true,
          enabled: true,
          createdAt: expect.stringMatching(/Z$/),
          lastUsedAt: null,
          aaguid: '00000000-0000-0000-0000-000000000000',
          provider: null,
          backedUp: false,
          signsIn: true,
          credentialId: expect.stringMatching(/^[\w-]{43}$/),
        },
        expect.objectContaining({ type: 'BACKUP_CODE', verified: true }),
      ],
    })
    expect((await call('GET', 'me', user)).body.mfa).toMatchObject({ enabled: true })
    expect((await beginLogIn(service, user)).mfaMethods.toSorted()).toEqual(['BACKUP_CODE', 'PASSKEY'])
  })

  it('registers several, named by the user or after the authenticator, with backup codes only for the first', async () => {
    const named = await enroll(await create(), user, 'Laptop')
    const model = await enroll(await create({}, { aaguid: YUBIKEY, userVerification: false }))
    const synchronized = await enroll(await create({}, { backedUp: true, counter: 'zero' }), user, 'Phone')
    expect(named.body.backupCodes).toHaveLength(10)
    for (const { body } of [model, synchronized]) expect(Object.keys(body).sort()).toEqual(['methodId', 'success'])
    const passkeys = (await methodsOf()).filter(({ type }: { type: string }) => type === 'PASSKEY')
    expect(passkeys).toMatchObject([
      { id: named.body.methodId, name: 'Laptop', provider: null, backedUp: false },
      { id: model.body.methodId, name: 'YubiKey 5', provider: 'YubiKey 5', aaguid: YUBIKEY, backedUp: false },
      { id: synchronized.body.methodId, name: 'Phone', provider: null, backedUp: true },
    ])
  })

  it('keeps the backup codes of an app', async () => {
    await enrollApp(service, user)
    const { body } = await enroll(await create())
    expect(body).not.toHaveProperty('backupCodes')
    expect((await call('GET', 'mfa/status', user)).body.backupCodesLeft).toBe(10)
  })

  it('notifies the owner by mail, and records successes and failures', async () => {
    await enroll(await create({ origin: 'https://evil.example' }))
    const { body } = await enroll(await create({}, { backedUp: true }), user, 'Phone')
    const mails = (await service.mails(user.email)).filter(({ kind }) => kind === 'factor_changed')
    expect(mails).toMatchObject([{ subject: 'A second factor was added at Keyward' }])
    expect(mails[0]?.text).toContain('"Phone" can now be used to sign in')
    expect(await recorded()).toEqual([
      { action: 'factor.enrolled', result: 'FAILURE', resource: `user:${user.id}`, metadata: { type: 'PASSKEY' } },
      {
        action: 'factor.enrolled',
        result: 'SUCCESS',
        resource: `factor:${body.methodId}`,
        metadata: { type: 'PASSKEY', name: 'Phone', userVerified: true, backedUp: true },
      },
    ])
  })

  it('requires a recent sign-in, and accepts the challenge for five minutes', async () => {
    await service.clock.advance(14 * MINUTE)
    const { body } = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: user.refreshToken } })
    const credential = createAuthenticator().create(await options({ token: body.accessToken }))
    await service.clock.advance(2 * MINUTE)
    expectError(await enroll(credential, { token: body.accessToken }), 403, 'reauthentication_required')
    const again = await call('POST', 'reauthenticate', { token: body.accessToken }, { password: user.password })
    expect(again.status).toBe(200)
    expect((await enroll(credential, { token: body.accessToken })).status).toBe(200)
  })

  it('rejects more than twenty factors, including pending ones', async () => {
    await atOnce(20, () => startApp(service, user))
    expectError(await enroll(await create()), 409, 'too_many_factors')
  })

  it('registers once across concurrent requests', async () => {
    const credential = await create()
    const answers = await atOnce(20, () => enroll(credential))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)])
    expect(await methodsOf()).toHaveLength(2)
  })

  describe('with an invalid attestation', () => {
    type Case = [what: string, tamper: Tamper]
    it.each<Case>([
      ['a response for another origin', { origin: 'https://evil.example' }],
      ['a response for another port of the host', { origin: 'http://localhost:3001' }],
      ['a response for another scheme of the host', { origin: 'https://localhost:3000' }],
      ['a response for another RP ID', { rpId: 'evil.example' }],
      ['the type webauthn.get', { type: 'webauthn.get' }],
      ['an ID that differs from the raw ID', { rawId: ELSEWHERE }],
      ['no user presence', { userPresent: false }],
      ['a cross-origin response', { crossOrigin: true }],
      ['a key of an algorithm that was not requested', { algorithm: -65_535 }],
      ['an attestation that was not requested', { format: 'apple' }],
      ['an attestation of an unknown format', { format: 'x' }],
      ['an empty credential ID', { credentialId: Buffer.alloc(0) }],
      ['a credential ID that is too short', { credentialId: Buffer.alloc(15, 1) }],
      ['a credential ID that is too long', { credentialId: Buffer.alloc(1_024, 1) }],
      ['a credential ID that is too long for the index', { credentialId: randomBytes(24_000) }],
    ])('rejects and records %s, and uses the challenge', async (_, tamper) => {
      const ask = await options()
      const before = await dumpState(service)
      const authenticator = createAuthenticator()
      // The credential ID must not exceed the maximum length of the schema.
      const short = tamper.credentialId && { id: 'AAAA', rawId: 'AAAA' }
      expectError(await enroll(authenticator.create(ask, { ...short, ...tamper })), 400, 'passkey_invalid')
      const { answered_challenges: answeredBefore, ...rest } = before
      const { answered_challenges: answered, ...after } = await dumpState(service)
      expect(after).toEqual(rest)
      expect(answered).toHaveLength((answeredBefore?.length ?? 0) + 1)
      expect(await recorded()).toMatchObject([{ action: 'factor.enrolled', result: 'FAILURE' }])
      expectError(await enroll(createAuthenticator().create(ask)), 400, 'passkey_invalid')
      expect(await methodsOf()).toEqual([])
    })
  })

  it('accepts credential IDs of 16 to 1,023 bytes', async () => {
    for (const length of [16, 1_023]) {
      const credentialId = Buffer.alloc(length, user.id)
      expect((await enroll(await create({ credentialId }))).status).toBe(200)
      expect((await methodsOf()).map((method: { credentialId?: string }) => method.credentialId)).toContain(
        credentialId.toString('base64url'),
      )
    }
  })

  it.each<[what: string, challenge: () => Promise<string>]>([
    ['of another user', async () => (await options(await registerUser(service))).challenge],
    ['of another session of the same user', async () => (await options(await logIn(service, user))).challenge],
    ['for a sign-in', async () => (await service.api('POST', '/api/v1/auth/passkey/options')).body.challenge],
    [
      'for a reauthentication',
      async () => {
        await enrollPasskey(service, user)
        return (await call('POST', 'reauthenticate/options', user)).body.challenge
      },
    ],
    [
      'for a second factor',
      async () => {
        await enrollPasskey(service, user)
        const { mfaToken } = await beginLogIn(service, user)
        const body = { mfaToken }
        return (await service.api('POST', '/api/v1/auth/mfa/passkey/challenge/options', { body })).body.challenge
      },
    ],
    [
      'with a later expiry',
      async () => {
        const altered = Buffer.from((await options()).challenge, 'base64url')
        const end = altered.length - 32 - 8
        altered.writeBigUInt64BE(altered.readBigUInt64BE(end) + 1n, end)
        return altered.toString('base64url')
      },
    ],
    [
      'with one flipped bit in its HMAC',
      async () => {
        const altered = Buffer.from((await options()).challenge, 'base64url')
        altered.writeUInt8((altered.at(-1) ?? 0) ^ 1, altered.length - 1)
        return altered.toString('base64url')
      },
    ],
    ['in another encoding', async () => `${(await options()).challenge}=`],
    ['that is truncated', async () => (await options()).challenge.slice(0, -4)],
    ['that is unknown', async () => ELSEWHERE],
    ['that is empty', async () => ''],
  ])('rejects a challenge %s', async (_, challengeOf) => {
    const challenge = await challengeOf()
    const before = await dumpState(service)
    expectError(await enroll(await create({ challenge })), 400, 'passkey_invalid')
    expect(await dumpState(service)).toEqual(before)
    expect((await enroll(await create())).status).toBe(200)
  })

  it('rejects a challenge that was used before, with or without success', async () => {
    const ask = await options()
    const wrong = createAuthenticator().create(ask, { userPresent: false })
    expectError(await enroll(wrong), 400, 'passkey_invalid')
    expectError(await enroll(createAuthenticator().create(ask)), 400, 'passkey_invalid')
    const fresh = await options()
    expect((await enroll(createAuthenticator().create(fresh))).status).toBe(200)
    expectError(await enroll(createAuthenticator().create(fresh)), 400, 'passkey_invalid')
    expect(await methodsOf()).toHaveLength(2)
  })

  it('rejects a challenge older than five minutes', async () => {
    const [early, late] = [await create(), await create()]
    await service.clock.advance(5 * MINUTE - 10_000)
    expect((await enroll(early)).status).toBe(200)
    await service.clock.advance(11_000)
    expectError(await enroll(late), 400, 'passkey_invalid')
  })

  it('rejects a challenge of an ended session, also in the next one', async () => {
    const credential = await create()
    await call('POST', 'logout', user)
    expectError(await enroll(credential), 401, 'invalid_access_token')
    expectError(await enroll(credential, await logIn(service, user)), 400, 'passkey_invalid')
  })

  it.each(['the same account', 'another account'])(
    'rejects and records a credential that %s has, and uses the challenge',
    async (whose) => {
      const credentialId = Buffer.from(user.id.repeat(2)).subarray(0, 40)
      const owner = whose === 'the same account' ? user : await registerUser(service)
      const authenticator = createAuthenticator()
      const first = authenticator.create(await options(owner), { credentialId })
      expect((await enroll(first, owner)).status).toBe(200)
      const ask = { ...(await options()), excludeCredentials: [] }
      const before = await dumpState(service)
      expectError(await enroll(createAuthenticator().create(ask, { credentialId })), 409, 'passkey_exists')
      const { answered_challenges: _, ...after } = await dumpState(service)
      const { answered_challenges: __, ...rest } = before
      expect(after).toEqual(rest)
      expect(await recorded()).toContainEqual(
        expect.objectContaining({ action: 'factor.enrolled', result: 'FAILURE', resource: `user:${user.id}` }),
      )
      expectError(await enroll(createAuthenticator().create(ask)), 400, 'passkey_invalid')
      // The passkey still signs in its owner.
      const proof = authenticator.get((await service.api('POST', '/api/v1/auth/passkey/options')).body)
      const { body } = await service.api('POST', '/api/v1/auth/passkey/verify', { body: { credential: proof } })
      expect(body.user.id).toBe(owner.id)
    },
  )

  it('registers one credential for one of two concurrent accounts', async () => {
    const other = await registerUser(service)
    const credentialId = Buffer.from(user.id)
    const both = await Promise.all(
      [user, other].map(async (by) => ({
        by,
        credential: createAuthenticator().create(await options(by), { credentialId }),
      })),
    )
    const answers = await Promise.all(both.map(({ by, credential }) => enroll(credential, by)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  describe('with a malformed field', () => {
    const deep = (byte: number) => bytes(Buffer.alloc(24_000, byte))
    const GARBAGE: Record<string, unknown[]> = {
      id: ['', '%%%', 'A'.repeat(3_000), 7, null, [], {}, '\u0000'],
      rawId: ['', 'AA==', 'A'.repeat(3_000), 7, null, []],
      type: ['', 'password', null, 7],
      response: [null, 7, 'x', [], {}],
      'response.clientDataJSON': [
        ...['', '{}', 7, null, [], 'A'.repeat(20_000), '\u0000'],
        ...[
          'null',
          '7',
          '"x"',
          '[]',
          '{}',
          '{"challenge":7}',
          '{"challenge":null}',
          '{"__proto__":1}',
          '{',
          '\u0000',
        ].map((text) => bytes(text)),
      ],
      'response.attestationObject': [
        ...['', '%', 7, null, [], 'A'.repeat(45_000)],
        ...[
          'AAAA',
          bytes(0xa0),
          bytes(0xff),
          bytes(0xf6),
          bytes(0x80),
          bytes(0x60),
          bytes(0x1a),
          bytes('not CBOR at all'),
        ],
        // Deeply nested, and with an excessive declared length.
        ...[deep(0x81), deep(0xa1), deep(0xc6), bytes(0x9b, Buffer.alloc(8, 0xff)), bytes(0x5b, Buffer.alloc(8, 0x7f))],
        bytes(0xbb, Buffer.alloc(8, 0x7f)),
        // { fmt, attStmt, authData } of the wrong kinds.
        bytes(0xa1, 0x63, 'fmt', 0x64, 'none'),
        bytes(0xa3, 0x63, 'fmt', 0x64, 'none', 0x67, 'attStmt', 0xa0, 0x68, 'authData', 0x40),
        bytes(0xa3, 0x63, 'fmt', 0x64, 'none', 0x67, 'attStmt', 0xf6, 0x68, 'authData', 0x01),
        bytes(0xa3, 0x63, 'fmt', 0xf6, 0x67, 'attStmt', 0xa0, 0x68, 'authData', 0x58, 37, Buffer.alloc(37, 0xff)),
      ],
      'response.transports': [7, null, 'usb', [7], [null], Array(21).fill('usb'), ['x'.repeat(51)]],
    }
    it.each(Object.entries(GARBAGE))('rejects %s', async (field, values) => {
      const [part = '', inner] = field.split('.')
      for (const value of values) {
        const credential = (await create()) as unknown as Record<string, Record<string, unknown>>
        const changed = inner ? { ...credential[part], [inner]: value } : value
        const answer = await enroll({ ...credential, [part]: changed })
        expect(answer.status, `${JSON.stringify(value)?.slice(0, 60)} answered ${answer.text}`).toBe(400)
        expect(['passkey_invalid', 'invalid_request']).toContain(answer.body.code)
      }
      for (const credential of [undefined, null, 7, 'x', [], {}])
        expectError(await enroll(credential), 400, 'invalid_request')
      expect(await methodsOf()).toEqual([])
    })

    it('rejects a malformed name', async () => {
      for (const name of ['', ' ', 'x'.repeat(300), 7, null, '\u0000', '\u202e'])
        expectError(
          await call('POST', 'mfa/passkey/enroll', user, { credential: await create(), name }),
          400,
          'invalid_request',
        )
    })

    it('omits unknown transports', async () => {
      const credential = await create()
      credential.response.transports = ['usb', 'telepathy'] as never
      expect((await enroll(credential)).status).toBe(200)
      expect((await options()).excludeCredentials).toMatchObject([{ transports: ['usb'] }])
    })
  })
})
