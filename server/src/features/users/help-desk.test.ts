import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addColleague,
  addUser,
  expectRefusal,
  expectSession,
  logIn,
  mailedToken,
  PASSWORD,
  proveAddress,
  registerUser,
  type TestUser,
} from '../../../test/factories.js'
import { startService, type TestService } from '../../../test/service.js'

const GIVEN = 'given by the help desk'
const HOUR = 3_600_000

describe('help for a user', () => {
  let service: TestService
  let owner: TestUser
  let helper: TestUser
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
    await proveAddress(service, owner)
    helper = await addColleague(service, owner)
    await service.sql("UPDATE memberships SET role = 'HELP_DESK_ADMIN' WHERE user_id = $1", [helper.id])
  })
  afterAll(() => service.close())

  const help = (id: string, path: string, body?: unknown, by = helper) =>
    service.api('POST', `/api/v1/users/${id}/${path}`, { token: by.token, body })
  const login = (user: { email: string }, password: string) =>
    service.api('POST', '/api/v1/auth/login', { body: { email: user.email, password } })

  it('mails anybody in the team a link to choose a password, and changes nothing yet', async () => {
    const { status, body } = await help(owner.id, 'password-reset', {})
    expect([status, body]).toEqual([200, { message: expect.any(String) }])
    const token = await mailedToken(service, 'password_reset', owner.email)
    await expectSession(service, owner.token, 'alive')
    const chosen = await service.api('POST', '/api/v1/auth/reset-password', { body: { token, newPassword: PASSWORD } })
    expect(chosen.status).toBe(200)
    owner = await logIn(service, owner)
  })

  it('gives a temporary password: every session ends, the owner is told, and it is changed at the next sign-in', async () => {
    const user = await addColleague(service, owner)
    const other = await logIn(service, user)
    expect((await help(user.id, 'password-reset', { temporaryPassword: GIVEN })).status).toBe(200)
    for (const { token } of [user, other]) await expectSession(service, token, 'ended')
    expectRefusal(await login(user, user.password), 401, 'invalid_credentials')
    expect((await login(user, GIVEN)).body).toMatchObject({ mustChangePassword: true })
    const mail = (await service.mails(user.email)).find(({ kind }) => kind === 'password_given')
    expect(mail?.text).toContain('temporary password')
    expect(mail?.text).not.toContain(GIVEN)
  })

  it('gives a password that works although the account was locked', async () => {
    const user = await addColleague(service, owner)
    for (let turn = 0; turn < 10; turn++) await login(user, 'wrong wrong wrong')
    expectRefusal(await login(user, user.password), 401, 'invalid_credentials')
    await help(user.id, 'password-reset', { temporaryPassword: GIVEN })
    expect((await login(user, GIVEN)).status).toBe(200)
  })

  it('gives no password that the rules refuse, and none to oneself past the current one', async () => {
    const user = await addColleague(service, owner)
    expectRefusal(await help(user.id, 'password-reset', { temporaryPassword: 'x' }), 400, 'password_policy')
    expectRefusal(await help(helper.id, 'password-reset', { temporaryPassword: GIVEN }), 403, 'forbidden')
    expectRefusal(await help(user.id, 'password-reset', { temporaryPassword: 7 }), 400, 'invalid_request')
    await expectSession(service, user.token, 'alive')
  })

  it.each(['DELETE sessions', 'POST sessions/revoke'])('ends by %s what is open in the team', async (row) => {
    const user = await addColleague(service, owner)
    const other = await logIn(service, user)
    const path = `/api/v1/users/${user.id}`
    const { body } = await service.api('GET', `${path}/sessions`, { token: helper.token })
    expect(body.data).toHaveLength(2)
    expect(body.data[0]).toMatchObject({ current: false, method: 'password', team: { id: owner.teamId } })
    const [method = '', end] = row.split(' ')
    const ended = await service.api(method, `${path}/${end}`, { token: helper.token })
    expect([ended.status, ended.body.ended]).toEqual([200, 2])
    for (const { token } of [user, other]) await expectSession(service, token, 'ended')
    expect((await service.api('GET', `${path}/sessions`, { token: helper.token })).body.data).toEqual([])
    expect((await logIn(service, user)).id).toBe(user.id)
  })

  it('welcomes a pending user again: the new link works, the old one is dead', async () => {
    const user = await addUser(service, owner)
    const old = await mailedToken(service, 'welcome', user.email)
    expect((await help(user.id, 'invite/resend', undefined, owner)).status).toBe(200)
    const token = await mailedToken(service, 'welcome', user.email)
    const verify = (token: string) => service.api('POST', '/api/v1/auth/verify', { body: { token } })
    expectRefusal(await verify(old), 400, 'invalid_token')
    expect((await verify(token)).status).toBe(200)
    expectRefusal(await help(user.id, 'invite/resend', undefined, owner), 409, 'not_pending')
  })

  it('welcomes one address at most twenty times an hour, and the link of the last mail stays good', async () => {
    const user = await addUser(service, owner)
    for (let turn = 1; turn < 20; turn++)
      expect((await help(user.id, 'invite/resend', undefined, owner)).status).toBe(200)
    const refused = await help(user.id, 'invite/resend', undefined, owner)
    expectRefusal(refused, 429, 'rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const token = await mailedToken(service, 'welcome', user.email)
    expect((await service.api('POST', '/api/v1/auth/verify', { body: { token } })).status).toBe(200)
    await service.clock.advance(HOUR)
  })
})
