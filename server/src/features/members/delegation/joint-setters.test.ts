import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ScriptedProvider, startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import {
  expectError,
  joinMany,
  joinTeam,
  logIn,
  newEmail,
  registerUser,
  requestToken,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { addProvider, fetchMe, oidcProvider, signInBy } from '../../../../test/factories/sso.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const TEMPORARY = 'handed over by the help desk'

describe('a temporary password that was set in a session with a temporary password', () => {
  let service: TestService
  let owner: TestUser
  /** Sets the temporary password of the second one, who sets that of the target. */
  let first: TestUser
  let second: TestUser
  let target: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    owner = await registerUser(service)
    ;[first, second, target] = [await admin(), await admin(), await admin()]
  })

  /** A member with the role ORG_ADMIN whose session is in another team. */
  async function admin(): Promise<TestUser> {
    const member = await registerUser(service)
    await verifyEmailAddress(service, member)
    await joinTeam(service, member, owner.teamId, { role: 'ORG_ADMIN' })
    return logIn(service, member)
  }
  const call = ({ token }: Pick<TestUser, 'token'>, method: string, path: string, body?: object) =>
    service.api(method, `/api/v1${path}`, { token, headers: { 'x-org-id': owner.teamId }, ...(body && { body }) })
  const ok = async (...request: Parameters<typeof call>) => {
    const answer = await call(...request)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }
  const setRole = (user: TestUser, role: string) =>
    ok(owner, 'PUT', `/organizations/${owner.teamId}/members/${user.id}/role`, { role })
  const setStatus = (user: TestUser, status: string) => ok(owner, 'PUT', `/users/${user.id}`, { status })
  const give = (by: Pick<TestUser, 'token'>, user: TestUser, temporaryPassword = TEMPORARY) =>
    call(by, 'POST', `/users/${user.id}/password-reset`, { temporaryPassword })
  const logInTo = ({ email }: TestUser, password = TEMPORARY) =>
    service.api('POST', '/api/v1/auth/login', { body: { email, password, teamId: owner.teamId } })

  /** Sets a temporary password of the user, and signs in with it. */
  async function takeOver(by: Pick<TestUser, 'token'>, user: TestUser): Promise<{ token: string }> {
    expect((await give(by, user)).status).toBe(200)
    const { status, body, text } = await logInTo(user)
    expect(status, text).toBe(200)
    return { token: body.accessToken }
  }
  const statuses = async (session: { token: string }) => [
    (await call(session, 'GET', '/auth/me')).status,
    (await logInTo(target)).status,
  ]

  const losses: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    ['the first setter is suspended', () => setStatus(first, 'suspended'), () => setStatus(first, 'active')],
    ['the first setter is demoted', () => setRole(first, 'MEMBER'), () => setRole(first, 'ORG_ADMIN')],
    ['the second setter is suspended', () => setStatus(second, 'suspended'), () => setStatus(second, 'active')],
    ['the second setter is demoted', () => setRole(second, 'MEMBER'), () => setRole(second, 'ORG_ADMIN')],
  ]

  it.each(losses)('ends at once, and for good, when %s', async (_, lose, regain) => {
    const session = await takeOver(await takeOver(first, second), target)
    expect(await statuses(session)).toEqual([200, 200])
    await lose()
    expect(await statuses(session)).toEqual([401, 401])
    await service.settle()
    await regain()
    expect(await statuses(session)).toEqual([401, 401])
  })

  it.each(losses.slice(0, 2))('ends in a session with a changed password too, when %s', async (_, lose) => {
    const temporary = await takeOver(first, second)
    const chosen = { currentPassword: TEMPORARY, newPassword: 'chosen in the session of the first one' }
    await ok(temporary, 'POST', '/auth/change-password', chosen)
    const { accessToken: token } = (await logInTo(second, chosen.newPassword)).body
    const session = await takeOver({ token }, target)
    await lose()
    expect(await statuses(session)).toEqual([401, 401])
  })

  it('ends when any of three setters loses the role', async () => {
    const third = await admin()
    const session = await takeOver(await takeOver(await takeOver(first, second), third), target)
    await setRole(second, 'USER_ADMIN')
    expect(await statuses(session)).toEqual([401, 401])
    await service.settle()
    await setRole(second, 'ORG_ADMIN')
    expect(await statuses(session)).toEqual([401, 401])
  })

  it('ends when the user gets a higher role than one setter, and remains revoked in the former role', async () => {
    const session = await takeOver(await takeOver(first, second), target)
    await setRole(first, 'OWNER')
    expect(await statuses(session)).toEqual([200, 200])
    for (const role of ['OWNER', 'ORG_ADMIN']) await setRole(target, role)
    expect(await statuses(session)).toEqual([401, 401])
  })

  it('remains for a user whose role every setter covers', async () => {
    await setRole(target, 'MEMBER')
    const session = await takeOver(await takeOver(first, second), target)
    for (const setter of [first, second]) await setStatus(setter, 'suspended')
    await service.settle()
    expect(await statuses(session)).toEqual([200, 200])
  })

  it('has at most 16 setters', async () => {
    const session = await takeOver(first, second)
    const id = randomUUID()
    const setters = Array.from({ length: 15 }, () => randomUUID())
    await joinMany(service, setters, owner.teamId)
    await service.sql("UPDATE memberships SET role = 'ORG_ADMIN' WHERE user_id = ANY($1::uuid[])", [setters])
    const write = (count: number) =>
      service.sql(
        `WITH written AS (INSERT INTO joint_setters (id, organization_id, set_by, created_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (id) DO UPDATE SET set_by = excluded.set_by)
         UPDATE sessions SET temporary_set_by = $1 WHERE user_id = $5 AND confined_team_id = $2`,
        [id, owner.teamId, [first.id, ...setters].slice(0, count), service.clock.now(), second.id],
      )
    await write(15)
    expect((await give(session, target)).status).toBe(200)
    await write(16)
    expectError(await give(session, target), 403, 'forbidden')
  })

  describe('and in which a provider was saved', () => {
    let scripted: ScriptedProvider
    let providerId: string
    beforeEach(async () => {
      scripted = await startScriptedProvider()
      const session = await takeOver(first, second)
      providerId = (await addProvider(service, session, oidcProvider(scripted, { autoProvision: true }))).id
    })
    afterEach(() => scripted.close())

    /** Signs a new administrator in through the provider, who creates an API token. */
    async function signIn(): Promise<() => Promise<[number, number]>> {
      const email = newEmail()
      const authenticated = Math.floor(service.clock.ms() / 1_000)
      const claims = { sub: email, email, email_verified: true, auth_time: authenticated }
      const { user } = await fetchMe(service, (await signInBy(service, providerId, scripted, claims)).token)
      await setRole(user, 'ORG_ADMIN')
      const token = (await signInBy(service, providerId, scripted, claims)).token ?? ''
      const created = await ok({ token }, 'POST', '/api-tokens', { name: 'Script', scopes: ['users:read'] })
      const statuses = async (): Promise<[number, number]> => [
        (await call({ token }, 'GET', '/auth/me')).status,
        (await service.api('GET', '/api/v1/users', { headers: { 'x-api-token': created.token } })).status,
      ]
      expect(await statuses()).toEqual([200, 200])
      return statuses
    }
    const saveAgain = () => ok(owner, 'PUT', `/sso/providers/${providerId}`, { autoProvision: true })

    it('ends its sessions and their API tokens at once, and for good, when a setter is demoted', async () => {
      const earlier = await signIn()
      await setRole(first, 'MEMBER')
      expect(await earlier()).toEqual([401, 401])
      await service.settle()
      await setRole(first, 'ORG_ADMIN')
      expect(await earlier()).toEqual([401, 401])
    })

    it('ends them even if the provider was saved again and its first editor has left', async () => {
      const earlier = await signIn()
      await saveAgain()
      const later = await signIn()
      await ok(owner, 'DELETE', `/organizations/${owner.teamId}/members/${second.id}`)
      await service.settle()
      await setRole(first, 'MEMBER')
      expect([await earlier(), await later()]).toEqual([
        [401, 401],
        [200, 200],
      ])
      await service.settle()
      await setRole(first, 'ORG_ADMIN')
      expect(await earlier()).toEqual([401, 401])
    })

    it('ends them when its first editor resets the own password by mail', async () => {
      const earlier = await signIn()
      await saveAgain()
      const token = await requestToken(service, 'password_reset', second.email)
      await service.api('POST', '/api/v1/auth/reset-password', { body: { token, newPassword: 'reset by its owner' } })
      expect(await earlier()).toEqual([401, 401])
    })
  })
})
