import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  expectError,
  expectSession,
  joinTeam,
  logIn,
  mailedToken,
  newEmail,
  PASSWORD,
  registerUser,
  registerVerifiedUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import {
  type App,
  beginStep,
  completeChallengeWithCode,
  enrollApp,
  startApp,
} from '../../../../test/factories/factors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const NEW_PASSWORD = 'another password of the owner'

let service: TestService
let owner: TestUser
let thief: TestUser
beforeAll(async () => {
  service = await startService({ env: { LIMIT_MAILS: '100' } })
})
afterAll(() => service.close())
beforeEach(async () => {
  owner = await registerVerifiedUser(service)
  thief = await logIn(service, owner)
})

const auth = (method: string, path: string, { token }: Pick<TestUser, 'token'>, body?: object) =>
  service.api(method, `/api/v1/auth/${path}`, { token, body })
async function requestChange(by: TestUser): Promise<string> {
  const email = newEmail('new')
  expect((await auth('POST', 'me/email', by, { email })).status).toBe(200)
  return mailedToken(service, 'change_email', email)
}
const finish = (by: TestUser, app: App) =>
  auth('POST', 'mfa/enroll/verify', by, { methodId: app.methodId, code: app.code() })

const RECOVERIES: [string, () => Promise<TestUser>][] = [
  [
    'a reset by mail',
    async () => {
      const body = { token: await requestToken(service, 'password_reset', owner.email), newPassword: NEW_PASSWORD }
      expect((await service.api('POST', '/api/v1/auth/reset-password', { body })).status).toBe(200)
      return logIn(service, { email: owner.email, password: NEW_PASSWORD })
    },
  ],
  [
    'a change of the password in another session',
    async () => {
      const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
      expect((await auth('POST', 'change-password', owner, change)).status).toBe(200)
      return owner
    },
  ],
  [
    'the end of all other sessions',
    async () => {
      expect((await auth('DELETE', 'sessions', owner)).status).toBe(200)
      return owner
    },
  ],
  [
    'the end of its session',
    async () => {
      expect((await auth('POST', 'logout', thief)).status).toBe(200)
      return owner
    },
  ],
]

describe('a pending request of a session', () => {
  it.each(RECOVERIES)('ends with %s: a change of the email address, and an enrollment', async (_, recover) => {
    const link = await requestChange(thief)
    const app = await startApp(service, thief)
    const session = await recover()
    await expectSession(service, thief.token, 'revoked')
    expectError(await auth('POST', 'confirm-email', session, { token: link }), 400, 'invalid_token')
    expectError(await finish(session, app), 404, 'factor_not_found')
    expect((await auth('GET', 'mfa/status', session)).body.methods).toEqual([])
  })

  it('completes in the session that changed the password', async () => {
    const link = await requestChange(owner)
    const app = await startApp(service, owner)
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    expect((await auth('POST', 'change-password', owner, change)).status).toBe(200)
    expect((await finish(owner, app)).status).toBe(200)
    expect((await auth('POST', 'confirm-email', owner, { token: link })).status).toBe(200)
  })

  it('completes in the session that continues it in another team', async () => {
    const other = await registerUser(service)
    await joinTeam(service, owner, other.teamId)
    const link = await requestChange(owner)
    const app = await enrollApp(service, owner)
    await service.sql("UPDATE sessions SET amr = '{pwd}', verified_factor_ids = '{}' WHERE user_id = $1", [owner.id])
    await beginStep(service)
    const { mfaToken } = (await auth('POST', 'switch-team', owner, { teamId: other.teamId })).body
    expect(mfaToken).toEqual(expect.any(String))
    const { body } = await completeChallengeWithCode(service, mfaToken, app.code())
    expect((await auth('POST', 'confirm-email', { token: body.accessToken }, { token: link })).status).toBe(200)
  })
})
