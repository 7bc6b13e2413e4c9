import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Authenticator, createAuthenticator, type Tamper } from '../../../../test/factories/authenticator.js'
import {
  atOnce,
  CONCURRENT,
  claimsOf,
  comparable,
  expectError,
  expectSession,
  joinTeam,
  makePolicy,
  registerUser,
  requestToken,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { beginLogIn, enrollApp, enrollPasskey, registerWithPasskey } from '../../../../test/factories/factors.js'
import type { ApiRequest, ApiResponse } from '../../../../test/harness/api.js'
import { entriesOf } from '../../../../test/harness/audit-entries.js'
import { dumpDatabase } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { MINUTE } from '../../../platform/clock.js'

const ELSEWHERE = Buffer.from('somewhere else').toString('base64url')

describe('POST /auth/passkey/verify', () => {
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

  const post = (path: string, body: unknown, request: ApiRequest = {}) =>
    service.api('POST', `/api/v1/auth/${path}`, { ...request, body })
  const ask = async () => (await post('passkey/options', undefined)).body
  const verify = (credential: unknown, more: object = {}, request: ApiRequest = {}) =>
    post('passkey/verify', { credential, ...more }, request)
  /** Signs a new challenge. */
  const signIn = async (tamper: Tamper = {}, more: object = {}, by = authenticator, request: ApiRequest = {}) =>
    verify(by.get(await ask(), tamper), more, request)
  const entries = (action: string) =>
    entriesOf(
      service,
      'SELECT result, resource, metadata FROM audit_entries WHERE user_id = $1 AND action = $2 ORDER BY id',
      [user.id, action],
    )
  const sessionsOf = async ({ id }: TestUser) =>
    (await service.sql('SELECT id FROM sessions WHERE user_id = $1 AND ended_at IS NULL', [id])).length

  it('accepts a challenge that names no account and is not stored', async () => {
    await service.settle()
    const { jobs: _, ...before } = await dumpDatabase(service)
    const [first, second] = [await ask(), await ask()]
    expect(first).toEqual({
      challenge: expect.stringMatching(/^[\w-]{80,}$/),
      rpId: 'localhost',
      timeout: 5 * MINUTE,
      userVerification: 'required',
      allowCredentials: [],
    })
    expect(second).toEqual({ ...first, challenge: expect.any(String) })
    expect(second.challenge).not.toBe(first.challenge)
    const { jobs: __, ...after } = await dumpDatabase(service)
    expect(after).toEqual(before)
  })

  it('starts a full session without email address, password or second factor, also with an enrolled app', async () => {
    await enrollApp(service, user)
    const { status, body } = await signIn()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      tokenType: 'Bearer',
      user: { id: user.id, email: user.email, teamId: user.teamId, role: 'OWNER' },
      mfa: { enabled: true, enrollmentRequired: false },
    })
    expect(body).not.toHaveProperty('mfaRequired')
    await expectSession(service, body.accessToken, 'active')
    const { body: sessions } = await service.api('GET', '/api/v1/auth/sessions', { token: body.accessToken })
    expect(sessions.data.find(({ current }: { current: boolean }) => current).method).toBe('passkey')
  })

  it.each([
    ['a key of one device', {}, ['hwk', 'user', 'mfa']],
    ['a synchronized key', { backedUp: true, counter: 'zero' as const }, ['swk', 'user', 'mfa']],
  ])('records %s in session and audit log, and the time of use in the status', async (_, kind, amr) => {
    const own = await enrollPasskey(service, user, createAuthenticator(kind))
    const { body } = await signIn({}, {}, own.authenticator)
    const { sid } = claimsOf(body.accessToken)
    expect(await service.sql('SELECT method, amr FROM sessions WHERE id = $1', [sid])).toEqual([
      { method: 'passkey', amr },
    ])
    expect((await entries('user.login')).at(-1)).toMatchObject({
      result: 'SUCCESS',
      resource: `session:${sid}`,
      metadata: { method: 'passkey', amr, factor: { id: own.methodId, type: 'PASSKEY' } },
    })
    const { body: mfa } = await service.api('GET', '/api/v1/auth/mfa/status', { token: body.accessToken })
    const used = (id: string) => mfa.methods.find((method: { id: string }) => method.id === id).lastUsedAt
    expect([used(own.methodId), used(methodId)]).toEqual([expect.stringMatching(/Z$/), null])
  })

  it('signs in to an account without a password', async () => {
    await service.sql('DELETE FROM passwords WHERE user_id = $1', [user.id])
    await service.sql('UPDATE users SET password_set_at = NULL WHERE id = $1', [user.id])
    expect((await signIn()).status).toBe(200)
  })

  it('accepts signature counters that stay zero or increase by more than one', async () => {
    const zero = createAuthenticator({ counter: 'zero' })
    await enrollPasskey(service, user, zero)
    for (let use = 0; use < 3; use++) expect((await signIn({}, {}, zero)).status).toBe(200)
    expect((await signIn({ counter: 1_000 })).status).toBe(200)
    expect((await signIn({ counter: 4_294_967_295 })).status).toBe(200)
  })

  describe('with an invalid assertion', () => {
    type Case = [what: string, tamper: Tamper]
    it.each<Case>([
      ['an assertion for another origin', { origin: 'https://evil.example' }],
      ['an assertion for another port of the host', { origin: 'http://localhost:3001' }],
      ['an assertion for another RP ID', { rpId: 'evil.example' }],
      ['the type webauthn.create', { type: 'webauthn.create' }],
      ['a cross-origin assertion', { crossOrigin: true }],
      ['no user presence', { userPresent: false }],
      ['no user verification', { userVerified: false }],
      ['the handle of another user', { userHandle: ELSEWHERE }],
      ['the signature of another key', { signature: 'of another key' }],
      ['a signature of one byte', { signature: Buffer.alloc(1) }],
      ['an ID that differs from the raw ID', { rawId: ELSEWHERE }],
      ['an unknown credential ID', { id: ELSEWHERE, rawId: ELSEWHERE }],
      ['a changed backup state', { backedUp: true }],
      ['an unknown challenge', { challenge: ELSEWHERE }],
      ['no challenge', { challenge: '' }],
    ])('rejects %s with the same response, and leaves the passkey unchanged', async (_, tamper) => {
      const unknown = createAuthenticator()
      unknown.create((await service.api('GET', '/api/v1/auth/mfa/passkey/options', { token: user.token })).body)
      const reference = await signIn({}, {}, unknown)
      const stored = await service.sql('SELECT * FROM passkeys WHERE factor_id = $1', [methodId])
      const answer = await signIn(tamper)
      expectError(answer, 401, 'passkey_invalid')
      expect(comparable(answer)).toEqual(comparable(reference))
      expect(await service.sql('SELECT * FROM passkeys WHERE factor_id = $1', [methodId])).toEqual(stored)
      expect(await sessionsOf(user)).toBe(1)
      expect((await signIn()).status).toBe(200)
    })

    it('rejects a synchronized passkey with a changed backup state', async () => {
      const synchronized = createAuthenticator({ backedUp: true, counter: 'zero' })
      await enrollPasskey(service, user, synchronized)
      expectError(await signIn({ backedUp: false }, {}, synchronized), 401, 'passkey_invalid')
      expect((await signIn({}, {}, synchronized)).status).toBe(200)
    })

    it.each([undefined, null, ''])('rejects an assertion without a user handle (%j)', async (userHandle) => {
      const credential = authenticator.get(await ask())
      const { userHandle: _, ...response } = credential.response
      const answer = await verify({
        ...credential,
        response: { ...response, ...(userHandle !== undefined && { userHandle }) },
      })
      expectError(answer, 401, 'passkey_invalid')
    })

    it('rejects the passkey of another account with the user handle of this one', async () => {
      const other = await registerUser(service)
      const theirs = await enrollPasskey(service, other)
      const { userHandle } = authenticator.get(await ask()).response
      if (!userHandle) throw new Error('The authenticator returned no user handle')
      expectError(await signIn({ userHandle }, {}, theirs.authenticator), 401, 'passkey_invalid')
    })
  })

  it('records each rejection with its reason, and the owner of a known passkey', async () => {
    await signIn({ userVerified: false })
    await signIn({ signature: 'of another key' })
    const theirs = await entries('user.login')
    for (const entry of theirs.slice(-2))
      expect(entry).toMatchObject({ result: 'FAILURE', metadata: { method: 'passkey', reason: 'passkey_invalid' } })
    await signIn({ challenge: 'AAAA' })
    const [unowned] = await service.sql(
      `SELECT user_id, team_id, metadata FROM audit_entries WHERE action = 'user.login' AND result = 'FAILURE' ORDER BY id DESC LIMIT 1`,
    )
    expect(unowned).toEqual({
      user_id: null,
      team_id: null,
      metadata: { method: 'passkey', reason: 'passkey_challenge' },
    })
  })

  it.each<[what: string, challenge: () => Promise<string>]>([
    [
      'for an enrollment',
      async () => (await service.api('GET', '/api/v1/auth/mfa/passkey/options', { token: user.token })).body.challenge,
    ],
    [
      'for a reauthentication',
      async () => (await post('reauthenticate/options', undefined, { token: user.token })).body.challenge,
    ],
    [
      'for a second factor',
      async () => {
        const { mfaToken } = await beginLogIn(service, user)
        return (await post('mfa/passkey/challenge/options', { mfaToken })).body.challenge
      },
    ],
  ])('rejects a challenge %s', async (_, challengeOf) => {
    expectError(await signIn({ challenge: await challengeOf() }), 401, 'passkey_invalid')
  })

  it('redeems a challenge only once, even if the assertion is invalid', async () => {
    const [right, wrong] = [await ask(), await ask()]
    expect((await verify(authenticator.get(right))).status).toBe(200)
    expectError(await verify(authenticator.get(right)), 401, 'passkey_invalid')
    expectError(await verify(authenticator.get(wrong, { userVerified: false })), 401, 'passkey_invalid')
    expectError(await verify(authenticator.get(wrong)), 401, 'passkey_invalid')
  })

  it('accepts a challenge for five minutes', async () => {
    const [early, late] = [await ask(), await ask()]
    await service.clock.advance(5 * MINUTE - 10_000)
    expect((await verify(authenticator.get(early))).status).toBe(200)
    await service.clock.advance(11_000)
    expectError(await verify(authenticator.get(late)), 401, 'passkey_invalid')
  })

  it.each(['grows', 'zero'] as const)(
    'starts one session for many concurrent submissions of the same assertion with a counter of type %s',
    async (counter) => {
      const own = await enrollPasskey(service, user, createAuthenticator({ counter }))
      const credential = own.authenticator.get(await ask())
      const answers = await atOnce(CONCURRENT, () => verify(credential))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(CONCURRENT - 1).fill(401)])
      expect(await sessionsOf(user)).toBe(2)
      // The same assertion was sent twice, which does not indicate a clone.
      expect(await entries('factor.clone_suspected')).toEqual([])
    },
  )

  it('accepts at least one of many concurrent assertions of one passkey, without errors, and later ones', async () => {
    const credentials: unknown[] = []
    for (let use = 0; use < 10; use++) credentials.push(authenticator.get(await ask()))
    const answers = await atOnce(10, (index) => verify(credentials[index]))
    // A delayed assertion has a lower counter than an earlier one, like a clone. It is rejected and never accepted wrongly.
    expect(new Set(answers.map(({ status }) => status))).not.toContain(500)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect((await signIn()).status).toBe(200)
  })

  it('rejects and records a decreased signature counter, notifies the owner, and accepts the next valid assertion', async () => {
    for (let use = 0; use < 3; use++) expect((await signIn()).status).toBe(200)
    const sessions = await sessionsOf(user)
    const reference = await signIn({ signature: 'of another key' })
    for (const counter of [4, 2, 0]) {
      const answer = await signIn({ counter })
      expectError(answer, 401, 'passkey_invalid')
      expect(comparable(answer)).toEqual(comparable(reference))
    }
    expect(await sessionsOf(user)).toBe(sessions)
    const suspected = { result: 'DENIED', resource: `factor:${methodId}`, metadata: { name: 'Passkey' } }
    expect(await entries('factor.clone_suspected')).toEqual([suspected, suspected, suspected])
    const mails = (await service.mails(user.email)).filter(({ subject }) => subject.startsWith('A passkey may'))
    expect(mails).toHaveLength(3)
    expect(mails[0]?.text).toContain('"Passkey" was rejected')
    expect((await signIn()).status).toBe(200)
  })

  it('suspects no clone if the signature is wrong', async () => {
    await signIn()
    expectError(await signIn({ counter: 1, signature: 'of another key' }), 401, 'passkey_invalid')
    expect(await entries('factor.clone_suspected')).toEqual([])
  })

  describe('with a team', () => {
    it('selects the requested team', async () => {
      const other = await registerUser(service)
      await joinTeam(service, user, other.teamId)
      expect((await signIn({}, { teamId: other.teamId })).body.team.id).toBe(other.teamId)
      expect((await signIn({}, { teamId: user.teamId })).body.team.id).toBe(user.teamId)
    })

    it('rejects a team of other users, and an unknown one', async () => {
      const outsider = await registerUser(service)
      for (const teamId of [outsider.teamId, 'no id', ''])
        expectError(await signIn({}, { teamId }), 403, 'not_a_member')
    })

    it('rejects a suspended team, except for members who may reactivate it', async () => {
      const other = await registerUser(service)
      await joinTeam(service, user, other.teamId)
      await service.sql("UPDATE organizations SET status = 'SUSPENDED' WHERE id = ANY($1::uuid[])", [
        [other.teamId, user.teamId],
      ])
      expectError(await signIn({}, { teamId: other.teamId }), 403, 'team_suspended')
      expect((await signIn({}, { teamId: user.teamId })).status).toBe(200)
    })

    it('rejects a suspended account, and discloses the reason only to its user', async () => {
      await service.sql("UPDATE users SET status = 'suspended' WHERE id = $1", [user.id])
      expectError(await signIn({ userVerified: false }), 401, 'passkey_invalid')
      expectError(await signIn(), 403, 'account_suspended')
      expect((await entries('user.login')).at(-1)).toMatchObject({
        result: 'FAILURE',
        metadata: { method: 'passkey', reason: 'account_suspended' },
      })
    })
  })

  describe('with a team that has reset the factors', () => {
    let other: TestUser
    beforeEach(async () => {
      other = await registerUser(service)
      await joinTeam(service, user, other.teamId)
    })
    const resetBy = async ({ token }: TestUser) =>
      expect((await service.api('POST', `/api/v1/users/${user.id}/mfa/reset`, { token })).status).toBe(200)

    it('selects the next team or an own one, and lists the team that rejected the passkey', async () => {
      await service.sql('UPDATE memberships SET last_unrestricted_use_at = $2 WHERE organization_id = $1', [
        other.teamId,
        service.clock.now(),
      ])
      await resetBy(other)
      const rejectedTeams = [{ id: other.teamId, name: expect.any(String), reason: 'passkey_not_accepted' }]
      expect((await signIn()).body).toMatchObject({ team: { id: user.teamId }, rejectedTeams })
      await service.sql('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [user.id, user.teamId])
      const { status, body } = await signIn()
      expect([status, body.team?.role, body.rejectedTeams]).toEqual([200, 'OWNER', rejectedTeams])
      expect([other.teamId, user.teamId]).not.toContain(body.team.id)
    })

    it('creates an own team if one team denies the sign-in and another has reset the factors', async () => {
      await resetBy(other)
      const denying = { type: 'SIGN_ON', resource: 'sign-in', actions: ['login'], effect: 'DENY' }
      await makePolicy(service, user, { ...denying, conditions: { role: 'OWNER' } })
      const { status, body } = await signIn()
      expect([status, body.rejectedTeams?.map(({ reason }: { reason: string }) => reason)]).toEqual([
        200,
        ['sign_in_denied', 'passkey_not_accepted'],
      ])
      expect([other.teamId, user.teamId]).not.toContain(body.team.id)
    })

    it('rejects the sign-in if the instance allows no own team', async () => {
      const closed = await startService({ env: { SELF_SERVICE_TEAMS: 'off' } })
      const owner = await registerUser(closed)
      await verifyEmailAddress(closed, owner)
      const { authenticator: own } = await enrollPasskey(closed, owner)
      await closed.sql('UPDATE memberships SET factors_since = $2 WHERE user_id = $1', [owner.id, closed.clock.now()])
      const { body: options } = await closed.api('POST', '/api/v1/auth/passkey/options')
      const body = { credential: own.get(options) }
      expectError(await closed.api('POST', '/api/v1/auth/passkey/verify', { body }), 401, 'passkey_invalid')
      // A team that waits for the user's confirmation is not selected either.
      const others = [await registerUser(closed), await registerUser(closed)]
      for (const { teamId } of others) await joinTeam(closed, owner, teamId)
      await closed.sql('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [owner.id, owner.teamId])
      await closed.sql('UPDATE memberships SET counts = false, factors_since = $2 WHERE user_id = $1', [
        owner.id,
        closed.clock.now(),
      ])
      const { body: again } = await closed.api('POST', '/api/v1/auth/passkey/options')
      const waiting = await closed.api('POST', '/api/v1/auth/passkey/verify', { body: { credential: own.get(again) } })
      expect([waiting.status, waiting.body.accessToken]).toEqual([403, undefined])
      await closed.close()
    })
  })

  it('accepts a passkey despite failed sign-ins from other devices', async () => {
    const login = (password: string) => post('login', { email: user.email, password })
    for (let failure = 0; failure < 12; failure++) await login('not the password')
    for (let failure = 0; failure < 12; failure++) await signIn({ signature: 'of another key' })
    expectError(await login(user.password), 401, 'invalid_credentials')
    expect((await signIn()).status).toBe(200)
  })

  it('rejects a removed passkey on every node immediately', async () => {
    const issued = await atOnce(4, () => ask())
    const { status } = await service.api('DELETE', `/api/v1/auth/mfa/methods/${methodId}`, { token: user.token })
    expect(status).toBe(200)
    for (const options of issued) expectError(await verify(authenticator.get(options)), 401, 'passkey_invalid')
  })

  it('rejects a passkey of a deleted account', async () => {
    expect((await post('verify-email/resend', {}, { token: user.token })).status).toBe(200)
    const token = (await service.mails(user.email)).find(({ kind }) => kind === 'verify_email')?.link.split('token=')[1]
    expect((await post('disown', { token })).status).toBe(200)
    expectError(await signIn(), 401, 'passkey_invalid')
  })

  it('sets the cookies of a password sign-in in cookie mode, without the refresh token in the body', async () => {
    const plain = await registerUser(service)
    const byPassword = await post('login', { email: plain.email, password: plain.password }, { console: true })
    const attributes = ({ cookies }: ApiResponse) =>
      Object.fromEntries(Object.entries(cookies).map(([name, cookie]) => [name, cookie.attributes]))
    const answer = await signIn({}, {}, authenticator, { console: true })
    expect(attributes(answer)).toEqual(attributes(byPassword))
    expect(Object.keys(answer.cookies).sort()).toEqual(['keyward_device', 'keyward_rt', 'keyward_sso'])
    expect(answer.body).not.toHaveProperty('refreshToken')
    const cookies = { keyward_rt: answer.cookies.keyward_rt?.value ?? '' }
    expect((await post('refresh', {}, { console: true, cookies })).status).toBe(200)
    const short = await signIn({}, { remember: false }, authenticator, { console: true })
    for (const name of ['keyward_rt', 'keyward_sso']) expect(short.cookies[name]?.attributes).not.toMatch(/Max-Age/)
  })

  it('sets no cookie for a rejected assertion', async () => {
    expect((await signIn({ userVerified: false }, {}, authenticator, { console: true })).cookies).toEqual({})
  })

  it('rejects a passkey from before the first verification, and accepts one that is enrolled afterwards', async () => {
    await enrollPasskey(service, user)
    const token = await requestToken(service, 'magic_link', user.email)
    const { status, body } = await post('verify', { token })
    expect(status).toBe(200)
    expect(body.cleaned).toMatchObject({ passwordRemoved: true, factorsRemoved: 2 })
    const reference = await signIn({ signature: 'of another key' })
    const alone = await signIn()
    expectError(alone, 401, 'passkey_invalid')
    expect(comparable(alone)).toEqual(comparable(reference))
    const own = await enrollPasskey(service, { token: body.accessToken })
    expect((await signIn({}, {}, own.authenticator)).status).toBe(200)
  })

  it('rejects a malformed assertion in every field', async () => {
    const GARBAGE: Record<string, unknown[]> = {
      id: ['', '%', 7, null, [], 'A'.repeat(3_000)],
      rawId: ['', '%', 7, null],
      type: ['password', null],
      response: [null, 7, []],
      clientDataJSON: ['', '%', 7, null, 'AAAA', ...['null', '[]', '7', '{"challenge":7}'].map((text) => btoa(text))],
      authenticatorData: ['', '%', 7, null, 'AAAA', 'A'.repeat(16_000)],
      signature: ['', '%', 7, null, 'AAAA', 'A'.repeat(4_000)],
      userHandle: [7, [], {}, 'x'.repeat(129), '%%%'],
    }
    for (const [field, values] of Object.entries(GARBAGE))
      for (const value of values) {
        const credential = authenticator.get(await ask())
        const changed =
          field in credential.response ? { response: { ...credential.response, [field]: value } } : { [field]: value }
        const answer = await verify({ ...credential, ...changed })
        expect([400, 401], `${field} ${JSON.stringify(value)?.slice(0, 60)} answered ${answer.text}`).toContain(
          answer.status,
        )
        expect(['invalid_request', 'passkey_invalid']).toContain(answer.body.code)
      }
    for (const credential of [undefined, null, 7, 'x', [], {}])
      expectError(await verify(credential), 400, 'invalid_request')
    expect(await sessionsOf(user)).toBe(1)
  })
})
