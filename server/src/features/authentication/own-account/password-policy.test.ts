import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  expectError,
  joinTeam,
  logIn,
  newEmail,
  PASSWORD,
  registerUser,
  registerVerifiedUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const GOOD = 'A password of 2026!'

describe('the password policy of a team', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ env: { COMMON_PASSWORDS: 'on' } })
  })
  afterAll(() => service.close())

  const policy = async ({ token }: Pick<TestUser, 'token'>, body: object) =>
    expect((await service.api('PUT', '/api/v1/policies/password', { token, body })).status).toBe(200)
  const change = ({ token }: Pick<TestUser, 'token'>, currentPassword: string, newPassword: string, headers = {}) =>
    service.api('POST', '/api/v1/auth/change-password', { token, body: { currentPassword, newPassword }, headers })
  const reset = async ({ email }: Pick<TestUser, 'email'>, newPassword: string, token?: string) =>
    service.api('POST', '/api/v1/auth/reset-password', {
      body: { token: token ?? (await requestToken(service, 'password_reset', email)), newPassword },
    })
  const rulesOf = ({ status, body }: Awaited<ReturnType<typeof change>>): string[] =>
    status === 200 ? [] : body.errors.map(({ rule, path }: { rule: string; path: string }) => `${path} ${rule}`)

  /** A user with a verified email address whose only team has this policy. */
  async function memberUnder(body: object): Promise<TestUser> {
    const user = await registerVerifiedUser(service)
    await policy(user, body)
    return user
  }

  const STRICT = {
    minLength: 12,
    requireUppercase: true,
    requireLowercase: true,
    requireNumbers: true,
    requireSymbols: true,
  }
  const METHODS: [string, (user: TestUser, password: string) => ReturnType<typeof change>][] = [
    ['change', (user, password) => change(user, user.password, password)],
    ['reset', reset],
    [
      'a first password',
      async (user, password) => {
        await service.sql('DELETE FROM passwords WHERE user_id = $1', [user.id])
        await service.sql('UPDATE users SET password_set_at = NULL WHERE id = $1', [user.id])
        return service.api('POST', '/api/v1/auth/change-password', {
          token: user.token,
          body: { newPassword: password },
        })
      },
    ],
  ]

  it.each(METHODS)('lists each violated rule at %s and changes nothing', async (_, set) => {
    const cases: [string, string[]][] = [
      ['short', ['min_length', 'uppercase', 'number', 'symbol']],
      ['LONG ENOUGH BUT LOUD', ['lowercase', 'number', 'symbol']],
      ['Long enough but 2 tame', ['symbol']],
      ['password1', ['min_length', 'uppercase', 'symbol', 'common']],
    ]
    for (const [password, rules] of cases) {
      const user = await memberUnder(STRICT)
      const answer = await set(user, password)
      expectError(answer, 400, 'password_policy')
      expect(rulesOf(answer)).toEqual(rules.map((rule) => `/newPassword ${rule}`))
      const attempt = { email: user.email, password }
      expectError(await service.api('POST', '/api/v1/auth/login', { body: attempt }), 401, 'invalid_credentials')
    }
    const user = await memberUnder(STRICT)
    expect((await set(user, GOOD)).status).toBe(200)
    await logIn(service, { email: user.email, password: GOOD })
  })

  it('ignores the policy of a team at registration, which uses the default policy', async () => {
    await memberUnder({ minLength: 128 })
    await registerUser(service, { password: 'xkcdabcd' })
  })

  it('applies in the team of the request to a change, on every node from the next request', async () => {
    const [user, team] = [await memberUnder({ minLength: 10 }), await memberUnder({ minLength: 30 })]
    await joinTeam(service, user, team.teamId)
    expect(rulesOf(await change(user, PASSWORD, 'nine char'))).toEqual(['/newPassword min_length'])
    const elsewhere = { 'x-org-id': team.teamId }
    expect(rulesOf(await change(user, PASSWORD, GOOD, elsewhere))).toEqual(['/newPassword min_length'])
    await policy(team, { minLength: 8 })
    for (let node = 0; node < service.urls.length; node++) {
      const from = node === 0 ? PASSWORD : `${GOOD} ${node - 1}`
      expect(rulesOf(await change(user, from, `${GOOD} ${node}`, elsewhere))).toEqual([])
    }
  })

  it('combines the strictest fields of all confirmed teams at a reset', async () => {
    const user = await memberUnder({ requireNumbers: true })
    const [long, loud, outsider] = [
      await memberUnder({ minLength: 16 }),
      await memberUnder({ requireUppercase: true, historyCount: 1 }),
      await memberUnder({ minLength: 100, requireSymbols: true }),
    ]
    for (const team of [long, loud]) await joinTeam(service, user, team.teamId)
    // The membership in that team is unconfirmed.
    await joinTeam(service, user, outsider.teamId, { counts: false })
    const token = await requestToken(service, 'password_reset', user.email)
    expect(rulesOf(await reset(user, 'tiny tiny', token))).toEqual([
      '/newPassword min_length',
      '/newPassword uppercase',
      '/newPassword number',
    ])
    // A candidate that fails another rule is not compared with previous passwords.
    expect(rulesOf(await reset(user, PASSWORD, token))).toEqual(['/newPassword uppercase', '/newPassword number'])
    expect(rulesOf(await reset(user, 'A long password of 2026', token))).toEqual([])
    await logIn(service, { email: user.email, password: 'A long password of 2026' })
    const next = await requestToken(service, 'password_reset', user.email)
    expect(rulesOf(await reset(user, 'A long password of 2026', next))).toEqual(['/newPassword history'])
  })

  it.each(METHODS.slice(0, 2))('rejects the last passwords at %s, and accepts the one before', async (_, set) => {
    const user = await memberUnder({ historyCount: 3 })
    const used = [PASSWORD, ...['first', 'second', 'third'].map((word) => `my ${word} password`)]
    for (const [index, password] of used.slice(1).entries())
      expect((await change(user, used[index] ?? '', password)).status).toBe(200)
    const now = { ...user, password: used.at(-1) ?? '' }
    for (const password of used.slice(1)) {
      // Compared after normalization.
      const answer = await set(now, password.replace('my', 'ｍｙ'))
      expectError(answer, 400, 'password_policy')
      expect(answer.body.errors).toEqual([
        { path: '/newPassword', rule: 'history', message: 'must differ from the last 3 passwords' },
      ])
    }
    expect((await set(now, PASSWORD)).status).toBe(200)
  })

  it('rejects the current password with a history of one', async () => {
    const user = await memberUnder({ historyCount: 1 })
    const answer = await change(user, PASSWORD, PASSWORD)
    expect(answer.body.errors).toEqual([
      { path: '/newPassword', rule: 'history', message: 'must differ from the current password' },
    ])
    expect((await change(user, PASSWORD, GOOD)).status).toBe(200)
    expect((await change(user, GOOD, PASSWORD)).status).toBe(200)
  })

  it('accepts every earlier password without a history, and still stores them for a later policy', async () => {
    const user = await memberUnder({})
    expect((await change(user, PASSWORD, PASSWORD)).status).toBe(200)
    expect((await change(user, PASSWORD, GOOD)).status).toBe(200)
    await policy(user, { historyCount: 2 })
    expect(rulesOf(await change(user, GOOD, PASSWORD))).toEqual(['/newPassword history'])
  })

  it('stores the hashes of the last 24 passwords, and deletes them with the account', async () => {
    const user = await memberUnder({ historyCount: 24 })
    await service.sql(
      `INSERT INTO password_history (user_id, hash, replaced_at)
       SELECT $1, 'old ' || n || substr(p.hash, 5), now() - n * interval '1 day' FROM passwords p, generate_series(1, 24) n WHERE p.user_id = $1`,
      [user.id],
    )
    // The inserted value is not a hash, so nothing may be compared with it.
    await policy(user, { historyCount: 1 })
    expect((await change(user, PASSWORD, GOOD)).status).toBe(200)
    const stored = await service.sql<{ hash: string }>(
      'SELECT hash FROM password_history WHERE user_id = $1 ORDER BY replaced_at DESC',
      [user.id],
    )
    expect(stored).toHaveLength(24)
    expect(stored[0]?.hash).toMatch(/^\$argon2id\$/)
    expect(stored.at(-1)?.hash).toMatch(/^old 23/)
    await service.sql('DELETE FROM users WHERE id = $1', [user.id])
    expect(await service.sql('SELECT 1 FROM password_history WHERE user_id = $1', [user.id])).toEqual([])
  })

  it('deletes the history from before the first verification', async () => {
    const user = await registerUser(service)
    await policy(user, { historyCount: 24 })
    expect((await change(user, PASSWORD, GOOD)).status).toBe(200)
    const token = await requestToken(service, 'magic_link', user.email)
    const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    expect(body.cleaned.passwordRemoved).toBe(true)
    expect(await service.sql('SELECT 1 FROM password_history WHERE user_id = $1', [user.id])).toEqual([])
  })

  it('stores every password of concurrent changes and a concurrent reset', async () => {
    const user = await memberUnder({ historyCount: 24 })
    const token = await requestToken(service, 'password_reset', user.email)
    const answers = await atOnce(20, (index) =>
      index === 0 ? reset(user, `${GOOD} by mail`, token) : change(user, PASSWORD, `${GOOD} ${index}`),
    )
    for (const { status, body } of answers) expect([200, 401, 403, 409], JSON.stringify(body)).toContain(status)
    const rejected = answers.filter(({ status }) => status === 409)
    for (const answer of rejected) expectError(answer, 409, 'password_replaced')
    const changes = answers.filter(({ status }) => status === 200).length
    const remembered = await service.sql('SELECT 1 FROM password_history WHERE user_id = $1', [user.id])
    expect(remembered).toHaveLength(changes)
  })

  it('leaves passwords valid that were set before the policy', async () => {
    const user = await memberUnder({ minLength: 100 })
    await logIn(service, user)
    expect(
      (await service.api('POST', '/api/v1/auth/login', { body: { email: newEmail(), password: GOOD } })).status,
    ).toBe(401)
  })
})
