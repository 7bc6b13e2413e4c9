import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  addUser,
  comparable,
  expectError,
  expectSession,
  joinTeam,
  logIn,
  newEmail,
  PASSWORD,
  registerUser,
  registerVerifiedUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { makeDirectory } from '../../../../test/factories/scim.js'
import { oidcProvider } from '../../../../test/factories/sso.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { DAY } from '../../../platform/clock.js'

const TEMPORARY = 'handed over by the help desk'

const PROVIDER = oidcProvider({ issuer: 'https://login.example', clientId: 'keyward', clientSecret: 'secret' })
const DIRECTORY = { url: 'ldap://127.0.0.1:9', baseDn: 'dc=x', bindDn: 'cn=x', bindPassword: 'x' }

describe('POST /users/{id}/password-reset', () => {
  let service: TestService
  let owner: TestUser
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    owner = await registerUser(service)
    user = await registerVerifiedUser(service)
    await joinTeam(service, user, owner.teamId)
  })

  const give = (temporaryPassword = TEMPORARY, by = owner) =>
    service.api('POST', `/api/v1/users/${user.id}/password-reset`, { token: by.token, body: { temporaryPassword } })
  const signIn = (password: string, teamId?: string) =>
    service.api('POST', '/api/v1/auth/login', { body: { email: user.email, password, ...(teamId && { teamId }) } })
  const me = async (token: string) => (await service.api('GET', '/api/v1/auth/me', { token })).body
  const change = (token: string, currentPassword: string, newPassword: string) =>
    service.api('POST', '/api/v1/auth/change-password', { token, body: { currentPassword, newPassword } })

  it('sets a password that is valid only in this team, in addition to the own password of a member of other teams', async () => {
    expect((await give()).status).toBe(200)
    const restricted = await signIn(TEMPORARY, owner.teamId)
    expect(restricted.body).toMatchObject({ mustChangePassword: true, team: { id: owner.teamId } })
    expect((await me(restricted.body.accessToken)).session.confined).toBe(true)
    expectError(await signIn(TEMPORARY, user.teamId), 401, 'invalid_credentials')
    const own = await signIn(PASSWORD)
    expect(own.status).toBe(200)
    expect((await me(own.body.accessToken)).session.confined).toBe(false)
    await expectSession(service, user.token, 'active')
  })

  it('sets one for a member with an account when the team adds it', async () => {
    const known = await registerUser(service)
    await addUser(service, owner, { email: known.email, temporaryPassword: TEMPORARY })
    const body = { email: known.email, password: TEMPORARY, teamId: owner.teamId }
    const answer = await service.api('POST', '/api/v1/auth/login', { body })
    expect(answer.body).toMatchObject({ mustChangePassword: true, team: { id: owner.teamId } })
    await logIn(service, known)
  })

  it('rejects the temporary password after seven days', async () => {
    await give()
    await service.clock.advance(7 * DAY + 1_000)
    expectError(await signIn(TEMPORARY, owner.teamId), 401, 'invalid_credentials')
  })

  it('rejects the temporary password as the new one', async () => {
    await give()
    const { body } = await signIn(TEMPORARY, owner.teamId)
    const rejected = await change(body.accessToken, TEMPORARY, TEMPORARY)
    expectError(rejected, 400, 'password_policy')
    expect(rejected.body.errors).toEqual([{ path: '/newPassword', rule: 'unchanged', message: expect.any(String) }])
    expect((await me(body.accessToken)).mustChangePassword).toBe(true)
  })

  it('requires a new team password, which does not change the own one', async () => {
    await give()
    const { body } = await signIn(TEMPORARY, owner.teamId)
    expect((await change(body.accessToken, TEMPORARY, 'chosen for this team')).status).toBe(200)
    const again = await signIn('chosen for this team', owner.teamId)
    expect(await me(again.body.accessToken)).toMatchObject({ mustChangePassword: false, session: { confined: true } })
    expect((await signIn(PASSWORD)).status).toBe(200)
  })

  it.each([TEMPORARY, 'chosen for this team'])(
    'ends %j and its sessions when the user resets the own password by mail',
    async (last) => {
      await give()
      const { body } = await signIn(TEMPORARY, owner.teamId)
      if (last !== TEMPORARY) await change(body.accessToken, TEMPORARY, last)
      const token = await requestToken(service, 'password_reset', user.email)
      const reset = { token, newPassword: 'reset by its owner' }
      expect((await service.api('POST', '/api/v1/auth/reset-password', { body: reset })).status).toBe(200)
      expectError(await signIn(last, owner.teamId), 401, 'invalid_credentials')
      await expectSession(service, body.accessToken, 'revoked')
      expect((await me((await signIn('reset by its owner')).body.accessToken)).session.confined).toBe(false)
    },
  )

  it('returns the same response if the candidate is the own password, an earlier one or another', async () => {
    await service.api('PUT', '/api/v1/policies/password', { token: owner.token, body: { historyCount: 24 } })
    await change(user.token, PASSWORD, 'my present password')
    const reference = comparable(await give('none of them at all'))
    expect(reference.status).toBe(200)
    for (const candidate of [PASSWORD, 'my present password'])
      expect(comparable(await give(candidate))).toEqual(reference)
  })

  it('rejects a caller without the role before it validates the candidate', async () => {
    const viewer = await registerUser(service)
    await joinTeam(service, viewer, owner.teamId, { role: 'HELP_DESK_ADMIN' })
    await service.sql("UPDATE memberships SET role = 'OWNER' WHERE user_id = $1 AND organization_id = $2", [
      user.id,
      owner.teamId,
    ])
    const by = { ...viewer, token: (await logInTo(viewer, owner.teamId)).accessToken }
    for (const candidate of [PASSWORD, 'x', 'none of them at all'])
      expectError(await give(candidate, by), 403, 'role_protected')
  })

  it('ends the temporary password and its sessions when the user gets a role above that of the member who set it', async () => {
    const helper = await registerUser(service)
    await joinTeam(service, helper, owner.teamId, { role: 'HELP_DESK_ADMIN' })
    const { accessToken: token } = await logInTo(helper, owner.teamId)
    expect((await give(TEMPORARY, { ...helper, token })).status).toBe(200)
    const { body } = await signIn(TEMPORARY, owner.teamId)
    await change(body.accessToken, TEMPORARY, 'chosen for this team')
    const put = (role: string) => service.api('PUT', `/api/v1/users/${user.id}`, { token: owner.token, body: { role } })
    expect((await put('viewer')).status).toBe(200)
    await expectSession(service, body.accessToken, 'active')
    expect((await put('admin')).status).toBe(200)
    await expectSession(service, body.accessToken, 'revoked')
    expectError(await signIn('chosen for this team', owner.teamId), 401, 'invalid_credentials')
    expect((await signIn(PASSWORD)).status).toBe(200)
  })

  it.each(['resets the own password by mail', 'gets a role above that of the member who set it'])(
    'ends the tokens and the authority of providers and directories of its session when the user %s',
    async (event) => {
      const helper = await registerUser(service)
      await joinTeam(service, helper, owner.teamId, { role: 'ORG_ADMIN' })
      await service.sql("UPDATE memberships SET role = 'ORG_ADMIN' WHERE user_id = $1 AND organization_id = $2", [
        user.id,
        owner.teamId,
      ])
      const { accessToken: token } = await logInTo(helper, owner.teamId)
      expect((await give(TEMPORARY, { ...helper, token })).status).toBe(200)
      const own = await logInTo(user, owner.teamId)
      const { body: temporary } = await signIn(TEMPORARY, owner.teamId)
      const create = async ({ accessToken: token }: { accessToken: string }, path: string, body: object) => {
        const answer = await service.api('POST', `/api/v1/${path}`, { token, body })
        expect(answer.status, answer.text).toBe(201)
        return answer.body
      }
      const tokensOf = async (session: { accessToken: string }) => ({
        api: (await create(session, 'api-tokens', { name: 'Script', scopes: ['groups:read'] })).token,
        scim: (await create(session, 'directory/scim/token', {})).token,
      })
      const [stored, ended] = [await tokensOf(own), await tokensOf(temporary)]
      const provider = await create(temporary, 'sso/providers', PROVIDER)
      await create(temporary, 'directory/ldap/config', DIRECTORY)
      const statuses = async ({ api, scim }: typeof stored) => [
        (await service.api('GET', '/api/v1/groups', { headers: { 'x-api-token': api } })).status,
        (await service.api('GET', `/scim/v2/${owner.teamId}/Users`, { token: scim })).status,
      ]
      const asOwner = (path: string) => service.api('POST', `/api/v1/${path}`, { token: owner.token, body: {} })
      const savedBy = async () =>
        (await asOwner(`sso/providers/${provider.id}/test`)).body.checks.find(
          ({ id }: { id: string }) => id === 'saved_by',
        )
      expect(await statuses(ended)).toEqual([200, 200])
      expect((await savedBy()).status).not.toBe('failed')

      if (event.startsWith('resets')) {
        const token = await requestToken(service, 'password_reset', user.email)
        const reset = { token, newPassword: 'reset by its owner' }
        expect((await service.api('POST', '/api/v1/auth/reset-password', { body: reset })).status).toBe(200)
      } else {
        const body = { role: 'owner' }
        expect((await service.api('PUT', `/api/v1/users/${user.id}`, { token: owner.token, body })).status).toBe(200)
      }
      expect(await statuses(ended)).toEqual([401, 401])
      expect(await statuses(stored)).toEqual([200, 200])
      expect((await savedBy()).status).toBe('failed')
      expect((await asOwner('directory/ldap/sync')).text).toContain('directory_orphaned')
      const query = '?action=user.temporary_credentials_ended'
      const { body } = await service.api('GET', `/api/v1/audit/logs${query}`, { token: owner.token })
      expect(body.data[0].metadata).toEqual({
        passwordsRemoved: 1,
        apiTokensRevoked: 1,
        invitationsRevoked: 0,
        importsCancelled: 0,
        scimTokensRevoked: 1,
        providersOrphaned: 1,
        directoriesOrphaned: 1,
        registrationTokensOrphaned: 0,
      })
    },
  )

  describe('of a member who then loses permissions', () => {
    /** Adds a member with a role, signed in to the team of the owner. */
    const memberWith = async (role: string): Promise<TestUser> => {
      const member = await registerVerifiedUser(service)
      await joinTeam(service, member, owner.teamId, { role })
      const { accessToken: token } = await logInTo(member, owner.teamId)
      return { ...member, token }
    }
    const as = async (token: string, method: string, path: string, body?: object) => {
      const answer = await service.api(method, `/api/v1${path}`, { token, ...(body && { body }) })
      expect(answer.status, answer.text).toBeLessThan(300)
      return answer.body
    }
    const setRole = (role: string) =>
      service.sql('UPDATE memberships SET role = $3 WHERE user_id = $1 AND organization_id = $2', [
        user.id,
        owner.teamId,
        role,
      ])
    const MINE = 'known to the member who set it'

    /** Signs in with the temporary password of a member, changes it in that session and creates a token. */
    async function take(token: string) {
      await give(TEMPORARY, { ...owner, token })
      const { accessToken } = (await signIn(TEMPORARY, owner.teamId)).body
      await change(accessToken, TEMPORARY, MINE)
      const scopes = ['org:read']
      const script = (await as(accessToken, 'POST', '/api-tokens', { name: 'Script', scopes })).token
      return {
        token: accessToken,
        works: async () => ({
          session: (await service.api('GET', '/api/v1/auth/me', { token: accessToken })).status,
          password: (await signIn(MINE, owner.teamId)).status,
          apiToken: (await service.api('GET', '/api/v1/org', { headers: { 'x-api-token': script } })).status,
        }),
      }
    }
    const WORKING = { session: 200, password: 200, apiToken: 200 }
    const ENDED = { session: 401, password: 401, apiToken: 401 }
    const member = (by: TestUser) => `/organizations/${owner.teamId}/members/${by.id}`
    const putUser = (by: TestUser, body: object) => as(owner.token, 'PUT', `/users/${by.id}`, body)

    it.each<[string, (by: TestUser) => Promise<unknown>]>([
      ['gets a lower role', (by) => as(owner.token, 'PUT', `${member(by)}/role`, { role: 'HELP_DESK_ADMIN' })],
      ['gets a lower role of a user', (by) => putUser(by, { role: 'viewer' })],
      ['is suspended', (by) => putUser(by, { status: 'suspended' })],
      ['is removed', (by) => as(owner.token, 'DELETE', member(by))],
      ['leaves', (by) => as(by.token, 'POST', `/organizations/${owner.teamId}/leave`)],
      [
        'is suspended by SCIM',
        async (by) =>
          expect((await (await makeDirectory(service, owner)).call('DELETE', `/Users/${by.id}`)).status).toBe(204),
      ],
      [
        'is imported with a lower role',
        async (by) => {
          const csv = `email,role\n${by.email},viewer\n`
          const { runId } = await as(owner.token, 'POST', '/users/import', { csv })
          await vi.waitFor(async () =>
            expect((await as(owner.token, 'GET', `/users/imports/${runId}`)).status).toBe('completed'),
          )
        },
      ],
    ])('revokes the password and everything its sessions created when that member %s', async (_, fall) => {
      const setter = await memberWith('ORG_ADMIN')
      await setRole('ORG_ADMIN')
      const { works } = await take(setter.token)
      expect(await works()).toEqual(WORKING)
      await fall(setter)
      expect(await works()).toEqual(ENDED)
      expect((await signIn(PASSWORD)).status).toBe(200)
    })

    it('keeps the password of a user whom the remaining role covers, and of a plain member when that member is removed', async () => {
      const setter = await memberWith('ORG_ADMIN')
      await give(TEMPORARY, setter)
      const { accessToken } = (await signIn(TEMPORARY, owner.teamId)).body
      await as(owner.token, 'PUT', `${member(setter)}/role`, { role: 'HELP_DESK_ADMIN' })
      await expectSession(service, accessToken, 'active')
      await as(owner.token, 'DELETE', member(setter))
      await expectSession(service, accessToken, 'active')
      await putUser(user, { role: 'viewer' })
      await expectSession(service, accessToken, 'revoked')
    })

    it('revokes the password of a third user too that was set in a session of it', async () => {
      const setter = await memberWith('ORG_ADMIN')
      await setRole('ORG_ADMIN')
      const taken = await take(setter.token)
      const third = await memberWith('ORG_ADMIN')
      await as(taken.token, 'POST', `/users/${third.id}/password-reset`, { temporaryPassword: TEMPORARY })
      const signInAsThird = () => logInTo({ ...third, password: TEMPORARY }, owner.teamId)
      expect((await signInAsThird()).accessToken).toBeTruthy()
      await as(owner.token, 'DELETE', member(setter))
      expect((await signInAsThird()).code).toBe('invalid_credentials')
    })
  })

  it('rejects a change of the email address in its session, with and without other teams of the user', async () => {
    const email = newEmail()
    await addUser(service, owner, { email, temporaryPassword: TEMPORARY })
    const { token } = await logIn(service, { email, password: TEMPORARY })
    const answer = await service.api('POST', '/api/v1/auth/me/email', { token, body: { email: newEmail() } })
    expectError(answer, 403, 'team_sign_in_required')
  })

  const logInTo = async ({ email, password }: TestUser, teamId: string) =>
    (await service.api('POST', '/api/v1/auth/login', { body: { email, password, teamId } })).body

  it('accepts the password of a confirmed team in a sign-in that names none, despite passwords of other teams', async () => {
    const hostile = await registerUser(service)
    await addUser(service, hostile, { email: user.email, temporaryPassword: 'set by another team' })
    await give()
    const signedIn = await signIn(TEMPORARY)
    expect([signedIn.status, signedIn.body.team?.id]).toEqual([200, owner.teamId])
    expectError(await signIn('set by another team'), 401, 'invalid_credentials')
    expect((await signIn('set by another team', hostile.teamId)).status).toBe(200)
  })

  it('accepts none of two passwords of unconfirmed teams in a sign-in that names none, and each by the ID or the slug', async () => {
    const [hostile, email] = [await registerUser(service), newEmail()]
    await addUser(service, hostile, { email, temporaryPassword: 'set by another team' })
    await addUser(service, owner, { email, temporaryPassword: TEMPORARY })
    const slugs = await service.sql<{ id: string; slug: string }>(
      'SELECT id, slug FROM organizations WHERE id = ANY($1::uuid[])',
      [[hostile.teamId, owner.teamId]],
    )
    const attempt = async (password: string, teamId?: string) => {
      const { status, body } = await service.api('POST', '/api/v1/auth/login', { body: { email, password, teamId } })
      return status === 200 ? body.team.id : body.code
    }
    expect(await attempt(TEMPORARY)).toBe('invalid_credentials')
    expect(await attempt('set by another team')).toBe('invalid_credentials')
    for (const { id, slug } of slugs) {
      const password = id === owner.teamId ? TEMPORARY : 'set by another team'
      for (const named of [id, slug, ` ${slug.toUpperCase()} `]) expect(await attempt(password, named)).toBe(id)
    }
    expect(await attempt(TEMPORARY, 'no-such-team')).toBe('invalid_credentials')
  })

  it('accepts the password of the only team of a member without naming the team', async () => {
    const email = newEmail()
    await addUser(service, owner, { email, temporaryPassword: TEMPORARY })
    expect((await logIn(service, { email, password: TEMPORARY })).teamId).toBe(owner.teamId)
  })
})
