import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Authenticator, createAuthenticator, type Tamper } from '../../../../test/factories/authenticator.js'
import {
  atOnce,
  CONCURRENT,
  claimsOf,
  expectError,
  expectSession,
  registerUser,
  requestToken,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import {
  beginLogIn,
  completeChallengeWithCode,
  completeChallengeWithPasskey,
  enrollApp,
  enrollPasskey,
  registerWithPasskey,
} from '../../../../test/factories/factors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { MINUTE } from '../../../platform/clock.js'

const OTHER_VALUE = Buffer.from('somewhere else').toString('base64url')

describe('second factor: passkey', () => {
  let service: TestService
  let user: TestUser
  let authenticator: Authenticator
  let methodId: string
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    ;({ user, authenticator, methodId } = await registerWithPasskey(service))
  })

  const post = (path: string, body?: unknown, token?: string) =>
    service.api('POST', `/api/v1/auth/${path}`, { body, token })
  const beginSignIn = async (by = user): Promise<string> => (await beginLogIn(service, by)).mfaToken
  const requestOptions = (mfaToken: string) => post('mfa/passkey/challenge/options', { mfaToken })
  const verify = (mfaToken: string, credential: unknown) =>
    post('mfa/passkey/challenge/verify', { mfaToken, credential })
  const completeChallenge = (mfaToken: string, tamper?: Tamper, by = authenticator) =>
    completeChallengeWithPasskey(service, mfaToken, by, ...(tamper ? [tamper] : []))
  const entries = (action: string) =>
    service.sql('SELECT result, resource, metadata FROM audit_entries WHERE user_id = $1 AND action = $2 ORDER BY id', [
      user.id,
      action,
    ])

  it('returns request options that list only the passkeys of the account', async () => {
    const second = await enrollPasskey(
      service,
      user,
      createAuthenticator({ aaguid: 'd8522d9f-575b-4866-88a9-ba99fa02f35b' }),
    )
    await enrollPasskey(service, await registerUser(service))
    const mfaToken = await beginSignIn()
    const { status, body } = await requestOptions(mfaToken)
    expect(status).toBe(200)
    const { body: mfa } = await service.api('GET', '/api/v1/auth/mfa/status', { token: user.token })
    const ids = [methodId, second.methodId].map(
      (id) => mfa.methods.find((method: { id: string }) => method.id === id).credentialId,
    )
    expect(body).toEqual({
      challenge: expect.stringMatching(/^[\w-]{80,}$/),
      rpId: 'localhost',
      timeout: 5 * MINUTE,
      userVerification: 'preferred',
      allowCredentials: ids.map((id) => ({ id, type: 'public-key', transports: ['hybrid', 'internal'] })),
    })
    expect((await requestOptions(mfaToken)).body.challenge).not.toBe(body.challenge)
  })

  it.each<[verification: string, tamper: Tamper, amr: string[]]>([
    ['with user verification', {}, ['pwd', 'hwk', 'user', 'mfa']],
    ['without user verification', { userVerified: false }, ['pwd', 'hwk', 'mfa']],
  ])('completes a password sign-in with a passkey %s', async (_, tamper, amr) => {
    const { status, body } = await completeChallenge(await beginSignIn(), tamper)
    expect(status).toBe(200)
    await expectSession(service, body.accessToken, 'active')
    const { sid } = claimsOf(body.accessToken)
    expect(await service.sql('SELECT method, amr FROM sessions WHERE id = $1', [sid])).toEqual([
      { method: 'password', amr },
    ])
    expect((await entries('user.login')).at(-1)).toMatchObject({
      result: 'SUCCESS',
      resource: `session:${sid}`,
      metadata: { method: 'password', amr, factor: { id: methodId, type: 'PASSKEY' } },
    })
  })

  it('completes a sign-in with a mailed link', async () => {
    await verifyEmailAddress(service, user)
    const { body } = await post('verify', { token: await requestToken(service, 'magic_link', user.email) })
    expect(body).toMatchObject({ mfaRequired: true, mfaMethods: expect.arrayContaining(['PASSKEY']) })
    const completed = await completeChallenge(body.mfaToken, { userVerified: false })
    expect(completed.status).toBe(200)
    expect((await entries('user.login')).at(-1)).toMatchObject({ metadata: { method: 'magic_link' } })
  })

  it('accepts an assertion without a user handle, which security keys omit', async () => {
    const mfaToken = await beginSignIn()
    const credential = authenticator.get((await requestOptions(mfaToken)).body)
    const { userHandle: _, ...response } = credential.response
    expect((await verify(mfaToken, { ...credential, response })).status).toBe(200)
  })

  it.each<[what: string, tamper: Tamper]>([
    ['an assertion for another origin', { origin: 'https://evil.example' }],
    ['an assertion for another RP ID', { rpId: 'evil.example' }],
    ['the type webauthn.create', { type: 'webauthn.create' }],
    ['a cross-origin assertion', { crossOrigin: true }],
    ['no user presence', { userPresent: false }],
    ['the handle of another user', { userHandle: OTHER_VALUE }],
    ['the signature of another key', { signature: 'of another key' }],
    ['an ID that differs from the raw ID', { rawId: OTHER_VALUE }],
    ['a changed backup state', { backedUp: true }],
    ['an unknown challenge', { challenge: OTHER_VALUE }],
  ])('rejects and records %s, and keeps the sign-in pending', async (_, tamper) => {
    const mfaToken = await beginSignIn()
    expectError(await completeChallenge(mfaToken, tamper), 401, 'mfa_invalid')
    expect(await entries('user.challenge_failed')).toEqual([
      {
        result: 'FAILURE',
        resource: `user:${user.id}`,
        metadata: { method: 'password', factor: 'PASSKEY', reason: 'wrong' },
      },
    ])
    expect((await completeChallenge(mfaToken)).status).toBe(200)
  })

  it('rejects a passkey of another account', async () => {
    const other = await registerUser(service)
    const foreign = await enrollPasskey(service, other)
    const mfaToken = await beginSignIn()
    const { challenge, rpId } = (await requestOptions(mfaToken)).body
    const { userHandle } = authenticator.get({ challenge, rpId }).response
    for (const tamper of [{}, userHandle ? { userHandle } : {}])
      expectError(await verify(mfaToken, foreign.authenticator.get({ challenge, rpId }, tamper)), 401, 'mfa_invalid')
    expect((await completeChallenge(mfaToken)).status).toBe(200)
  })

  it.each<[what: string, challenge: () => Promise<string>]>([
    ['of another sign-in of the same user', async () => (await requestOptions(await beginSignIn())).body.challenge],
    ['for a passwordless sign-in', async () => (await post('passkey/options')).body.challenge],
    [
      'for a reauthentication',
      async () => (await post('reauthenticate/options', undefined, user.token)).body.challenge,
    ],
    [
      'for an enrollment',
      async () => (await service.api('GET', '/api/v1/auth/mfa/passkey/options', { token: user.token })).body.challenge,
    ],
  ])('rejects a challenge %s', async (_, challengeOf) => {
    const mfaToken = await beginSignIn()
    expectError(await completeChallenge(mfaToken, { challenge: await challengeOf() }), 401, 'mfa_invalid')
    expect((await completeChallenge(mfaToken)).status).toBe(200)
  })

  it('rejects a challenge of another sign-in and keeps it valid for its own', async () => {
    const [first, second] = [await beginSignIn(), await beginSignIn()]
    const credential = authenticator.get((await requestOptions(first)).body)
    expectError(await verify(second, credential), 401, 'mfa_invalid')
    expect((await verify(first, credential)).status).toBe(200)
  })

  it('redeems a challenge only once, even if the assertion is invalid', async () => {
    const mfaToken = await beginSignIn()
    const { body: options } = await requestOptions(mfaToken)
    expectError(await verify(mfaToken, authenticator.get(options, { userPresent: false })), 401, 'mfa_invalid')
    expectError(await verify(mfaToken, authenticator.get(options)), 401, 'mfa_invalid')
    expect((await completeChallenge(mfaToken)).status).toBe(200)
  })

  it('revokes the pending sign-in after a total of five wrong codes and assertions', async () => {
    const mfaToken = await beginSignIn()
    const { body: options } = await requestOptions(mfaToken)
    for (let wrong = 0; wrong < 3; wrong++)
      expectError(await completeChallenge(mfaToken, { signature: 'of another key' }), 401, 'mfa_invalid')
    for (let wrong = 0; wrong < 2; wrong++)
      expectError(await completeChallengeWithCode(service, mfaToken, '000000'), 401, 'mfa_invalid')
    expectError(await verify(mfaToken, authenticator.get(options)), 400, 'mfa_expired')
    expectError(await requestOptions(mfaToken), 400, 'mfa_expired')
    expect((await completeChallenge(await beginSignIn())).status).toBe(200)
  })

  it('starts one session for many concurrent submissions of the same assertion', async () => {
    const mfaToken = await beginSignIn()
    const credential = authenticator.get((await requestOptions(mfaToken)).body)
    const answers = await atOnce(CONCURRENT, () => verify(mfaToken, credential))
    expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([
      200,
      ...Array(CONCURRENT - 1).fill('mfa_expired'),
    ])
    const sessions = await service.sql('SELECT id FROM sessions WHERE user_id = $1 AND ended_at IS NULL', [user.id])
    expect(sessions).toHaveLength(2)
  })

  it('revokes the pending sign-in at the fifth of twenty concurrent invalid assertions', async () => {
    const mfaToken = await beginSignIn()
    const credentials: unknown[] = []
    for (let one = 0; one < 20; one++)
      credentials.push(authenticator.get((await requestOptions(mfaToken)).body, { signature: 'of another key' }))
    const answers = await atOnce(20, (index) => verify(mfaToken, credentials[index]))
    expect(answers.map(({ body }) => body.code).sort()).toEqual([
      ...Array(15).fill('mfa_expired'),
      ...Array(5).fill('mfa_invalid'),
    ])
  })

  it('accepts a passkey while failed passwords have locked the account', async () => {
    const mfaToken = await beginSignIn()
    for (let failure = 0; failure < 10; failure++)
      await post('login', { email: user.email, password: 'not the password' })
    expectError(await completeChallenge(mfaToken, { signature: 'of another key' }), 401, 'mfa_invalid')
    expect((await completeChallenge(mfaToken)).status).toBe(200)
  })

  it('rejects and records a lower signature counter, and notifies the user', async () => {
    for (let use = 0; use < 2; use++) expect((await completeChallenge(await beginSignIn())).status).toBe(200)
    expectError(await completeChallenge(await beginSignIn(), { counter: 1 }), 401, 'mfa_invalid')
    expect(await entries('factor.clone_suspected')).toMatchObject([
      { result: 'DENIED', resource: `factor:${methodId}` },
    ])
    const mails = await service.mails(user.email)
    expect(mails.filter(({ subject }) => subject.startsWith('A passkey may'))).toHaveLength(1)
    expect((await completeChallenge(await beginSignIn())).status).toBe(200)
  })

  it('returns request options only for a pending sign-in to an account with a passkey', async () => {
    for (const token of ['unknown', '', user.token.slice(0, 43)])
      expectError(await requestOptions(token), 400, 'mfa_expired')
    const mfaToken = await beginSignIn()
    expect((await completeChallenge(mfaToken)).status).toBe(200)
    expectError(await requestOptions(mfaToken), 400, 'mfa_expired')
    const other = await registerUser(service)
    await enrollApp(service, other)
    expectError(await requestOptions(await beginSignIn(other)), 409, 'no_passkey')
    const late = await beginSignIn()
    await service.clock.advance(5 * MINUTE + 1_000)
    expectError(await requestOptions(late), 400, 'mfa_expired')
  })

  it('rejects a passkey that was removed during the challenge', async () => {
    await enrollApp(service, user)
    const mfaToken = await beginSignIn()
    const credential = authenticator.get((await requestOptions(mfaToken)).body)
    await service.api('DELETE', `/api/v1/auth/mfa/methods/${methodId}`, { token: user.token })
    expectError(await verify(mfaToken, credential), 401, 'mfa_invalid')
  })

  it('rejects a passkey of a suspended account', async () => {
    const mfaToken = await beginSignIn()
    await service.sql("UPDATE users SET status = 'suspended' WHERE id = $1", [user.id])
    expectError(await completeChallenge(mfaToken), 403, 'account_suspended')
  })

  it('rejects a malformed assertion without counting a failed attempt', async () => {
    const mfaToken = await beginSignIn()
    const good = authenticator.get((await requestOptions(mfaToken)).body)
    for (const credential of [
      undefined,
      null,
      7,
      [],
      {},
      { ...good, id: '%' },
      { ...good, type: 'x' },
      { ...good, response: {} },
    ])
      expectError(await verify(mfaToken, credential), 400, 'invalid_request')
    for (const token of [undefined, null, 7, 'x'.repeat(600)])
      expectError(await verify(token as never, good), 400, 'invalid_request')
    expect((await verify(mfaToken, good)).status).toBe(200)
  })
})
