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
import { startService, type TestService } from '../../../../test/harness/service.js'
import { SERVER_URL } from '../../../../test/harness/test-database.js'

const TEMPORARY = 'handed over by the help desk'

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

  it.each([
    ['suspension', () => setStatus('suspended'), () => setStatus('active')],
    ['demotion', () => setRole('MEMBER'), () => setRole('ORG_ADMIN')],
  ])('has none left after a concurrent %s, also with the former permissions', async (_, lose, regain) => {
    for (let round = 0; round < 8; round++) {
      const target = await admin()
      const set = () => call(setter, 'POST', `/users/${target.id}/password-reset`, { temporaryPassword: TEMPORARY })
      const [lost] = await Promise.all([lose(), set(), set(), set()])
      expect(lost.status, lost.text).toBe(200)
      await service.settle()
      expect((await regain()).status).toBe(200)
      const body = { email: target.email, password: TEMPORARY, teamId: owner.teamId }
      expectError(await service.api('POST', '/api/v1/auth/login', { body }), 401, 'invalid_credentials')
    }
  })

  it('delays neither the demotion nor the own requests, which fail with no deadlock', async () => {
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
    for (let round = 0; round < 6; round++)
      for (const role of ['MEMBER', 'ORG_ADMIN']) {
        const { status, text } = await setRole(role)
        expect(status, text).toBe(200)
      }
    going = false
    await creating
    expect(service.logLines.join()).not.toContain('deadlock')
  })
})
