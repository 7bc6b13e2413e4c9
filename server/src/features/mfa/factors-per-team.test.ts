import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Authenticator } from '../../../test/factories/authenticator.js'
import {
  addUser,
  claimsOf,
  expectError,
  expectSession,
  joinTeam,
  logIn,
  makePolicy,
  newEmail,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
  verifyDomain,
} from '../../../test/factories/factories.js'
import { beginStep, completeChallengeWithCode, enrollApp, enrollPasskey } from '../../../test/factories/factors.js'
import type { ApiResponse } from '../../../test/harness/api.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('a second factor of a user in several teams', () => {
  let service: TestService
  let owner: TestUser
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    await beginStep(service)
    owner = await registerUser(service)
    user = await registerUser(service)
    await joinTeam(service, user, owner.teamId)
  })

  type By = Pick<TestUser, 'token'>
  const call = (by: By, method: string, path: string, body?: unknown) =>
    service.api(method, `/api/v1/auth/${path}`, { token: by.token, ...(body !== undefined && { body }) })
  const status = async (by: By) => (await call(by, 'GET', 'mfa/status')).body
  const me = async (by: By) => (await call(by, 'GET', 'me')).body
  const signIn = (teamId: string, by = user) =>
    service.api('POST', '/api/v1/auth/login', { body: { email: by.email, password: by.password, teamId } })
  const as = ({ status, body, text }: ApiResponse): By => {
    expect([status, typeof body.accessToken], text).toEqual([200, 'string'])
    return { token: body.accessToken }
  }
  const switchTo = (by: By, teamId: string) => call(by, 'POST', 'switch-team', { teamId })
  const reset = (by = owner, id = user.id) => service.api('POST', `/api/v1/users/${id}/mfa/reset`, { token: by.token })
  async function signInByPasskey(authenticator: Authenticator, teamId?: string): Promise<ApiResponse> {
    const { body } = await service.api('POST', '/api/v1/auth/passkey/options')
    const credential = authenticator.get(body)
    return service.api('POST', '/api/v1/auth/passkey/verify', { body: { credential, ...(teamId && { teamId }) } })
  }
  /** A restricted session, like one by the team's provider. */
  async function restrictedSession(teamId = owner.teamId, by = user): Promise<By> {
    const session = as(await signIn(teamId, by))
    await restrict(session, teamId)
    return session
  }
  const restrict = ({ token }: By, teamId: string) =>
    service.sql('UPDATE sessions SET confined_team_id = $2 WHERE id = $1', [claimsOf(token).sid, teamId])
  const confirm = (confirmed: boolean) =>
    service.sql('UPDATE memberships SET counts = $3 WHERE user_id = $1 AND organization_id = $2', [
      user.id,
      owner.teamId,
      confirmed,
    ])

  it('counts in a restricted session of the home team if it is unrestricted', async () => {
    const session = await restrictedSession()
    await enrollApp(service, user)
    await confirm(false)
    expect((await status(session)).enabled).toBe(false)
    const domain = `${newEmail('home').split('@')[0]}.example`
    await verifyDomain(service, owner.teamId, domain)
    const verified = 'UPDATE users SET email = $2, email_verified_at = now() WHERE id = $1'
    await service.sql(verified, [user.id, `ann@${domain}`])
    expect((await status(session)).enabled).toBe(true)
    expect((await me(session)).mfa.enabled).toBe(true)
  })

  describe('that a restricted session enrolled', () => {
    it('signs in only to its team if it is a passkey', async () => {
      const session = await restrictedSession()
      const { authenticator } = await enrollPasskey(service, session)
      const signedIn = as(await signInByPasskey(authenticator))
      expect(await me(signedIn)).toMatchObject({ team: { id: owner.teamId }, session: { confined: true } })
      expectError(await switchTo(signedIn, user.teamId), 403, 'team_sign_in_required')
      expectError(await signInByPasskey(authenticator, user.teamId), 403, 'team_sign_in_required')
    })

    it('has no effect in another team', async () => {
      const app = await enrollApp(service, await restrictedSession())
      const home = as(await signIn(user.teamId))
      expect(await status(home)).toEqual({ enabled: false, adaptive: false, backupCodesLeft: 0, methods: [] })
      expect((await me(home)).mfa.enabled).toBe(false)
      expectError(await call(home, 'POST', 'reauthenticate', { code: app.code(1) }), 403, 'mfa_invalid')
      const codes = { code: app.backupCodes[0], isBackupCode: true }
      expectError(await call(home, 'POST', 'reauthenticate', codes), 403, 'mfa_invalid')
    })

    it('blocks entry to the team until it is verified, also by a switch or a request that names the team', async () => {
      const app = await enrollApp(service, await restrictedSession())
      expect((await signIn(owner.teamId)).body.mfaRequired).toBe(true)
      const home = as(await signIn(user.teamId))
      const named = await service.api('GET', '/api/v1/auth/me', { ...home, headers: { 'x-org-id': owner.teamId } })
      expectError(named, 403, 'team_sign_in_required')
      const { body } = await switchTo(home, owner.teamId)
      expect(body).toMatchObject({ mfaRequired: true, mfaMethods: ['TOTP', 'BACKUP_CODE'] })
      expect((await completeChallengeWithCode(service, body.mfaToken, app.code(1))).body.team.id).toBe(owner.teamId)
    })

    it('allows listing, renaming and removal there, unlike an unrestricted one', async () => {
      const own = await enrollApp(service, user)
      const begun = await signIn(owner.teamId)
      const restricted = as(await completeChallengeWithCode(service, begun.body.mfaToken, own.code(1)))
      await restrict(restricted, owner.teamId)
      expect((await status(restricted)).methods).toEqual([])
      const app = await enrollApp(service, restricted, 'Theirs')
      const { methods } = await status(restricted)
      expect(methods.map(({ name }: { name: string }) => name)).toEqual(['Theirs', 'Backup codes'])
      const rename = (id: string) => call(restricted, 'PATCH', `mfa/methods/${id}`, { name: 'Renamed' })
      expect((await rename(app.methodId)).status).toBe(200)
      for (const answer of [
        await rename(own.methodId),
        await call(restricted, 'DELETE', `mfa/methods/${own.methodId}`),
      ])
        expectError(answer, 404, 'factor_not_found')
      expect((await call(restricted, 'POST', 'mfa/disable', {})).status).toBe(200)
      expect((await status(restricted)).methods).toEqual([])
      const names = (await status(user)).methods.map(({ name }: { name: string }) => name)
      expect(names).toEqual(['Authenticator app', 'Backup codes'])
    })

    it('ends no unrestricted sessions, even in the team', async () => {
      const own = as(await signIn(owner.teamId))
      await enrollApp(service, await restrictedSession())
      expect((await call(own, 'GET', 'me')).status).toBe(200)
    })

    it('regenerates its own backup codes and keeps those of the account', async () => {
      const own = await enrollApp(service, user)
      const begun = await signIn(owner.teamId)
      const restricted = as(await completeChallengeWithCode(service, begun.body.mfaToken, own.code(1)))
      await restrict(restricted, owner.teamId)
      const renew = () => call(restricted, 'POST', 'mfa/backup-codes/regenerate')
      expectError(await renew(), 409, 'mfa_not_enabled')
      const { backupCodes: first } = await enrollApp(service, restricted)
      const { backupCodes: codes } = (await renew()).body
      const use = (by: By, code: string) => call(by, 'POST', 'reauthenticate', { code, isBackupCode: true })
      expectError(await use(restricted, first[0] as string), 403, 'mfa_invalid')
      expectError(await use(user, codes[0]), 403, 'mfa_invalid')
      expect((await use(restricted, codes[0])).status).toBe(200)
      expect((await use(user, own.backupCodes[0] as string)).status).toBe(200)
    })

    it('disables MFA and reauthenticates in a restricted session, unlike a passkey of the account', async () => {
      const restricted = await restrictedSession()
      const { authenticator: theirs } = await enrollPasskey(service, restricted)
      const { authenticator: own } = await enrollPasskey(service, user)
      const assertion = async (by: Authenticator) => {
        const { body } = await call(restricted, 'POST', 'reauthenticate/options')
        return by.get({ ...body, allowCredentials: undefined })
      }
      for (const path of ['reauthenticate', 'mfa/disable']) {
        const { allowCredentials } = (await call(restricted, 'POST', 'reauthenticate/options')).body
        expect(allowCredentials).toHaveLength(1)
        expectError(await call(restricted, 'POST', path, { credential: await assertion(own) }), 403, 'passkey_invalid')
        const answer = await call(restricted, 'POST', path, { credential: await assertion(theirs) })
        expect(answer.status, answer.text).toBe(200)
      }
      expect((await status(restricted)).enabled).toBe(false)
      expect((await status(user)).enabled).toBe(true)
    })

    it('keeps an unrestricted passkey of the same authenticator', async () => {
      const session = await restrictedSession()
      const options = async (by: By) => (await call(by, 'GET', 'mfa/passkey/options')).body.user.id
      expect(await options(session)).not.toBe(await options(user))
    })
  })

  describe('that is unrestricted', () => {
    it('applies only to restricted sign-ins of a confirmed membership', async () => {
      const app = await enrollApp(service, user)
      const restricted = as(
        await completeChallengeWithCode(service, (await signIn(owner.teamId)).body.mfaToken, app.code(1)),
      )
      await restrict(restricted, owner.teamId)
      expect((await me(restricted)).mfa.enabled).toBe(true)
      await confirm(false)
      expect((await me(restricted)).mfa.enabled).toBe(false)
      await service.clock.advance(60_000)
      expectError(await call(restricted, 'POST', 'reauthenticate', { code: app.code() }), 403, 'mfa_invalid')
      await confirm(true)
      expect((await call(restricted, 'POST', 'reauthenticate', { code: app.code(1) })).status).toBe(200)
    })

    it('has no effect in a team with a factor that its session has not verified', async () => {
      const theirs = await enrollApp(service, await restrictedSession())
      const home = as(await signIn(user.teamId))
      const own = await enrollApp(service, home)
      const { body } = await switchTo(home, owner.teamId)
      expect(body.mfaRequired).toBe(true)
      expectError(await completeChallengeWithCode(service, body.mfaToken, own.code(1)), 401, 'mfa_invalid')
      expect((await completeChallengeWithCode(service, body.mfaToken, theirs.code(1))).status).toBe(200)
    })

    it('has no effect after a new epoch of the account', async () => {
      const { authenticator } = await enrollPasskey(service, user)
      await service.sql('UPDATE users SET epoch = epoch + 1, second_factor_since = NULL WHERE id = $1', [user.id])
      await service.sql('UPDATE passwords SET epoch = epoch + 1 WHERE user_id = $1', [user.id])
      const session = as(await signIn(user.teamId))
      expectError(await signInByPasskey(authenticator), 401, 'passkey_invalid')
      expect((await status(session)).methods).toEqual([])
    })
  })

  describe('after a reset by the team', () => {
    it('has no effect there, and does not change in other teams', async () => {
      const { authenticator } = await enrollPasskey(service, user)
      const app = await enrollApp(service, user)
      const there = as(
        await completeChallengeWithCode(service, (await signIn(owner.teamId)).body.mfaToken, app.code(1)),
      )
      expect((await reset()).body).toMatchObject({ removed: 0 })
      await expectSession(service, there.token, 'revoked')
      await expectSession(service, user.token, 'active')
      const again = as(await signIn(owner.teamId))
      expect(await status(again)).toEqual({ enabled: false, adaptive: false, backupCodesLeft: 0, methods: [] })
      expectError(await signInByPasskey(authenticator, owner.teamId), 401, 'passkey_invalid')
      expect((await signIn(user.teamId)).body.mfaRequired).toBe(true)
      expect((await me(as(await signInByPasskey(authenticator)))).team.id).toBe(user.teamId)
      expect((await status(user)).methods).toHaveLength(3)
    })

    it('allows reauthentication and acts on the account there, and does not satisfy the team', async () => {
      const { authenticator } = await enrollPasskey(service, user)
      await reset()
      const there = as(await signIn(owner.teamId))
      const create = () => service.api('POST', '/api/v1/organizations', { ...there, body: { name: 'Another team' } })
      expectError(await create(), 403, 'second_factor_required')
      const { body } = await call(there, 'POST', 'reauthenticate/options')
      const proof = { credential: authenticator.get(body) }
      expect((await call(there, 'POST', 'reauthenticate', proof)).status).toBe(200)
      expect((await create()).status).toBe(201)
      expect(await status(there)).toMatchObject({ enabled: false, methods: [] })
    })

    it('counts after a new enrollment there, and elsewhere only if the session verified one', async () => {
      const lost = await enrollApp(service, user)
      await reset()
      const there = as(await signIn(owner.teamId))
      const found = await enrollApp(service, there)
      await service.clock.advance(60_000)
      const begun = await signIn(owner.teamId)
      expectError(await completeChallengeWithCode(service, begun.body.mfaToken, lost.code()), 401, 'mfa_invalid')
      expect((await completeChallengeWithCode(service, begun.body.mfaToken, found.code())).status).toBe(200)
      const { body } = await switchTo(there, user.teamId)
      expect(body.mfaRequired).toBe(true)
      expectError(await completeChallengeWithCode(service, body.mfaToken, found.code(1)), 401, 'mfa_invalid')
      const home = await completeChallengeWithCode(service, body.mfaToken, lost.code(1))
      expect(home.body.team.id).toBe(user.teamId)
    })

    it('ends for every member if it is restricted to the team', async () => {
      const other = await registerUser(service)
      await joinTeam(service, user, other.teamId)
      const session = await restrictedSession()
      await enrollApp(service, session)
      await enrollApp(service, await restrictedSession(other.teamId))
      expect((await reset()).body).toMatchObject({ removed: 1 })
      await expectSession(service, session.token, 'revoked')
      as(await signIn(owner.teamId))
      expect((await signIn(other.teamId)).body.mfaRequired).toBe(true)
    })
  })

  describe('when it changes', () => {
    it('requires a session with a verified factor, not only a password, for its removal', async () => {
      const app = await enrollApp(service, user)
      await service.sql("UPDATE sessions SET amr = '{pwd}', verified_factor_ids = '{}' WHERE user_id = $1", [user.id])
      const disable = () => call(user, 'POST', 'mfa/disable', { password: PASSWORD })
      expectError(await disable(), 403, 'second_factor_required')
      expect((await status(user)).methods).toHaveLength(2)
      expect((await call(user, 'POST', 'reauthenticate', { code: app.code(1) })).status).toBe(200)
      expect((await disable()).status).toBe(200)
      expect((await status(user)).enabled).toBe(false)
    })

    it('requires a verified unrestricted one if it is unrestricted', async () => {
      const own = await enrollApp(service, user)
      await reset()
      const there = as(await signIn(owner.teamId))
      await enrollApp(service, there)
      expectError(await call(there, 'DELETE', `mfa/methods/${own.methodId}`), 404, 'factor_not_found')
      const path = `/api/v1/auth/mfa/methods/${own.methodId}`
      const named = await service.api('DELETE', path, { ...there, headers: { 'x-org-id': user.teamId } })
      expectError(named, 403, 'team_sign_in_required')
    })

    it('ends sessions without one at the first enrollment, and none at a further one', async () => {
      const other = await logIn(service, user)
      const restricted = await restrictedSession()
      const app = await enrollApp(service, user)
      await expectSession(service, other.token, 'revoked')
      await expectSession(service, restricted.token, 'active')
      const begun = await signIn(user.teamId)
      const second = as(await completeChallengeWithCode(service, begun.body.mfaToken, app.code(1)))
      await enrollPasskey(service, user)
      for (const { token } of [user, second]) await expectSession(service, token, 'active')
    })
  })

  describe('that is due', () => {
    const requireFactor = (by: TestUser) =>
      makePolicy(service, by, {
        type: 'MFA',
        resource: 'sign-in',
        actions: ['login'],
        rules: [{ requirement: 'MFA_REQUIRED' }],
      })

    it('stays due in each team that requires one after every switch', async () => {
      const other = await registerUser(service)
      await joinTeam(service, user, other.teamId)
      for (const by of [owner, other]) await requireFactor(by)
      const due = async (by: By, teamId: string) =>
        (await service.api('GET', '/api/v1/auth/sessions', { ...by, headers: { 'x-org-id': teamId } })).body.code
      const first = as(await switchTo(user, owner.teamId))
      const second = as(await switchTo(first, other.teamId))
      for (const teamId of [owner.teamId, other.teamId])
        expect(await due(second, teamId)).toBe('mfa_enrollment_required')
      const home = as(await switchTo(second, user.teamId))
      expect(await due(home, user.teamId)).toBeUndefined()
      for (const teamId of [owner.teamId, other.teamId]) expect(await due(home, teamId)).toBe('mfa_enrollment_required')
      await enrollApp(service, home)
      for (const teamId of [user.teamId, owner.teamId, other.teamId]) expect(await due(home, teamId)).toBeUndefined()
    })

    it('stays due if the enrolled factor is valid only in another team', async () => {
      await requireFactor(owner)
      const theirs = await registerUser(service)
      await joinTeam(service, user, theirs.teamId)
      const session = as(await switchTo(user, owner.teamId))
      await enrollApp(service, await restrictedSession(theirs.teamId))
      expectError(await call(session, 'GET', 'sessions'), 403, 'mfa_enrollment_required')
    })
  })

  it('ends after a reset by mail if a session by a temporary password enrolled it', async () => {
    const email = newEmail()
    await addUser(service, owner, { email, role: 'member', temporaryPassword: PASSWORD })
    const person = await logIn(service, { email, password: PASSWORD })
    await service.sql('UPDATE sessions SET temporary_set_by = $2 WHERE id = $1', [claimsOf(person.token).sid, owner.id])
    await enrollApp(service, person)
    await enrollPasskey(service, person)
    const rows = await service.sql(
      'SELECT type, temporary_set_by, restricted_to_team_id FROM factors WHERE user_id = $1',
      [person.id],
    )
    const provenance = { temporary_set_by: owner.id, restricted_to_team_id: owner.teamId }
    expect(rows).toHaveLength(3)
    for (const row of rows) expect(row).toMatchObject(provenance)
    const token = await requestToken(service, 'password_reset', email)
    const body = { token, newPassword: 'of the user alone' }
    expect((await service.api('POST', '/api/v1/auth/reset-password', { body })).status).toBe(200)
    expect(await service.sql('SELECT id FROM factors WHERE user_id = $1', [person.id])).toEqual([])
    const back = await signIn(owner.teamId, { ...person, password: 'of the user alone' })
    expect(back.body.accessToken, back.text).toBeDefined()
  })
})
