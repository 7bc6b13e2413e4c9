import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Authenticator, createAuthenticator, type Tamper } from '../../../../test/factories/authenticator.js'
import {
  atOnce,
  claimsOf,
  comparable,
  expectError,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import {
  type App,
  beginLogIn,
  completeChallengeWithCode,
  enrollPasskey,
  registerWithApp,
} from '../../../../test/factories/factors.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { MINUTE } from '../../../platform/clock.js'

const ELSEWHERE = Buffer.from('somewhere else').toString('base64url')

describe('POST /auth/reauthenticate', () => {
  let service: TestService
  let user: TestUser
  let app: App
  let authenticator: Authenticator
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    ;({ user, app } = await registerWithApp(service))
    ;({ authenticator } = await enrollPasskey(service, user))
  })

  type By = Pick<TestUser, 'token'>
  const prove = (body: unknown, by: By = user) =>
    service.api('POST', '/api/v1/auth/reauthenticate', { token: by.token, body })
  const ask = async (by: By = user) =>
    (await service.api('POST', '/api/v1/auth/reauthenticate/options', { token: by.token })).body
  const byPasskey = async (tamper: Tamper = {}, by: By = user) =>
    prove({ credential: authenticator.get(await ask(by), tamper) }, by)
  /** An action that requires a recent sign-in. */
  const act = (by: By) =>
    service.api('POST', '/api/v1/auth/mfa/adaptive/toggle', { token: by.token, body: { enabled: false } })
  async function refresh({ refreshToken }: Pick<TestUser, 'refreshToken'>) {
    const { body } = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken } })
    return { token: body.accessToken as string, refreshToken: body.refreshToken as string }
  }
  /** A session that is no longer recent. */
  async function grow() {
    await service.clock.advance(16 * MINUTE)
    const by = await refresh(user)
    expectError(await act(by), 403, 'reauthentication_required')
    return by
  }
  const logIn = () =>
    service.api('POST', '/api/v1/auth/login', { body: { email: user.email, password: user.password } })
  const entries = () =>
    service.sql(
      `SELECT result, resource, metadata FROM audit_entries WHERE user_id = $1 AND action = 'user.reauthenticated' ORDER BY id`,
      [user.id],
    )

  it('returns request options for the passkeys of the caller', async () => {
    const body = await ask()
    expect(body).toEqual({
      challenge: expect.stringMatching(/^[\w-]{80,}$/),
      rpId: 'localhost',
      timeout: 5 * MINUTE,
      userVerification: 'preferred',
      allowCredentials: [{ id: expect.any(String), type: 'public-key', transports: ['hybrid', 'internal'] }],
    })
    const other = await registerUser(service)
    const answer = await service.api('POST', '/api/v1/auth/reauthenticate/options', { token: other.token })
    expectError(answer, 409, 'no_passkey')
  })

  it.each<[how: string, proof: (by: By) => Promise<unknown>, amr: string[]]>([
    ['the password', async () => ({ password: user.password }), ['pwd']],
    ['a code of an app', async () => ({ code: app.code() }), ['otp', 'mfa']],
    [
      'a code of an app with spaces',
      async () => ({ code: ` ${app.code().slice(0, 3)}-${app.code().slice(3)}` }),
      ['otp', 'mfa'],
    ],
    ['a backup code', async () => ({ code: app.backupCodes[0], isBackupCode: true }), ['otp', 'mfa']],
    ['a passkey', async (by) => ({ credential: authenticator.get(await ask(by)) }), ['hwk', 'user', 'mfa']],
    [
      'a passkey without user verification',
      async (by) => ({ credential: authenticator.get(await ask(by), { userVerified: false }) }),
      ['hwk', 'mfa'],
    ],
  ])('allows actions that require a recent sign-in for 15 minutes after %s, and records it', async (_, proof, amr) => {
    const by = await grow()
    const { status, body } = await prove(await proof(by), by)
    expect([status, body]).toEqual([200, { message: expect.any(String), authenticatedAt: expect.stringMatching(/Z$/) }])
    expect((await act(by)).status).toBe(200)
    const { sid } = claimsOf(by.token)
    const [session] = await service.sql<{ amr: string[] }>('SELECT amr FROM sessions WHERE id = $1', [sid])
    expect(session?.amr).toEqual(expect.arrayContaining(['pwd', ...amr]))
    expect((await entries()).at(-1)).toEqual({ result: 'SUCCESS', resource: `session:${sid}`, metadata: { amr } })
    await service.clock.advance(14 * MINUTE)
    expect((await act(by)).status).toBe(200)
    await service.clock.advance(2 * MINUTE)
    expectError(await act(await refresh(by)), 403, 'reauthentication_required')
  })

  it.each<[what: string, proof: () => Promise<unknown>, code: string]>([
    ['a wrong password', async () => ({ password: 'not the password' }), 'wrong_password'],
    ['a code of another time', async () => ({ code: app.code(50) }), 'mfa_invalid'],
    ['an unknown backup code', async () => ({ code: '33333333', isBackupCode: true }), 'mfa_invalid'],
    ['a code of an app as a backup code', async () => ({ code: app.code(), isBackupCode: true }), 'mfa_invalid'],
    [
      'the passkey of another account',
      async () => {
        const theirs = await enrollPasskey(service, await registerUser(service))
        const { challenge, rpId } = await ask()
        return { credential: theirs.authenticator.get({ challenge, rpId }) }
      },
      'passkey_invalid',
    ],
    ...(
      [
        ['for another origin', { origin: 'https://evil.example' }],
        ['for another RP ID', { rpId: 'evil.example' }],
        ['of type webauthn.create', { type: 'webauthn.create' }],
        ['without user presence', { userPresent: false }],
        ['that names another user', { userHandle: ELSEWHERE }],
        ['signed by another key', { signature: 'of another key' }],
        ['with an ID that differs from the raw ID', { rawId: ELSEWHERE }],
        ['for an unknown challenge', { challenge: ELSEWHERE }],
      ] satisfies [string, Tamper][]
    ).map(([what, tamper]): [string, () => Promise<unknown>, string] => [
      `a passkey assertion ${what}`,
      async () => ({ credential: authenticator.get(await ask(), tamper) }),
      'passkey_invalid',
    ]),
  ])('rejects and records %s, and changes nothing', async (_, proof, code) => {
    const body = await proof()
    const { answered_challenges: __, ...before } = await dumpState(service)
    expectError(await prove(body), 403, code)
    const { answered_challenges: ___, ...after } = await dumpState(service)
    expect(after).toEqual(before)
    expect(await entries()).toMatchObject([
      { result: 'FAILURE', resource: `user:${user.id}`, metadata: { reason: expect.stringMatching(/^wrong/) } },
    ])
  })

  it.each<[what: string, body: unknown]>([
    ['nothing', {}],
    ['a flag alone', { isBackupCode: true }],
    ['a malformed code', { code: '12345' }],
    ['letters instead of digits', { code: 'abcdef' }],
    ['a malformed backup code', { code: 'AB', isBackupCode: true }],
    ['an empty code', { code: '' }],
    ['a number as the code', { code: 123456 }],
    ['a string as the credential', { credential: 'x' }],
    ['an incomplete credential', { credential: { id: 'AAAA' } }],
    ['a number as the password', { password: 7 }],
  ])('rejects %s without counting it', async (_, body) => {
    for (let time = 0; time < 12; time++) expectError(await prove(body), 400, 'invalid_request')
    expect(await entries()).toEqual([])
    expect((await prove({ code: app.code() })).status).toBe(200)
  })

  it('accepts a code once across reauthentication and sign-in', async () => {
    const code = app.code()
    expect((await prove({ code })).status).toBe(200)
    expectError(await prove({ code }), 403, 'mfa_invalid')
    const { mfaToken } = await beginLogIn(service, user)
    expectError(await completeChallengeWithCode(service, mfaToken, code), 401, 'mfa_invalid')
    const backup = { code: app.backupCodes[1], isBackupCode: true }
    const answers = await atOnce(20, () => prove(backup))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it.each<[what: string, challenge: () => Promise<string>]>([
    [
      'of another session of the same user',
      async () => {
        const { mfaToken } = await beginLogIn(service, user)
        const { body } = await completeChallengeWithCode(service, mfaToken, app.code())
        return (await ask({ token: body.accessToken })).challenge
      },
    ],
    [
      'of another user',
      async () => {
        const other = await registerUser(service)
        await enrollPasskey(service, other)
        return (await ask(other)).challenge
      },
    ],
    ['for a sign-in', async () => (await service.api('POST', '/api/v1/auth/passkey/options')).body.challenge],
    [
      'for a challenge at sign-in',
      async () => {
        const { mfaToken } = await beginLogIn(service, user)
        const path = '/api/v1/auth/mfa/passkey/challenge/options'
        return (await service.api('POST', path, { body: { mfaToken } })).body.challenge
      },
    ],
    [
      'for an enrollment',
      async () => (await service.api('GET', '/api/v1/auth/mfa/passkey/options', { token: user.token })).body.challenge,
    ],
  ])('rejects a challenge %s', async (_, challengeOf) => {
    expectError(await byPasskey({ challenge: await challengeOf() }), 403, 'passkey_invalid')
    expect((await byPasskey()).status).toBe(200)
  })

  it('accepts a challenge once, for five minutes', async () => {
    const credential = authenticator.get(await ask())
    const answers = await atOnce(5, () => prove({ credential }))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403])
    const late = authenticator.get(await ask())
    await service.clock.advance(5 * MINUTE + 1_000)
    expectError(await prove({ credential: late }), 403, 'passkey_invalid')
  })

  it('counts failures with those of the sign-in: ten lock the account for codes and passwords', async () => {
    const reference = await prove({ code: app.code(50) })
    for (let wrong = 0; wrong < 3; wrong++) await prove({ code: app.code(50) })
    for (let wrong = 0; wrong < 3; wrong++) await byPasskey({ signature: 'of another key' })
    for (let wrong = 0; wrong < 3; wrong++) await prove({ code: '33333333', isBackupCode: true })
    expectError(await logIn(), 401, 'invalid_credentials')
    const right = await prove({ code: app.code() })
    expectError(right, 403, 'mfa_invalid')
    expect(comparable(right)).toEqual(comparable(reference))
    expectError(await prove({ password: user.password }), 403, 'wrong_password')
    const locks = await service.sql("SELECT 1 FROM audit_entries WHERE user_id = $1 AND action = 'user.locked'", [
      user.id,
    ])
    expect(locks).toHaveLength(1)
    // A passkey cannot be guessed.
    expect((await byPasskey()).status).toBe(200)
    await service.clock.advance(15 * MINUTE)
    expect((await logIn()).body.mfaRequired).toBe(true)
  })

  it('resets the failures of the account on success', async () => {
    for (let round = 0; round < 2; round++) {
      for (let wrong = 0; wrong < 9; wrong++) await prove({ code: app.code(50) })
      expect((await byPasskey()).status).toBe(200)
    }
  })

  it('rejects and records a decreased signature counter, and notifies the owner', async () => {
    for (let use = 0; use < 2; use++) expect((await byPasskey()).status).toBe(200)
    expectError(await byPasskey({ counter: 1 }), 403, 'passkey_invalid')
    const suspected = await service.sql(
      "SELECT 1 FROM audit_entries WHERE user_id = $1 AND action = 'factor.clone_suspected'",
      [user.id],
    )
    expect(suspected).toHaveLength(1)
    expect((await byPasskey()).status).toBe(200)
  })

  it('stores in the session whether the passkey is synchronized and verified its user', async () => {
    authenticator = createAuthenticator({ backedUp: true, counter: 'zero', userVerification: false })
    await enrollPasskey(service, user, authenticator)
    expect((await byPasskey()).status).toBe(200)
    expect((await entries()).at(-1)).toMatchObject({ metadata: { amr: ['swk', 'mfa'] } })
  })

  it('rejects factors that the account does not have, and an API token', async () => {
    const other = await registerUser(service)
    expectError(await prove({ code: '123456' }, other), 403, 'mfa_invalid')
    expectError(await prove({ code: 'ABCDEFGH', isBackupCode: true }, other), 403, 'mfa_invalid')
    const wanted = { name: 'Script', scopes: ['org:read'] }
    const { body } = await service.api('POST', '/api/v1/api-tokens', { token: other.token, body: wanted })
    expectError(await prove({ password: other.password }, body), 403, 'session_required')
    expectError(await service.api('POST', '/api/v1/auth/reauthenticate', { body: {} }), 401, 'unauthorized')
  })
})
