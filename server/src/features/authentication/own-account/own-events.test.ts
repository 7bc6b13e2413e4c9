import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addUser,
  expectError,
  joinTeam,
  logIn,
  registerUser,
  registerVerifiedUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const DAY = 24 * 60 * 60_000

interface Event {
  action: string
  result: string
  actor: string
  team: { id: string; name: string | null } | null
  ipAddress: string | null
  device: string | null
  method: string | null
  reason: string | null
}

describe('GET /auth/events', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    user = await registerVerifiedUser(service)
  })

  const read = ({ token }: Pick<TestUser, 'token'>, query = '') =>
    service.api('GET', `/api/v1/auth/events${query}`, { token })
  const events = async (who: Pick<TestUser, 'token'>, query = ''): Promise<Event[]> => {
    const { status, body } = await read(who, query)
    expect(status).toBe(200)
    return body.data
  }
  const signIn = (password: string, teamId?: string) =>
    service.api('POST', '/api/v1/auth/login', { body: { email: user.email, password, ...(teamId && { teamId }) } })
  const act = (by: TestUser, method: string, path: string, body?: object) =>
    service.api(method, `/api/v1${path}`, {
      token: by.token,
      headers: { 'user-agent': 'Administrator/1.0' },
      ...(body && { body }),
    })

  it('lists sign-ins, failures and credential changes of the user, newest first', async () => {
    await service.clock.advance(1_000)
    await signIn('a wrong password')
    await service.clock.advance(1_000)
    const session = await logIn(service, user)
    await service.clock.advance(1_000)
    await service.api('POST', '/api/v1/auth/change-password', {
      token: session.token,
      body: { currentPassword: user.password, newPassword: `${user.password}!` },
    })
    const [changed, success, failure] = await events(session)
    const team = { id: user.teamId, name: expect.any(String) }
    expect(changed).toMatchObject({ action: 'user.password_changed', result: 'SUCCESS', actor: 'user', team })
    expect(success).toMatchObject({
      action: 'user.login',
      result: 'SUCCESS',
      method: 'password',
      device: expect.any(String),
      ipAddress: expect.any(String),
    })
    expect(failure).toMatchObject({ action: 'user.login', result: 'FAILURE', reason: 'wrong_password' })
    expect(Object.keys(failure ?? {}).toSorted()).toEqual([
      'action',
      'actor',
      'country',
      'createdAt',
      'device',
      'id',
      'ipAddress',
      'method',
      'reason',
      'result',
      'team',
    ])
  })

  it('lists nothing of another user', async () => {
    const other = await registerUser(service)
    await joinTeam(service, other, user.teamId)
    const before = (await events(user)).length
    await logIn(service, other)
    await service.api('POST', '/api/v1/auth/login', { body: { email: other.email, password: 'a wrong password' } })
    expect(await events(user)).toHaveLength(before)
  })

  it.each([
    ['mfa/reset', 'user.factors_reset'],
    ['lock-down', 'user.locked_down'],
  ])('lists the act %s of a confirmed team without the administrator and their browser', async (path, action) => {
    const admin = await registerUser(service)
    await joinTeam(service, user, admin.teamId)
    expect((await act(admin, 'POST', `/users/${user.id}/${path}`)).status).toBe(200)
    const [event] = await events(await logIn(service, user), `?teamId=${admin.teamId}`)
    expect(event).toMatchObject({
      action,
      actor: 'team',
      team: { id: admin.teamId },
      ipAddress: null,
      device: null,
    })
    const { text } = await read(await logIn(service, user))
    for (const secret of [admin.id, admin.email, 'Administrator']) expect(text).not.toContain(secret)
  })

  it('lists no acts of a team that the user has not confirmed', async () => {
    const hostile = await registerUser(service)
    await addUser(service, hostile, { email: user.email })
    expect((await act(hostile, 'POST', `/users/${user.id}/mfa/reset`)).status).toBe(200)
    expect((await events(user)).filter(({ actor }) => actor === 'team')).toEqual([])
  })

  it('lists failures that name a team which the user has not confirmed', async () => {
    const hostile = await registerUser(service)
    await addUser(service, hostile, { email: user.email })
    await signIn('a wrong password', hostile.teamId)
    expect(await events(user, '?result=FAILURE')).toMatchObject([
      { action: 'user.login', team: { id: hostile.teamId } },
    ])
  })

  it('lists nothing of the teams that added an unverified account, whose password a third party may have set', async () => {
    const [registrant, company] = [await registerUser(service), await registerUser(service)]
    await addUser(service, company, { email: registrant.email })
    const body = { email: registrant.email, password: 'a wrong password', teamId: company.teamId }
    await service.api('POST', '/api/v1/auth/login', { body })
    const { text } = await read(registrant)
    expect(text).not.toContain(company.teamId)
    expect(await events(registrant, `?teamId=${registrant.teamId}`)).not.toEqual([])
    await verifyEmailAddress(service, registrant)
    expect(await events(await logIn(service, registrant), `?teamId=${company.teamId}`)).toHaveLength(1)
  })

  it('lists no sign-ins with a credential of a team that the user has not confirmed', async () => {
    const hostile = await registerUser(service)
    const password = 'handed over by the help desk'
    await addUser(service, hostile, { email: user.email, temporaryPassword: password })
    expect((await signIn(password, hostile.teamId)).status).toBe(200)
    expect(await events(user, `?teamId=${hostile.teamId}`)).toEqual([])
  })

  it('lists no acts of the user on the accounts of others', async () => {
    const added = await addUser(service, user, { email: 'someone-new@example.test' })
    const body = { email: 'renamed@example.test' }
    expect((await act(user, 'PUT', `/users/${added.id}`, body)).status).toBe(200)
    expect((await events(user)).filter(({ action }) => action === 'user.email_changed')).toEqual([])
  })

  it('lists only events of its team in a restricted session', async () => {
    const hostile = await registerUser(service)
    const password = 'handed over by the help desk'
    await addUser(service, hostile, { email: user.email, temporaryPassword: password })
    const { body } = await signIn(password, hostile.teamId)
    const listed = await events({ token: body.accessToken })
    expect(listed.length).toBeGreaterThan(0)
    for (const { team } of listed) expect(team?.id).toBe(hostile.teamId)
    expect(await events({ token: body.accessToken }, `?teamId=${user.teamId}`)).toEqual([])
  })

  it('pages, filters by result, and ends after 90 days', async () => {
    for (let count = 0; count < 3; count++) await signIn('a wrong password')
    const { body } = await read(user, '?result=FAILURE&limit=2')
    expect(body).toMatchObject({ total: 3, page: 1, limit: 2 })
    expect(body.data).toHaveLength(2)
    expect((await read(user, '?result=FAILURE&limit=2&page=2')).body.data).toHaveLength(1)
    expect((await read(user, '?teamId=unknown')).body).toMatchObject({ data: [], total: 0 })
    expectError(await read(user, '?result=NONE'), 400, 'invalid_request')
    await service.clock.advance(91 * DAY)
    const later = await logIn(service, user)
    expect(await events(later, '?result=FAILURE')).toEqual([])
    expect((await events(later)).map(({ action }) => action)).toEqual(['user.login'])
  })
})
