import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { authorizePath, registerApp } from '../../../test/doubles/relying-party.js'
import {
  addUser,
  comparable,
  expectError,
  expectSession,
  joinTeam,
  newEmail,
  registerApplication,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../test/factories/factories.js'
import { makeDirectory } from '../../../test/factories/scim.js'
import { openBrowser } from '../../../test/harness/browser.js'
import { startService } from '../../../test/harness/service.js'

const service = await startService()
afterAll(() => service.close())

let owner: TestUser
beforeEach(async () => {
  owner = await registerUser(service)
})
const get = (token: string, path: string) => service.api('GET', `/api/v1${path}`, { token })

describe('an unconfirmed membership', () => {
  it('hides the own profile from a session that its team controls', async () => {
    const email = newEmail()
    const user = await addUser(service, owner, { email, title: 'Clerk', temporaryPassword: 'a temporary password' })
    await service.sql("UPDATE users SET first_name = 'Own', phone = '+43 1', title = 'Spy' WHERE id = $1", [user.id])
    const { body: session } = await service.api('POST', '/api/v1/auth/login', {
      body: { email, password: 'a temporary password' },
    })
    expect(session.user.firstName).toBeNull()
    const { body: me } = await get(session.accessToken, '/auth/me')
    expect(me).toMatchObject({
      session: { confined: true },
      user: { firstName: null },
      profile: { firstName: null, phone: null, title: 'Clerk' },
    })
    const { body: refreshed } = await service.api('POST', '/api/v1/auth/refresh', {
      body: { refreshToken: session.refreshToken },
    })
    expect(refreshed.user.firstName).toBeNull()
    await service.sql('UPDATE memberships SET counts = true WHERE user_id = $1', [user.id])
    expect((await get(session.accessToken, '/auth/me')).body).toMatchObject({
      user: { firstName: 'Own' },
      profile: { firstName: 'Own', phone: '+43 1', title: 'Clerk' },
    })
  })

  it("shows none of the team's applications in the launcher", async () => {
    const user = await registerUser(service)
    await service.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [user.id])
    const application = await registerApplication(service, owner)
    await joinTeam(service, user, owner.teamId, { counts: false })
    const shown = async () =>
      (await get(user.token, '/auth/applications')).body.data.map(({ id }: { id: string }) => id)
    expect(await shown()).toEqual([])
    await service.api('POST', '/api/v1/auth/switch-team', { token: user.token, body: { teamId: owner.teamId } })
    expect(await shown()).toEqual([application.id])
  })

  it('remains unconfirmed after a welcome link if another team is confirmed', async () => {
    const user = await registerUser(service)
    await service.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [user.id])
    await addUser(service, owner, { email: user.email })
    const mail = (await service.mails(user.email)).findLast(({ kind }) => kind === 'welcome')
    const token = new URL(mail?.link ?? '').searchParams.get('token')
    const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    expect(body.team.id).toBe(owner.teamId)
    const [membership] = await service.sql(
      'SELECT counts FROM memberships WHERE user_id = $1 AND organization_id = $2',
      [user.id, owner.teamId],
    )
    expect(membership?.counts).toBe(false)
  })
})

describe('consent to an application of an unconfirmed team', () => {
  it('requires consent again, which confirms the membership', async () => {
    const user = await registerUser(service)
    await service.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [user.id])
    const app = await registerApp(service, owner)
    await joinTeam(service, user, owner.teamId, { counts: false })
    const confirmed = async () =>
      (
        await service.sql('SELECT counts FROM memberships WHERE user_id = $1 AND organization_id = $2', [
          user.id,
          owner.teamId,
        ])
      )[0]?.counts
    const browser = openBrowser(service, user)
    await browser.authorize(app)
    expect(await confirmed()).toBe(true)
    const sentTo = async () => (await browser.visit(authorizePath(app))).headers.get('location') ?? ''
    expect(new URL(await sentTo()).searchParams.has('code')).toBe(true)
    await service.sql('UPDATE memberships SET counts = false WHERE user_id = $1 AND organization_id = $2', [
      user.id,
      owner.teamId,
    ])
    expect(new URL(await sentTo()).pathname).toBe('/consent')
    expect(await confirmed()).toBe(false)
  })

  it('requires consent before the policies of the team decide, so an earlier denial is not logged', async () => {
    const boss = await registerUser(service)
    const user = await registerUser(service)
    await service.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [user.id])
    const app = await registerApp(service, boss)
    await joinTeam(service, user, boss.teamId, { counts: false })
    const policy = {
      name: 'No user',
      type: 'SIGN_ON',
      resource: `application:${app.id}`,
      actions: ['login'],
      effect: 'DENY',
    }
    expect((await service.api('POST', '/api/v1/policies', { token: boss.token, body: policy })).status).toBe(201)
    const browser = openBrowser(service, user)
    await browser.authorize(await registerApp(service, user))
    const { headers } = await browser.visit(authorizePath(app))
    expect(new URL(headers.get('location') ?? '').pathname).toBe('/consent')
    const seen = await service.sql('SELECT action FROM audit_entries WHERE team_id = $1 AND user_id = $2', [
      boss.teamId,
      user.id,
    ])
    expect(seen).toEqual([])
  })
})

describe('POST /organizations/{orgId}/leave', () => {
  it('works while the membership is suspended', async () => {
    const user = await registerUser(service)
    await joinTeam(service, user, owner.teamId)
    await service.api('PUT', `/api/v1/users/${user.id}`, { token: owner.token, body: { status: 'suspended' } })
    const leave = () => service.api('POST', `/api/v1/organizations/${owner.teamId}/leave`, { token: user.token })
    expect((await leave()).status).toBe(200)
    expect((await leave()).status).toBe(404)
    expect((await get(owner.token, `/users/${user.id}`)).status).toBe(404)
  })
})

describe('a suspended membership', () => {
  it('hides the own profile from every search, filter and sort order of the team', async () => {
    const directory = await makeDirectory(service, owner)
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    await joinTeam(service, user, owner.teamId)
    const rename = (lastName: string) =>
      service.api('PATCH', '/api/v1/auth/me', { token: user.token, body: { firstName: 'Avery', lastName } })
    expect((await rename('Before')).status).toBe(200)
    const found = async (name: string) => {
      const { body: byName } = await get(owner.token, `/users?search=${name}`)
      const { body: byPrefix } = await get(owner.token, `/users?search=${name.slice(0, 3)}`)
      const filter = encodeURIComponent(`name.familyName eq "${name}"`)
      const { body: filtered } = await directory.call('GET', `/Users?filter=${filter}`)
      return [byName.total, byPrefix.total, filtered.totalResults]
    }
    const status = (value: string) =>
      service.api('PUT', `/api/v1/users/${user.id}`, { token: owner.token, body: { status: value } })
    expect(await found('Before')).toEqual([1, 1, 1])

    expect((await status('suspended')).status).toBe(200)
    expect(await found('Before')).toEqual([0, 0, 0])
    await service.sql('UPDATE users SET last_name = $2 WHERE id = $1', [user.id, 'Secret'])
    expect(await found('Secret')).toEqual([0, 0, 0])
    const { body: sorted } = await directory.call('GET', '/Users?sortBy=name.familyName&sortOrder=ascending')
    // Without a visible name it is last.
    expect(sorted.Resources.at(-1).id).toBe(user.id)

    expect((await status('active')).status).toBe(200)
    expect(await found('Secret')).toEqual([1, 1, 1])
    await service.sql('UPDATE memberships SET counts = false WHERE user_id = $1', [user.id])
    expect(await found('Secret')).toEqual([0, 0, 0])
  })
})

describe('a team that added the address of an unverified account', () => {
  const TEMPORARY = 'a temporary password'
  let account: TestUser
  let restricted: string
  beforeEach(async () => {
    account = await registerUser(service)
    await addUser(service, owner, { email: account.email, temporaryPassword: TEMPORARY })
    const { body } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: account.email, password: TEMPORARY, teamId: owner.teamId },
    })
    restricted = body.accessToken
  })
  const act = (method: string, path: string, token = account.token, body?: Record<string, unknown>) =>
    service.api(method, `/api/v1${path}`, { token, ...(body && { body }) })

  it('returns 404 to the account for leave, block, confirm and join, as for an unknown team', async () => {
    const outsider = await registerUser(service)
    for (const [method, name] of [
      ['POST', 'leave'],
      ['POST', 'block'],
      ['DELETE', 'block'],
      ['POST', 'confirm'],
      ['POST', 'join'],
    ] as const) {
      const answer = await act(method, `/organizations/${owner.teamId}/${name}`)
      expectError(answer, 404, 'organization_not_found')
      expect(comparable(answer)).toEqual(comparable(await act(method, `/organizations/${outsider.teamId}/${name}`)))
    }
    await expectSession(service, restricted, 'active')
    expect((await get(owner.token, `/users/${account.id}`)).body.status).toBe('active')
  })

  it('lets the account leave in a session that is restricted to the team', async () => {
    expect((await act('POST', `/organizations/${owner.teamId}/leave`, restricted)).status).toBe(200)
    expect((await get(owner.token, `/users/${account.id}`)).status).toBe(404)
  })

  it('lets the account leave once the email address is verified', async () => {
    await verifyEmailAddress(service, account)
    expect((await act('POST', `/organizations/${owner.teamId}/leave`)).status).toBe(200)
  })

  it('lets the account leave a team that it created', async () => {
    expectError(await act('POST', `/organizations/${account.teamId}/leave`), 409, 'last_admin')
  })

  it('hides its sessions from the account', async () => {
    const listed = async (token: string) => (await act('GET', '/auth/sessions', token)).body.data
    expect(await listed(account.token)).toHaveLength(1)
    const [{ id }] = await listed(restricted)
    expectError(await act('DELETE', `/auth/sessions/${id}`), 404, 'session_not_found')
    expect((await act('DELETE', '/auth/sessions')).status).toBe(200)
    await expectSession(service, restricted, 'active')
    const change = { currentPassword: account.password, newPassword: 'another horse battery staple' }
    expect((await act('POST', '/auth/change-password', account.token, change)).status).toBe(200)
    await expectSession(service, restricted, 'active')
    await verifyEmailAddress(service, account)
    expect(await listed(account.token)).toHaveLength(2)
    expect((await act('DELETE', '/auth/sessions')).status).toBe(200)
    await expectSession(service, restricted, 'revoked')
  })

  it('hides its grants from the account', async () => {
    const application = await registerApplication(service, owner)
    await service.sql(
      `INSERT INTO consents (user_id, application_id, restricted, scopes, claims, created_at, updated_at) VALUES ($1, $2, true, '{openid}', '{}', now(), now())`,
      [account.id, application.id],
    )
    expect((await act('GET', '/auth/grants')).body.data).toEqual([])
    expectError(await act('DELETE', `/auth/grants/${application.id}`), 404, 'grant_not_found')
    expect((await act('GET', '/auth/grants', restricted)).body.data).toHaveLength(1)
    expect((await act('DELETE', `/auth/grants/${application.id}`, restricted)).status).toBe(200)
  })
})
