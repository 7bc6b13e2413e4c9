import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { isActive, registerApp, tokensFor } from '../../../../test/doubles/relying-party.js'
import { startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import type { Authenticator } from '../../../../test/factories/authenticator.js'
import {
  addColleague,
  expectError,
  expectSession,
  invitationToken,
  invite,
  joinTeam,
  newEmail,
  registerUser,
  requestToken,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { enrollPasskey } from '../../../../test/factories/factors.js'
import { addProvider, changeProvider, oidcProvider, signInBy } from '../../../../test/factories/sso.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { startService } from '../../../../test/harness/service.js'
import { syncDirectory, writeDirectory } from '../../../../test/peers/ldap-directory.js'
import { HAS_SLAPD, person, startSlapd } from '../../../../test/peers/slapd.js'

const service = await startService()
const provider = await startScriptedProvider()
afterAll(async () => {
  await service.close()
  await provider.close()
})
const { api } = service

let owner: TestUser
let admin: TestUser
let member: TestUser
beforeEach(async () => {
  owner = await registerUser(service)
  admin = await addColleague(service, owner, 'admin')
  member = await memberAs('READ_ONLY_ADMIN')
})

async function memberAs(role: string): Promise<TestUser> {
  const user = await registerUser(service)
  await verifyEmailAddress(service, user)
  await joinTeam(service, user, owner.teamId, { role })
  return user
}
const act = (method: string, path: string, by: Pick<TestUser, 'token'>, body?: Record<string, unknown>) =>
  api(method, `/api/v1${path}`, { token: by.token, ...(body && { body }) })
const setRole = async (user: TestUser, role: string) => {
  const path = `/organizations/${owner.teamId}/members/${user.id}/role`
  expect((await act('PUT', path, owner, { role })).status).toBe(200)
}

const claimsOf = ({ email }: TestUser) => ({
  sub: `sub-${email}`,
  email,
  email_verified: true,
  auth_time: Math.floor(service.clock.ms() / 1_000),
})

type SignIn = (user: TestUser) => Promise<string | undefined>
const providerOf = async (by: TestUser): Promise<{ id: string; signIn: SignIn }> => {
  const { id } = await addProvider(service, by, oidcProvider(provider))
  const signIn: SignIn = async (user) => (await signInBy(service, id, provider, claimsOf(user))).token
  return { id, signIn }
}
async function signsIn(signIn: SignIn, user: TestUser): Promise<{ token: string }> {
  const token = await signIn(user)
  if (!token) throw new Error('The sign-in failed')
  return { token }
}
async function byPasskey(authenticator: Authenticator): Promise<ApiResponse> {
  const { body } = await api('POST', '/api/v1/auth/passkey/options', {})
  return api('POST', '/api/v1/auth/passkey/verify', {
    body: { credential: authenticator.get(body), teamId: owner.teamId },
  })
}
const CHOSEN = 'chosen in the session of the provider'

/** Creates credentials in a session and returns whether they are still valid. */
async function createIn(session: { token: string }, scope: string) {
  const { authenticator } = await enrollPasskey(service, session)
  const app = await registerApp(service, owner)
  const { access_token: granted } = await tokensFor(service, app, session)
  const created = await act('POST', '/api-tokens', session, { name: 'Script', scopes: [scope] })
  const password = await act('POST', '/auth/change-password', session, { newPassword: CHOSEN })
  expect(password.status, password.text).toBe(200)
  return {
    authenticator,
    valid: async () => ({
      session: (await act('GET', '/auth/me', session)).status === 200,
      passkey: (await byPasskey(authenticator)).status,
      password: (
        await api('POST', '/api/v1/auth/login', {
          body: { email: member.email, password: CHOSEN, teamId: owner.teamId },
        })
      ).body.code,
      grant: await isActive(service, granted),
      apiToken:
        created.status === 201
          ? (await api('GET', '/api/v1/groups', { headers: { 'x-api-token': created.body.token } })).status
          : undefined,
    }),
  }
}

describe('credentials that a provider obtained for a member', () => {
  it.each<[string, (user: TestUser) => Promise<unknown>]>([
    ['a role of a member', (user) => setRole(user, 'SUPER_ADMIN')],
    ['a role of a user', (user) => act('PUT', `/users/${user.id}`, owner, { role: 'owner' })],
  ])('ends the credentials when %s is raised above that of the editor', async (_, raise) => {
    const { signIn } = await providerOf(admin)
    const session = await signsIn(signIn, member)
    const { valid } = await createIn(session, 'groups:read')
    expect(await valid()).toMatchObject({ session: true, passkey: 200, grant: true })
    await raise(member)
    expect(await valid()).toMatchObject({ session: false, passkey: 401, password: 'invalid_credentials', grant: false })
    await expectSession(service, session.token, 'revoked')
    await expectSession(service, member.token, 'active')
    expect(await signIn(member)).toBeUndefined()
  })

  it('accepts the credentials when the editor holds every permission of the new role', async () => {
    const { signIn } = await providerOf(owner)
    const { valid } = await createIn(await signsIn(signIn, member), 'groups:read')
    const before = await valid()
    await setRole(member, 'SUPER_ADMIN')
    expect(await valid()).toEqual(before)
  })

  it('ends the credentials although an owner has saved the provider since the sign-in', async () => {
    const { id, signIn } = await providerOf(admin)
    const session = await signsIn(signIn, member)
    const { authenticator } = await enrollPasskey(service, session)
    await changeProvider(service, owner, id, { autoProvision: true })
    await setRole(member, 'SUPER_ADMIN')
    await expectSession(service, session.token, 'revoked')
    expect((await byPasskey(authenticator)).status).toBe(401)
    await signsIn(signIn, member)
  })

  it('ends an API token that was created in the session', async () => {
    const { signIn } = await providerOf(admin)
    await setRole(member, 'ORG_ADMIN')
    const { valid } = await createIn(await signsIn(signIn, member), 'groups:read')
    expect((await valid()).apiToken).toBe(200)
    await setRole(member, 'SUPER_ADMIN')
    expect((await valid()).apiToken).toBe(401)
  })

  it('keeps a passkey when the user resets the own password by mail', async () => {
    const { signIn } = await providerOf(admin)
    const { authenticator } = await enrollPasskey(service, await signsIn(signIn, member))
    const token = await requestToken(service, 'password_reset', member.email)
    const reset = await api('POST', '/api/v1/auth/reset-password', {
      body: { token, newPassword: 'reset by its owner' },
    })
    expect(reset.status).toBe(200)
    expect((await byPasskey(authenticator)).status).toBe(200)
  })
})

describe('a session that a provider started', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['gets a lower role', () => setRole(admin, 'READ_ONLY_ADMIN')],
    ['is suspended', () => act('PUT', `/users/${admin.id}`, owner, { status: 'suspended' })],
    ['is removed', () => act('DELETE', `/organizations/${owner.teamId}/members/${admin.id}`, owner)],
  ])('rejects it when the editor %s and the member has more permissions', async (_, lose) => {
    const { signIn } = await providerOf(admin)
    const [above, plain] = [await memberAs('ORG_ADMIN'), await memberAs('MEMBER')]
    const session = await signsIn(signIn, above)
    const other = await signsIn(signIn, plain)
    const { authenticator } = await enrollPasskey(service, session)
    await lose()
    await expectSession(service, session.token, 'revoked')
    expectError(await byPasskey(authenticator), 403, 'role_protected')
    await expectSession(service, other.token, 'active')
    await expectSession(service, above.token, 'active')
  })

  it('stays rejected when the suspended editor is reactivated and the provider is saved again', async () => {
    const { id, signIn } = await providerOf(admin)
    const above = await memberAs('ORG_ADMIN')
    const session = await signsIn(signIn, above)
    await act('PUT', `/users/${admin.id}`, owner, { status: 'suspended' })
    await expectSession(service, session.token, 'revoked')
    await act('PUT', `/users/${admin.id}`, owner, { status: 'active' })
    await expectSession(service, session.token, 'revoked')
    await changeProvider(service, owner, id, { autoProvision: true })
    await expectSession(service, session.token, 'revoked')
    await expectSession(service, (await signsIn(signIn, above)).token, 'active')
  })

  it('rejects it while a member with fewer permissions is the last editor', async () => {
    const { id, signIn } = await providerOf(owner)
    const above = await memberAs('SUPER_ADMIN')
    const { body } = await signInWithRefresh(id, above)
    const session = { token: body.accessToken }
    await changeProvider(service, admin, id, { autoProvision: true })
    await expectSession(service, session.token, 'revoked')
    const refresh = () => api('POST', '/api/v1/auth/refresh', { body: { refreshToken: body.refreshToken } })
    expectError(await refresh(), 401, 'invalid_refresh_token')
    expect(await signIn(above)).toBeUndefined()
    await changeProvider(service, owner, id, { autoProvision: true })
    expect((await refresh()).status).toBe(200)
  })
})

describe('delayed actions of a session that a provider started', () => {
  const losses: [string, () => Promise<unknown>][] = [
    ['gets a lower role', () => setRole(admin, 'READ_ONLY_ADMIN')],
    ['is suspended', () => act('PUT', `/users/${admin.id}`, owner, { status: 'suspended' })],
    ['is removed', () => act('DELETE', `/organizations/${owner.teamId}/members/${admin.id}`, owner)],
  ]
  const TEMPORARY = 'set in the session of the provider'
  /** An administrator whose session was started by the provider of `admin`. */
  async function impersonated() {
    const { signIn } = await providerOf(admin)
    return signsIn(signIn, await memberAs('ORG_ADMIN'))
  }
  async function setPassword(by: { token: string }, user: TestUser) {
    const { status, text } = await act('POST', `/users/${user.id}/password-reset`, by, { temporaryPassword: TEMPORARY })
    expect(status, text).toBe(200)
    const body = { email: user.email, password: TEMPORARY, teamId: owner.teamId }
    return async () => (await api('POST', '/api/v1/auth/login', { body })).status
  }

  it.each(losses)(
    'revokes temporary passwords for users with more permissions when the editor %s',
    async (name, lose) => {
      const session = await impersonated()
      const [above, plain] = [await memberAs('ORG_ADMIN'), await memberAs('MEMBER')]
      const [signIn, signInPlain] = [await setPassword(session, above), await setPassword(session, plain)]
      expect([await signIn(), await signInPlain()]).toEqual([200, 200])
      await lose()
      expect([await signIn(), await signInPlain()]).toEqual([401, 200])
      if (name !== 'gets a lower role') return
      await service.settle()
      await setRole(admin, 'ORG_ADMIN')
      expect(await signIn()).toBe(401)
    },
  )

  it.each(losses)('withdraws pending invitations when the editor %s', async (_, lose) => {
    const session = { ...(await impersonated()), teamId: owner.teamId }
    const { token } = await invite(service, session, newEmail(), 'ORG_ADMIN')
    const read = () => api('GET', `/api/v1/invitations/${token}`)
    expect((await read()).status).toBe(200)
    await lose()
    expectError(await read(), 409, 'invitation_withdrawn')
  })

  it('stops a running import when the editor gets a lower role', async () => {
    const session = await impersonated()
    const email = newEmail('row')
    await service.sql(
      `CREATE FUNCTION no_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
    )
    await service.sql(
      `CREATE TRIGGER no_row BEFORE INSERT ON users FOR EACH ROW WHEN (NEW.email LIKE 'row-%') EXECUTE FUNCTION no_row()`,
    )
    const { body: run } = await act('POST', '/users/import', session, { csv: `email\n${email}` })
    await service.settle()
    await service.sql('DROP TRIGGER no_row ON users')
    await service.sql('DROP FUNCTION no_row')
    await setRole(admin, 'READ_ONLY_ADMIN')
    await service.clock.advance(20_000)
    await service.settle()
    const { body } = await act('GET', `/users/imports/${run.runId}`, owner)
    expect(body).toMatchObject({ status: 'failed', created: 0 })
  })

  it('keeps what an API token of the session does', async () => {
    const session = await impersonated()
    const scopes = ['members:write', 'org:read']
    const { body } = await act('POST', '/api-tokens', session, { name: 'Script', scopes })
    const headers = { 'x-api-token': body.token }
    const email = newEmail()
    const path = `/api/v1/organizations/${owner.teamId}/members/invite`
    const invited = await api('POST', path, { headers, body: { email, role: 'MEMBER' } })
    expect(invited.status, invited.text).toBe(201)
    const token = await invitationToken(service, email)
    await setRole(admin, 'READ_ONLY_ADMIN')
    expect((await api('GET', `/api/v1/invitations/${token}`)).status).toBe(200)
  })
})

/** The callback page gets an access token alone: the passkey of that session signs in with a refresh token. */
async function signInWithRefresh(id: string, user: TestUser): Promise<ApiResponse> {
  const result = await signInBy(service, id, provider, claimsOf(user))
  const { authenticator } = await enrollPasskey(service, { token: result.token ?? '' })
  return byPasskey(authenticator)
}

describe.skipIf(!HAS_SLAPD)('credentials that a directory obtained for a member', () => {
  it('ends the credentials of a directory when the role is raised above that of the editor', async () => {
    const slapd = await startSlapd({ ldif: person('meg', { mail: member.email }) })
    try {
      await writeDirectory(service, admin, slapd, { signInEnabled: true })
      expect(await syncDirectory(service, admin)).toMatchObject({ status: 'completed' })
      const logIn = () =>
        api('POST', '/api/v1/auth/login', {
          body: { email: member.email, password: 'password of meg', teamId: owner.teamId },
        })
      const { body, status } = await logIn()
      expect(status).toBe(200)
      const { authenticator } = await enrollPasskey(service, { token: body.accessToken })
      await setRole(member, 'SUPER_ADMIN')
      await expectSession(service, body.accessToken, 'revoked')
      expect((await byPasskey(authenticator)).status).toBe(401)
      expectError(await logIn(), 403, 'role_protected')
    } finally {
      await slapd.close()
    }
  })
})
