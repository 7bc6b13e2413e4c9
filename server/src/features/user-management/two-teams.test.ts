import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addUser,
  expectError,
  expectSession,
  joinTeam,
  logIn,
  mailedToken,
  newEmail,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const USERS = '/api/v1/users'

/** Two teams; what one does to a user whom both know. */
describe('a user of two teams', () => {
  let service: TestService
  let a: TestUser
  let b: TestUser
  beforeAll(async () => {
    service = await startService()
    a = await registerUser(service)
    b = await registerUser(service)
  })
  afterAll(() => service.close())

  const call = (by: TestUser, method: string, path: string, body?: unknown) =>
    service.api(method, `${USERS}${path}`, { token: by.token, body })
  const shownBy = async (by: TestUser, id: string) => (await call(by, 'GET', `/${id}`)).body
  const account = async (id: string) => (await service.sql('SELECT * FROM users WHERE id = $1', [id]))[0]
  const passwordOf = async (id: string) => (await service.sql('SELECT * FROM passwords WHERE user_id = $1', [id]))[0]
  const welcomed = async (email: string) =>
    service.api('POST', '/api/v1/auth/verify', { body: { token: await mailedToken(service, 'welcome', email) } })

  it('returns the same response for an existing account, adds a membership, sends a mail and leaves the account unchanged', async () => {
    const sharedUser = await registerUser(service)
    const [before, password] = [await account(sharedUser.id), await passwordOf(sharedUser.id)]
    const made = await addUser(service, a, { email: sharedUser.email, firstName: 'As', lastName: 'Team A writes' })
    expect(made).toMatchObject({ id: sharedUser.id, status: 'pending', firstName: 'As', managed: false })
    expect(Object.keys(made).sort()).toEqual(Object.keys(await addUser(service, a)).sort())
    expect([await account(sharedUser.id), await passwordOf(sharedUser.id)]).toEqual([before, password])
    await expectSession(service, sharedUser.token, 'active')
    // The user signs in as before, to their own team.
    expect((await logIn(service, sharedUser)).teamId).toBe(sharedUser.teamId)
    expect((await shownBy(a, sharedUser.id)).status).toBe('pending')
    const { status, body } = await welcomed(sharedUser.email)
    expect([status, body.team?.id]).toEqual([200, a.teamId])
    expect((await shownBy(a, sharedUser.id)).status).toBe('active')
  })

  it('isolates the profile, suspension and sessions of one team from the other', async () => {
    const sharedUser = await registerUser(service)
    await joinTeam(service, sharedUser, a.teamId)
    await joinTeam(service, sharedUser, b.teamId)
    const inB = await shownBy(b, sharedUser.id)
    const before = await account(sharedUser.id)
    const open = await service.api('POST', '/api/v1/auth/login', { body: { ...sharedUser, teamId: b.teamId } })
    const sessionsInB = async () => (await call(b, 'GET', `/${sharedUser.id}/sessions`)).body.data
    const listed = await sessionsInB()
    expect(listed).toHaveLength(1)

    const change = {
      firstName: 'X',
      lastName: 'Y',
      department: 'D',
      title: 'T',
      phone: '1',
      locale: 'de',
      role: 'admin',
    }
    expect((await call(a, 'PUT', `/${sharedUser.id}`, change)).body).toMatchObject(change)
    expect((await call(a, 'GET', `/${sharedUser.id}/sessions`)).body.data).toEqual([])
    expect((await call(a, 'DELETE', `/${sharedUser.id}/sessions`)).body.ended).toBe(0)
    await call(a, 'PUT', `/${sharedUser.id}`, { status: 'suspended' })
    expect(await shownBy(b, sharedUser.id)).toEqual({
      ...inB,
      lastLoginAt: expect.any(String),
      lastSignInAt: expect.any(String),
    })
    expect(await account(sharedUser.id)).toEqual(before)
    expect(await sessionsInB()).toEqual(listed)
    await expectSession(service, open.body.accessToken, 'active')
    const found = await call(b, 'GET', '?search=x%20y')
    expect(found.body.total).toBe(0)

    expect((await call(a, 'DELETE', `/${sharedUser.id}`)).status).toBe(200)
    expectError(await call(a, 'GET', `/${sharedUser.id}`), 404, 'user_not_found')
    expect(await shownBy(b, sharedUser.id)).toMatchObject({ email: sharedUser.email, status: 'active' })
    expect(await account(sharedUser.id)).toEqual(before)
    await expectSession(service, open.body.accessToken, 'active')
    await expectSession(service, sharedUser.token, 'active')
  })

  it('shows the own profile as fallback to a confirmed team only', async () => {
    const sharedUser = await registerUser(service)
    await verifyEmailAddress(service, sharedUser)
    const own = { firstName: 'Own', lastName: 'Name' }
    expect((await service.api('PATCH', '/api/v1/auth/me', { token: sharedUser.token, body: own })).status).toBe(200)
    await addUser(service, a, { email: sharedUser.email })
    await addUser(service, b, { email: sharedUser.email, firstName: 'Bee' })
    expect(await shownBy(a, sharedUser.id)).toMatchObject({ firstName: null, lastName: null })
    expect(await shownBy(b, sharedUser.id)).toMatchObject({ firstName: 'Bee', lastName: null })
    const joined = await service.api('POST', '/api/v1/auth/switch-team', {
      token: sharedUser.token,
      body: { teamId: b.teamId },
    })
    expect(joined.status).toBe(200)
    expect(await shownBy(b, sharedUser.id)).toMatchObject({ firstName: 'Bee', lastName: 'Name' })
    expect(await shownBy(a, sharedUser.id)).toMatchObject({ firstName: null, lastName: null })
    expect(await account(sharedUser.id)).toMatchObject({ first_name: 'Own', last_name: 'Name' })
  })

  it('keeps its own profile empty when teams write theirs, and shows later own values to a confirmed team only', async () => {
    const user = await addUser(service, a, { firstName: 'Made', lastName: 'Here', phone: '1' })
    await addUser(service, b, { email: user.email, firstName: 'Bee' })
    await call(a, 'PUT', `/${user.id}`, { lastName: 'There', phone: null })
    expect(await account(user.id)).toMatchObject({ first_name: null, last_name: null, phone: null })
    expect(await shownBy(a, user.id)).toMatchObject({ firstName: 'Made', lastName: 'There', phone: null })
    expect(await shownBy(b, user.id)).toMatchObject({ firstName: 'Bee', lastName: null, phone: null })
    const { body } = await welcomed(user.email)
    expect(body.team.id).toBe(b.teamId)
    const profile = { firstName: 'Own', lastName: 'Name', phone: '2' }
    await service.api('PATCH', '/api/v1/auth/me', { token: body.accessToken, body: profile })
    expect(await shownBy(b, user.id)).toMatchObject({ firstName: 'Bee', lastName: 'Name', phone: '2' })
    expect(await shownBy(a, user.id)).toMatchObject({ firstName: 'Made', lastName: 'There', phone: null })
  })

  it('keeps the welcome link of one team when the other adds the user too, and revokes it on removal there', async () => {
    const email = newEmail()
    const user = await addUser(service, a, { email })
    const fromA = await mailedToken(service, 'welcome', email)
    await addUser(service, b, { email })
    const fromB = await mailedToken(service, 'welcome', email)
    await call(b, 'DELETE', `/${user.id}`)
    const verify = (token: string) => service.api('POST', '/api/v1/auth/verify', { body: { token } })
    expectError(await verify(fromB), 400, 'invalid_token')
    expect((await verify(fromA)).body.team.id).toBe(a.teamId)
  })

  it('loses the password of an unverified registration when a welcome link is redeemed', async () => {
    const squatter = await registerUser(service)
    await addUser(service, a, { email: squatter.email })
    const { body } = await welcomed(squatter.email)
    expect(body).toMatchObject({ team: { id: a.teamId }, cleaned: { passwordRemoved: true } })
    await expectSession(service, squatter.token, 'revoked')
    const login = await service.api('POST', '/api/v1/auth/login', { body: squatter })
    expectError(login, 401, 'invalid_credentials')
  })
})
