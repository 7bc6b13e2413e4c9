import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  atOnce,
  expectError,
  joinTeam,
  logIn,
  newEmail,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { SERVER_URL } from '../../../../test/harness/test-database.js'

const TEMPORARY = 'handed over by the help desk'
const WAITING_FOR_ADVISORY_LOCK =
  "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'"

// The embedded database has one connection: transactions do not overlap.
describe.skipIf(!SERVER_URL)('a member who sets temporary passwords while losing permissions', () => {
  let service: TestService
  let owner: TestUser
  let setter: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    owner = await registerUser(service)
    setter = await admin()
  })

  /** A member with the role ORG_ADMIN whose session is in another team. */
  async function admin(): Promise<TestUser> {
    const member = await registerUser(service)
    await verifyEmailAddress(service, member)
    await joinTeam(service, member, owner.teamId, { role: 'ORG_ADMIN' })
    return logIn(service, member)
  }
  const call = (by: TestUser, method: string, path: string, body: object) =>
    service.api(method, `/api/v1${path}`, { token: by.token, headers: { 'x-org-id': owner.teamId }, body })
  const setRole = (role: string) =>
    call(owner, 'PUT', `/organizations/${owner.teamId}/members/${setter.id}/role`, { role })
  const setStatus = (status: string) => call(owner, 'PUT', `/users/${setter.id}`, { status })

  const losses: [string, () => Promise<ApiResponse>, () => Promise<ApiResponse>][] = [
    ['suspension', () => setStatus('suspended'), () => setStatus('active')],
    ['demotion', () => setRole('MEMBER'), () => setRole('ORG_ADMIN')],
  ]
  const give = (user: TestUser, by = setter) =>
    call(by, 'POST', `/users/${user.id}/password-reset`, { temporaryPassword: TEMPORARY })
  const logInTo = ({ email }: TestUser) =>
    service.api('POST', '/api/v1/auth/login', { body: { email, password: TEMPORARY, teamId: owner.teamId } })

  /** Sends the requests one after the other, each of which waits at its end, and returns their responses. */
  async function inOrder(...requests: (() => Promise<ApiResponse>)[]): Promise<ApiResponse[]> {
    const answers: Promise<ApiResponse>[] = []
    await service.db.transaction(async (tx) => {
      await tx.execute(
        sql`SELECT pg_advisory_xact_lock(hashtextextended('temporary passwords of ' || ${setter.id}::text, 0))`,
      )
      for (const request of requests) {
        let isAnswered = false
        const answer = request().finally(() => {
          isAnswered = true
        })
        answers.push(answer)
        while ((await service.sql(WAITING_FOR_ADVISORY_LOCK)).length < answers.length)
          if (isAnswered) throw new Error('The request did not wait for the setter')
      }
    })
    return Promise.all(answers)
  }

  it.each(losses)('keeps no password that is being set at the time of the %s', async (_, lose, regain) => {
    const target = await admin()
    const [given, lost] = await inOrder(() => give(target), lose)
    expect([given?.status, lost?.status]).toEqual([200, 200])
    await service.settle()
    expect((await regain()).status).toBe(200)
    expectError(await logInTo(target), 401, 'invalid_credentials')
  })

  it.each(losses)('sets no password after the %s', async (_, lose, regain) => {
    const target = await admin()
    const [lost, given] = await inOrder(lose, () => give(target))
    expect(lost?.status).toBe(200)
    expectError(given as ApiResponse, 401, 'invalid_access_token')
    expect((await regain()).status).toBe(200)
    expectError(await logInTo(target), 401, 'invalid_credentials')
  })

  it.each(losses)(
    'sets no password after the %s in a session that one of the passwords started',
    async (_, lose, regain) => {
      const [user, target] = [await admin(), await admin()]
      expect((await give(user)).status).toBe(200)
      const second = { ...user, token: (await logInTo(user)).body.accessToken }
      const [lost, given] = await inOrder(lose, () => give(target, second))
      expect(lost?.status).toBe(200)
      expectError(given as ApiResponse, 401, 'invalid_access_token')
      await service.settle()
      expect((await regain()).status).toBe(200)
      expectError(await logInTo(target), 401, 'invalid_credentials')
    },
  )

  it('causes no deadlock, and no failed demotion, with a stream of new users', async () => {
    let going = true
    const creating = atOnce(4, async () => {
      while (going) {
        const { status, text } = await call(setter, 'POST', '/users', {
          email: newEmail(),
          temporaryPassword: TEMPORARY,
        })
        expect([201, 401, 403, 503], text).toContain(status)
      }
    })
    try {
      for (let round = 0; round < 6; round++)
        for (const role of ['MEMBER', 'ORG_ADMIN']) {
          const { status, text } = await setRole(role)
          expect(status, text).toBe(200)
        }
    } finally {
      going = false
      await creating
    }
    expect(service.logLines.join()).not.toContain('deadlock')
  })
})
