import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Authenticator, createAuthenticator, type Tamper } from '../../../../test/factories/authenticator.js'
import {
  atOnce,
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
} from '../../../../test/factories/factors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { MINUTE } from '../../../platform/clock.js'

const ELSEWHERE = Buffer.from('somewhere else').toString('base64url')

describe('a passkey as the second factor', () => {
  let service: TestService
  let user: TestUser
  let authenticator: Authenticator
  let methodId: string
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    user = await registerUser(service)
    ;({ authenticator, methodId } = await enrollPasskey(service, user))
  })

  const post = (path: string, body?: unknown, token?: string) =>
    service.api('POST', `/api/v1/auth/${path}`, { body, token })
  const begin = async (by = user): Promise<string> => (await beginLogIn(service, by)).mfaToken
  const ask = (mfaToken: string) => post('mfa/passkey/challenge/options', { mfaToken })
  const verify = (mfaToken: string, credential: unknown) =>
    post('mfa/passkey/challenge/verify', { mfaToken, credential })
  const answer = (mfaToken: string, tamper?: Tamper, by = authenticator) =>
    completeChallengeWithPasskey(service, mfaToken, by, ...(tamper ? [tamper] : []))
  const entries = (action: string) =>
    service.sql('SELECT result, resource, metadata FROM audit_entries WHERE user_id = $1 AND action = $2 ORDER BY id', [
      user.id,
      action,
    ])

  it('returns request options with the passkeys of the account alone', async () => {
    const second = await enrollPasskey(
      service,
      user,
      createAuthenticator({ aaguid: 'd8522d9f-575b-4866-88a9-ba99fa02f35b' }),
    )
    await enrollPasskey(service, await registerUser(service))
    const mfaToken = await begin()
    const { status, body } = await ask(mfaToken)
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
    expect((await ask(mfaToken)).body.challenge).not.toBe(body.challenge)
  })

  it.each<[how: string, tamper: Tamper, amr: string[]]>([
    ['and has verified its user', {}, ['pwd', 'hwk', 'user', 'mfa']],
    ['without having verified anybody, because the password did', { userVerified: false }, ['pwd', 'hwk', 'mfa']],
  ])('completes a sign-in by password %s', async (_, tamper, amr) => {
    const { status, body } = await answer(await begin(), tamper)
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

  it('completes a sign-in by a mailed link', async () => {
    await verifyEmailAddress(service, user)
    const { body } = await post('verify', { token: await requestToken(service, 'magic_link', user.email) })
    expect(body).toMatchObject({ mfaRequired: true, mfaMethods: expect.arrayContaining(['PASSKEY']) })
    const answered = await answer(body.mfaToken, { userVerified: false })
    expect(answered.status).toBe(200)
    expect((await entries('user.login')).at(-1)).toMatchObject({ metadata: { method: 'magic_link' } })
  })

  it('accepts an assertion without a user handle, as of security keys', async () => {
    const mfaToken = await begin()
    const credential = authenticator.get((await ask(mfaToken)).body)
    const { userHandle: _, ...response } = credential.response
    expect((await verify(mfaToken, { ...credential, response })).status).toBe(200)
  })

  it.each<[what: string, tamper: Tamper]>([
    ['an assertion for another origin', { origin: 'https://evil.example' }],
    ['an assertion for another RP ID', { rpId: 'evil.example' }],
    ['the type webauthn.create', { type: 'webauthn.create' }],
    ['a cross-origin assertion', { crossOrigin: true }],
    ['no user presence', { userPresent: false }],
    ['the handle of another user', { userHandle: ELSEWHERE }],
    ['the signature of another key', { signature: 'of another key' }],
    ['an ID that differs from the raw ID', { rawId: ELSEWHERE }],
    ['a changed backup state', { backedUp: true }],
    ['an unknown challenge', { challenge: ELSEWHERE }],
  ])('rejects and records %s, and leaves the sign-in pending', async (_, tamper) => {
    const mfaToken = await begin()
    expectError(await answer(mfaToken, tamper), 401, 'mfa_invalid')
    expect(await entries('user.challenge_failed')).toEqual([
      {
        result: 'FAILURE',
        resource: `user:${user.id}`,
        metadata: { method: 'password', factor: 'PASSKEY', reason: 'wrong' },
      },
    ])
    expect((await answer(mfaToken)).status).toBe(200)
  })

  it('rejects a passkey of another account', async () => {
    const other = await registerUser(service)
    const theirs = await enrollPasskey(service, other)
    const mfaToken = await begin()
    const { challenge, rpId } = (await ask(mfaToken)).body
    const { userHandle } = authenticator.get({ challenge, rpId }).response
    for (const tamper of [{}, userHandle ? { userHandle } : {}])
      expectError(await verify(mfaToken, theirs.authenticator.get({ challenge, rpId }, tamper)), 401, 'mfa_invalid')
    expect((await answer(mfaToken)).status).toBe(200)
  })

  it.each<[what: string, challenge: () => Promise<string>]>([
    ['of another sign-in of the same user', async () => (await ask(await begin())).body.challenge],
    ['for a sign-in by a passkey alone', async () => (await post('passkey/options')).body.challenge],
    [
      'for a reauthentication',
      async () => (await post('reauthenticate/options', undefined, user.token)).body.challenge,
    ],
    [
      'for an enrollment',
      async () => (await service.api('GET', '/api/v1/auth/mfa/passkey/options', { token: user.token })).body.challenge,
    ],
  ])('rejects a challenge %s', async (_, challengeOf) => {
    const mfaToken = await begin()
    expectError(await answer(mfaToken, { challenge: await challengeOf() }), 401, 'mfa_invalid')
    expect((await answer(mfaToken)).status).toBe(200)
  })

  it('leaves a challenge of another sign-in valid for that one', async () => {
    const [first, second] = [await begin(), await begin()]
    const credential = authenticator.get((await ask(first)).body)
    expectError(await verify(second, credential), 401, 'mfa_invalid')
    expect((await verify(first, credential)).status).toBe(200)
  })

  it('accepts a challenge once, also after a wrong assertion', async () => {
    const mfaToken = await begin()
    const { body: options } = await ask(mfaToken)
    expectError(await verify(mfaToken, authenticator.get(options, { userPresent: false })), 401, 'mfa_invalid')
    expectError(await verify(mfaToken, authenticator.get(options)), 401, 'mfa_invalid')
    expect((await answer(mfaToken)).status).toBe(200)
  })

  it('rejects the sign-in after five wrong codes and assertions together', async () => {
    const mfaToken = await begin()
    const { body: options } = await ask(mfaToken)
    for (let wrong = 0; wrong < 3; wrong++)
      expectError(await answer(mfaToken, { signature: 'of another key' }), 401, 'mfa_invalid')
    for (let wrong = 0; wrong < 2; wrong++)
      expectError(await completeChallengeWithCode(service, mfaToken, '000000'), 401, 'mfa_invalid')
    expectError(await verify(mfaToken, authenticator.get(options)), 400, 'mfa_expired')
    expectError(await ask(mfaToken), 400, 'mfa_expired')
    expect((await answer(await begin())).status).toBe(200)
  })

  it('starts one session for fifty concurrent submissions of the same assertion', async () => {
    const mfaToken = await begin()
    const credential = authenticator.get((await ask(mfaToken)).body)
    const answers = await atOnce(50, () => verify(mfaToken, credential))
    expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([
      200,
      ...Array(49).fill('mfa_expired'),
    ])
    const sessions = await service.sql('SELECT id FROM sessions WHERE user_id = $1 AND ended_at IS NULL', [user.id])
    expect(sessions).toHaveLength(2)
  })

  it('revokes the sign-in at the fifth of twenty concurrent wrong assertions', async () => {
    const mfaToken = await begin()
    const credentials: unknown[] = []
    for (let one = 0; one < 20; one++)
      credentials.push(authenticator.get((await ask(mfaToken)).body, { signature: 'of another key' }))
    const answers = await atOnce(20, (index) => verify(mfaToken, credentials[index]))
    expect(answers.map(({ body }) => body.code).sort()).toEqual([
      ...Array(15).fill('mfa_expired'),
      ...Array(5).fill('mfa_invalid'),
    ])
  })

  it('accepts a passkey on an account that failures of others have locked', async () => {
    const mfaToken = await begin()
    for (let failure = 0; failure < 10; failure++)
      await post('login', { email: user.email, password: 'not the password' })
    expectError(await answer(mfaToken, { signature: 'of another key' }), 401, 'mfa_invalid')
    expect((await answer(mfaToken)).status).toBe(200)
  })

  it('rejects and records a decreased signature counter, and notifies the owner', async () => {
    for (let use = 0; use < 2; use++) expect((await answer(await begin())).status).toBe(200)
    expectError(await answer(await begin(), { counter: 1 }), 401, 'mfa_invalid')
    expect(await entries('factor.clone_suspected')).toMatchObject([
      { result: 'DENIED', resource: `factor:${methodId}` },
    ])
    const mails = await service.mails(user.email)
    expect(mails.filter(({ subject }) => subject.startsWith('A passkey may'))).toHaveLength(1)
    expect((await answer(await begin())).status).toBe(200)
  })

  it('returns request options only for a pending sign-in of an account with a passkey', async () => {
    for (const token of ['never given', '', user.token.slice(0, 43)]) expectError(await ask(token), 400, 'mfa_expired')
    const mfaToken = await begin()
    expect((await answer(mfaToken)).status).toBe(200)
    expectError(await ask(mfaToken), 400, 'mfa_expired')
    const other = await registerUser(service)
    await enrollApp(service, other)
    expectError(await ask(await begin(other)), 409, 'no_passkey')
    const late = await begin()
    await service.clock.advance(5 * MINUTE + 1_000)
    expectError(await ask(late), 400, 'mfa_expired')
  })

  it('rejects a passkey that was removed during the challenge', async () => {
    await enrollApp(service, user)
    const mfaToken = await begin()
    const credential = authenticator.get((await ask(mfaToken)).body)
    await service.api('DELETE', `/api/v1/auth/mfa/methods/${methodId}`, { token: user.token })
    expectError(await verify(mfaToken, credential), 401, 'mfa_invalid')
  })

  it('rejects a suspended account', async () => {
    const mfaToken = await begin()
    await service.sql("UPDATE users SET status = 'suspended' WHERE id = $1", [user.id])
    expectError(await answer(mfaToken), 403, 'account_suspended')
  })

  it('rejects a malformed assertion without counting it', async () => {
    const mfaToken = await begin()
    const good = authenticator.get((await ask(mfaToken)).body)
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
