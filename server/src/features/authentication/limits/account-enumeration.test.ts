import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  comparable,
  expectError,
  joinTeam,
  newEmail,
  PASSWORD,
  registerUser,
  requestToken,
} from '../../../../test/factories/factories.js'
import { enrollApp, enrollPasskey } from '../../../../test/factories/factors.js'
import { countHashes } from '../../../../test/harness/count-hashes.js'
import { recordStatements } from '../../../../test/harness/record-statements.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const WRONG = 'not the password'

describe('the protection against account enumeration', () => {
  let service: TestService
  const addresses: Record<string, string> = {}
  const teams: Record<string, string> = {}
  beforeAll(async () => {
    service = await startService({ env: { LIMIT_ACCOUNT_FAILURES: '5' } })
    for (const state of ['known', 'locked', 'without a password', 'suspended', 'without a team'])
      addresses[state] = (await registerUser(service)).email
    addresses.unknown = newEmail()
    const guarded = await registerUser(service)
    await enrollApp(service, guarded)
    await enrollPasskey(service, guarded)
    addresses['with a second factor'] = guarded.email
    const token = await requestToken(service, 'magic_link', addresses['without a password'] ?? '')
    await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    await service.sql("UPDATE users SET status = 'suspended' WHERE email = $1", [addresses.suspended])
    await service.sql('DELETE FROM memberships WHERE user_id = (SELECT id FROM users WHERE email = $1)', [
      addresses['without a team'],
    ])
    // Teams with their own limits, one of them locked by failures of another team.
    const [strict, off] = [await registerUser(service), await registerUser(service)]
    for (const [team, lockoutThreshold] of [
      [strict, 3],
      [off, 0],
    ] as const)
      await service.api('PUT', '/api/v1/policies/password', { token: team.token, body: { lockoutThreshold } })
    addresses['of a team that never locks'] = off.email
    for (const state of ['of several teams', 'of a closed team']) {
      const user = await registerUser(service)
      addresses[state] = user.email
      await joinTeam(service, user, strict.teamId)
      teams[state] = strict.teamId
    }
    for (let failure = 0; failure < 3; failure++)
      await post('login', 'of a closed team', { password: WRONG, teamId: strict.teamId })
    for (let failure = 0; failure < 5; failure++) await post('login', 'locked', { password: WRONG })
    await service.settle()
  })
  afterAll(() => service.close())

  const STATES = [
    'unknown',
    'locked',
    'without a password',
    'suspended',
    'without a team',
    'of a team that never locks',
    'of several teams',
    'of a closed team',
    'with a second factor',
  ]

  /** Always sends to the node in this process, the statements of which are recorded. */
  const post = (path: string, state: string, more: object = {}) =>
    service.api('POST', `/api/v1/auth/${path}`, { body: { email: addresses[state], ...more }, node: 0 })

  /**
   * Returns the statements of a request, in order. Statements of jobs are left out, because they run independently after
   * the response.
   */
  async function statementsOf(act: () => Promise<unknown>): Promise<string[]> {
    const { transactions } = await recordStatements(act)
    const ofRequests = /throttle_counters|LEFT JOIN passwords|INSERT INTO audit_entries|^insert into "jobs"/
    const ofJobs = /one_time_tokens|audit_seals/
    return transactions
      .filter((all) => all.some((sql) => ofRequests.test(sql)) && !all.some((sql) => ofJobs.test(sql)))
      .flat()
  }

  it.each(STATES)(
    'returns the response of a wrong password for an account that is %s, with the same statements',
    async (state) => {
      let known: Awaited<ReturnType<typeof post>> | undefined
      let other: typeof known
      const statements = await statementsOf(async () => (known = await post('login', 'known', { password: WRONG })))
      const others = await statementsOf(async () => (other = await post('login', state, { password: WRONG })))
      if (!known || !other) throw new Error('No answer came')
      expectError(known, 401, 'invalid_credentials')
      expect(comparable(other)).toEqual(comparable(known))
      expect(statements.length).toBeGreaterThan(5)
      expect(others).toEqual(statements)
      // Four failures do not lock an account.
      await service.api('POST', '/api/v1/auth/login', { body: { email: addresses.known, password: PASSWORD } })
    },
  )

  it('computes as many hashes at registration for an existing email address as for a new one', async () => {
    const register = (email: string) => () =>
      service.api('POST', '/api/v1/auth/register', { body: { email, password: PASSWORD }, node: 0 })
    const created = await countHashes(register(newEmail()), PASSWORD)
    const taken = await countHashes(register(addresses.known ?? ''), PASSWORD)
    expect(created.result.status).toBe(201)
    expectError(taken.result, 409, 'email_taken')
    // Two checks of the password, and its hash.
    expect([created.hashes, taken.hashes]).toEqual([3, 3])
  })

  it('returns the response of a wrong password for the right one of a locked account, with the same statements', async () => {
    let right: Awaited<ReturnType<typeof post>> | undefined
    const wrong = await post('login', 'known', { password: WRONG })
    const statements = await statementsOf(() => post('login', 'locked', { password: WRONG }))
    const others = await statementsOf(async () => (right = await post('login', 'locked', { password: PASSWORD })))
    if (!right) throw new Error('No answer came')
    expect(comparable(right)).toEqual(comparable(wrong))
    expect(others).toEqual(statements)
  })

  it('returns the response of a wrong password for the right one of a locked team, with the same statements', async () => {
    const teamId = teams['of a closed team']
    let right: Awaited<ReturnType<typeof post>> | undefined
    let wrong: typeof right
    const others = await statementsOf(
      async () => (right = await post('login', 'of a closed team', { password: PASSWORD, teamId })),
    )
    const statements = await statementsOf(async () => (wrong = await post('login', 'known', { password: WRONG })))
    if (!right || !wrong) throw new Error('No answer came')
    expectError(right, 401, 'invalid_credentials')
    expect(comparable(right)).toEqual(comparable(wrong))
    expect(others).toEqual(statements)
  })

  it('locks an unknown email address like a known one, with the same statements', async () => {
    const failures = async (email: string) => {
      const statements: string[][] = []
      for (let failure = 0; failure < 7; failure++)
        statements.push(
          await statementsOf(() =>
            service.api('POST', '/api/v1/auth/login', { body: { email, password: WRONG }, node: 0 }),
          ),
        )
      return statements
    }
    const { email } = await registerUser(service)
    await service.settle()
    expect(await failures(newEmail())).toEqual(await failures(email))
  })

  describe.each(['magic-link', 'forgot-password'])('POST /auth/%s', (path) => {
    it.each(STATES)(
      'returns the response of a known email address for an account that is %s, with the same statements',
      async (state) => {
        let known: Awaited<ReturnType<typeof post>> | undefined
        let other: typeof known
        const statements = await statementsOf(async () => (known = await post(path, 'known')))
        await service.settle()
        const others = await statementsOf(async () => (other = await post(path, state)))
        await service.settle()
        if (!known || !other) throw new Error('No answer came')
        expect(known.status).toBe(200)
        expect(comparable(other)).toEqual(comparable(known))
        const [count, ...rest] = statements
        expect(count).toContain('throttle_counters')
        expect(rest).toEqual(['BEGIN', expect.stringMatching(/^insert into "jobs"/), 'COMMIT'])
        expect(others).toEqual(statements)
      },
    )
  })
})
