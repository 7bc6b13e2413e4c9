import { randomUUID as newId } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isActive, registerApp, tokensFor } from '../../../../test/doubles/relying-party.js'
import {
  addUser,
  expectError,
  invite,
  joinTeam,
  mailedToken,
  newEmail,
  PASSWORD,
  registerApplication,
  registerUser,
  registerVerifiedUser,
  requestToken,
  type TestUser,
  verifyDomain,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { enrollApp, enrollPasskey } from '../../../../test/factories/factors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const TEMPORARY = 'handed over by the help desk'

describe('a team that acts on a user of another team', () => {
  let service: TestService
  let hostile: TestUser
  let company: TestUser
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    hostile = await registerUser(service)
    company = await registerUser(service)
    user = await registerVerifiedUser(service)
    await joinTeam(service, user, company.teamId, { role: 'ORG_ADMIN' })
  })

  const call = (token: string, method: string, path: string, body?: object) =>
    service.api(method, `/api/v1${path}`, { token, body })
  const signIn = (teamId?: string, password = PASSWORD, email = user.email) =>
    service.api('POST', '/api/v1/auth/login', { body: { email, password, ...(teamId && { teamId }) } })

  it('removes no factor of the account by resetting the factors in the team', async () => {
    await enrollApp(service, user)
    await addUser(service, hostile, { email: user.email })
    expect((await call(hostile.token, 'POST', `/users/${user.id}/mfa/reset`)).status).toBe(200)
    const { body } = await signIn(hostile.teamId)
    const token = body.accessToken
    const acts: [string, string, object][] = [
      ['POST', '/auth/mfa/disable', { password: PASSWORD }],
      ['POST', '/auth/mfa/adaptive/toggle', { enabled: true }],
      ['POST', '/auth/me/email', { email: newEmail() }],
    ]
    for (const [method, path, sent] of acts)
      expectError(await call(token, method, path, sent), 403, 'second_factor_required')
    expect((await signIn(company.teamId)).body.mfaRequired).toBe(true)
  })

  it('keeps failures against the own password when the temporary password of a team succeeds', async () => {
    await addUser(service, hostile, { email: user.email, temporaryPassword: TEMPORARY })
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 4; count++) await signIn(undefined, `guess ${count}`)
      expect((await signIn(hostile.teamId, TEMPORARY)).status).toBe(200)
    }
    expectError(await signIn(user.teamId), 401, 'invalid_credentials')
  })

  it('loses a passkey that was enrolled with another one once the user resets the password by mail', async () => {
    await addUser(service, hostile, { email: user.email, temporaryPassword: TEMPORARY })
    const { body: first } = await signIn(hostile.teamId, TEMPORARY)
    const one = await enrollPasskey(service, { token: first.accessToken })
    const byPasskey = async ({ authenticator }: typeof one) => {
      const { body: options } = await service.api('POST', '/api/v1/auth/passkey/options')
      const body = { credential: authenticator.get(options), teamId: hostile.teamId }
      return service.api('POST', '/api/v1/auth/passkey/verify', { body })
    }
    const { body: second } = await byPasskey(one)
    const two = await enrollPasskey(service, { token: second.accessToken })
    expect((await byPasskey(two)).status).toBe(200)
    const token = await requestToken(service, 'password_reset', user.email)
    const reset = { token, newPassword: 'reset by its owner' }
    expect((await service.api('POST', '/api/v1/auth/reset-password', { body: reset })).status).toBe(200)
    for (const passkey of [one, two]) expectError(await byPasskey(passkey), 401, 'passkey_invalid')
  })

  it('loses a grant from a session by its temporary password once the user gets a higher role', async () => {
    const helper = await registerUser(service)
    await joinTeam(service, helper, company.teamId, { role: 'HELP_DESK_ADMIN' })
    const { body: help } = await signIn(company.teamId, PASSWORD, helper.email)
    await service.sql("UPDATE memberships SET role = 'VIEWER' WHERE user_id = $1 AND organization_id = $2", [
      user.id,
      company.teamId,
    ])
    const given = { temporaryPassword: TEMPORARY }
    expect((await call(help.accessToken, 'POST', `/users/${user.id}/password-reset`, given)).status).toBe(200)
    const { body: session } = await signIn(company.teamId, TEMPORARY)
    const app = await registerApp(service, company)
    const tokens = await tokensFor(service, app, { token: session.accessToken }, { scope: 'openid offline_access' })
    expect(await isActive(service, tokens.refresh_token)).toBe(true)
    expect((await call(company.token, 'PUT', `/users/${user.id}`, { role: 'admin' })).status).toBe(200)
    expect(await isActive(service, tokens.refresh_token)).toBe(false)
  })

  it.each(['the user resets the password by mail', 'the user gets a higher role'])(
    'loses invitations and imports from a session by its temporary password once %s',
    async (event) => {
      const isReset = event.includes('reset')
      const by = isReset ? company : await registerUser(service)
      if (!isReset) await joinTeam(service, by, company.teamId, { role: 'ORG_ADMIN' })
      const given = { temporaryPassword: TEMPORARY }
      const role = (name: string, { id } = user) =>
        service.sql('UPDATE memberships SET role = $3 WHERE user_id = $1 AND organization_id = $2', [
          id,
          company.teamId,
          name,
        ])
      // Setting the password requires every permission of the user, and inviting requires more than a helper has.
      await role('MEMBER')
      const helper = (await signIn(company.teamId, PASSWORD, by.email)).body.accessToken
      expect((await call(helper, 'POST', `/users/${user.id}/password-reset`, given)).status).toBe(200)
      await role('ORG_ADMIN')
      const { body: session } = await signIn(company.teamId, TEMPORARY)
      const path = `/organizations/${company.teamId}/members/invite`
      const invitee = { email: newEmail('invited'), role: 'MEMBER' }
      const { body: invitation } = await call(session.accessToken, 'POST', path, invitee)
      const { body: run } = await call(session.accessToken, 'POST', '/users/import', {
        csv: `email\n${newEmail('row')}`,
      })
      await service.settle()
      await service.sql("UPDATE import_runs SET status = 'running', finished_at = NULL WHERE id = $1", [run.runId])
      const { body: own } = await call(company.token, 'POST', path, { email: newEmail('other'), role: 'MEMBER' })
      if (isReset) {
        const token = await requestToken(service, 'password_reset', user.email)
        const body = { token, newPassword: 'reset by its owner' }
        expect((await service.api('POST', '/api/v1/auth/reset-password', { body })).status).toBe(200)
      } else {
        await role('MEMBER')
        await role('USER_ADMIN', by)
        expect((await call(company.token, 'PUT', `/users/${user.id}`, { role: 'admin' })).status).toBe(200)
      }
      const state = (table: string, id: string) => service.sql(`SELECT status FROM ${table} WHERE id = $1`, [id])
      expect(await state('invitations', invitation.id)).toEqual([{ status: 'REVOKED' }])
      expect(await state('import_runs', run.runId)).toEqual([{ status: 'cancelled' }])
      expect(await state('invitations', own.id)).toEqual([{ status: 'PENDING' }])
      const { body: log } = await call(company.token, 'GET', '/audit/logs?action=invitation.revoked')
      expect(log.data.map(({ resource }: { resource: string }) => resource)).toEqual([`invitation:${invitation.id}`])
    },
  )

  it('keeps the password of another team when a team adds the email address first', async () => {
    const email = newEmail()
    await addUser(service, hostile, { email })
    await addUser(service, company, { email, temporaryPassword: TEMPORARY })
    expect((await signIn(undefined, TEMPORARY, email)).body.team.id).toBe(company.teamId)
  })

  it('hides the own name of an unconfirmed inviter from the team', async () => {
    const own = { firstName: 'Secret', lastName: 'Name' }
    expect((await call(user.token, 'PATCH', '/auth/me', own)).status).toBe(200)
    await addUser(service, hostile, { email: user.email, role: 'admin', temporaryPassword: TEMPORARY })
    const { body: session } = await signIn(hostile.teamId, TEMPORARY)
    const invited = await invite(service, { token: session.accessToken, teamId: hostile.teamId }, newEmail())
    const { text } = await service.api('GET', `/api/v1/invitations/${invited.token}`)
    expect(text).not.toContain('Secret')
  })

  it('loses the password of a removed member, also when they are added again', async () => {
    await addUser(service, hostile, { email: user.email, temporaryPassword: TEMPORARY })
    expect((await call(hostile.token, 'DELETE', `/users/${user.id}`)).status).toBe(200)
    await addUser(service, hostile, { email: user.email, role: 'owner' })
    expectError(await signIn(hostile.teamId, TEMPORARY), 401, 'invalid_credentials')
  })

  it('omits the unverified email address of an inviter from an invitation and a welcome mail', async () => {
    const [invited, added] = [newEmail(), newEmail()]
    const { token } = await invite(service, hostile, invited)
    await addUser(service, hostile, { email: added })
    for (const email of [invited, added]) {
      const [mail] = await service.mails(email)
      expect(mail?.text).not.toContain(hostile.email)
      expect(mail?.text).toContain('whose email address is not verified')
    }
    const shown = await service.api('GET', `/api/v1/invitations/${token}`)
    expect(shown.body.inviter).toEqual({ name: null, email: null })
    await verifyEmailAddress(service, hostile)
    expect((await service.api('GET', `/api/v1/invitations/${token}`)).body.inviter.email).toBe(hostile.email)
    await invite(service, hostile, invited)
    expect((await service.mails(invited)).at(-1)?.text).toContain(`${hostile.email} invites you`)
  })

  it('shows an unverified inviter in the domain that the team has verified by DNS', async () => {
    const domain = `${newEmail('company').split('@')[0]}.example`
    await verifyDomain(service, company.teamId, domain)
    const email = `kim@${domain}`
    await addUser(service, company, { email, role: 'admin', temporaryPassword: TEMPORARY })
    const { body: kim } = await signIn(company.teamId, TEMPORARY, email)
    const invited = newEmail()
    const { token } = await invite(service, { token: kim.accessToken, teamId: company.teamId }, invited)
    expect((await service.api('GET', `/api/v1/invitations/${token}`)).body.inviter.email).toBe(email)
    expect((await service.mails(invited))[0]?.text).toContain(`${email} invites you`)
  })

  const entriesOf = async (teamId: string) =>
    (
      await service.sql<{ action: string; result: string }>(
        'SELECT action, result FROM audit_entries WHERE team_id = $1 AND user_id = $2 ORDER BY id',
        [teamId, user.id],
      )
    ).map(({ action, result }) => `${action} ${result}`)

  it('excludes failed sign-ins that name no team or another one from the counts and the log of a team', async () => {
    await addUser(service, hostile, { email: user.email, temporaryPassword: TEMPORARY })
    const policy = { lockoutThreshold: 2, lockoutDuration: 60 }
    expect((await call(hostile.token, 'PUT', '/policies/password', policy)).status).toBe(200)
    await signIn(undefined, 'wrong')
    await signIn(company.teamId, 'wrong')
    await signIn(newId(), 'wrong')
    await call(user.token, 'POST', '/auth/reauthenticate', { password: 'wrong' })
    expect(await entriesOf(hostile.teamId)).toEqual([])
    expect((await signIn(hostile.teamId, TEMPORARY)).status).toBe(200)
    for (let attempt = 0; attempt < 2; attempt++) await signIn(hostile.teamId, 'wrong')
    expect((await entriesOf(hostile.teamId)).slice(-3)).toEqual([
      'user.login FAILURE',
      'user.login FAILURE',
      'user.locked DENIED',
    ])
    // A confirmed team that is not the default team has logged the attempt that named it.
    expect(await entriesOf(company.teamId)).toEqual(['user.login FAILURE'])
  })

  it('limits guesses of its temporary password without a log entry for sign-ins that name no team', async () => {
    const email = newEmail()
    await addUser(service, hostile, { email, temporaryPassword: TEMPORARY })
    await addUser(service, company, { email })
    for (let attempt = 0; attempt < 10; attempt++) await signIn(undefined, 'wrong', email)
    expectError(await signIn(hostile.teamId, TEMPORARY, email), 401, 'invalid_credentials')
    const locks = await service.sql<{ team_id: string | null }>(
      "SELECT e.team_id FROM audit_entries e JOIN users u ON u.id = e.user_id WHERE e.action = 'user.locked' AND u.email = $1",
      [email],
    )
    expect(locks.map(({ team_id }) => team_id)).toEqual([null, null])
  })

  it('excludes mails about factors of a restricted session or a new email address from the mail limit of the user', async () => {
    const email = newEmail()
    const { id } = await addUser(service, hostile, { email, temporaryPassword: TEMPORARY })
    const { body: session } = await signIn(hostile.teamId, TEMPORARY, email)
    await enrollApp(service, { token: session.accessToken })
    const removal = await call(session.accessToken, 'POST', '/auth/mfa/disable', {})
    expect(removal.status, removal.text).toBe(200)
    const { body: scim } = await call(hostile.token, 'POST', '/directory/scim/token', {})
    const rename = await service.api('PATCH', `/scim/v2/${hostile.teamId}/Users/${id}`, {
      token: scim.token,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'userName', value: newEmail() }],
      },
    })
    expect(rename.status, rename.text).toBe(200)
    const mails = await service.sql<{ kind: string; team_id: string | null }>(
      'SELECT kind, team_id FROM mails WHERE recipient = $1 ORDER BY created_at, id',
      [email],
    )
    expect(mails).toEqual(
      ['factor_changed', 'factor_changed', 'address_given'].map((kind) => ({ kind, team_id: hostile.teamId })),
    )
  })

  it('names the team and not the factor in a mail about a factor of a restricted session', async () => {
    const email = newEmail()
    await addUser(service, hostile, { email, temporaryPassword: TEMPORARY })
    const { body: session } = await signIn(hostile.teamId, TEMPORARY, email)
    await enrollApp(service, { token: session.accessToken }, 'Confirm it at https://evil.example or call +1 555 0100')
    const mail = (await service.mails(email)).at(-1)
    expect(mail?.subject).toBe('A second factor was added at Keyward')
    const { body: team } = await call(hostile.token, 'GET', `/organizations/${hostile.teamId}`)
    for (const text of [mail?.text, mail?.html]) {
      expect(text).not.toMatch(/evil\.example|\+1 555/)
      expect(text).toContain(team.name.slice(0, 12))
      expect(text).toContain('not verified')
    }
  })

  it('hides from a team that an account was verified while the membership is unconfirmed', async () => {
    const email = newEmail()
    const { id } = await addUser(service, company, { email })
    await addUser(service, hostile, { email, temporaryPassword: TEMPORARY })
    const application = await registerApplication(service, hostile)
    const shown = async () => {
      const { body: one } = await call(hostile.token, 'GET', `/users/${id}`)
      const { body: list } = await call(hostile.token, 'GET', `/users?search=${email}`)
      const preview = await call(hostile.token, 'POST', `/applications/${application.id}/oidc-config/preview`, {
        userId: id,
        scopes: ['openid', 'email'],
      })
      const { value } = preview.body.userinfo.find(({ name }: { name: string }) => name === 'email_verified')
      return [one.emailVerified, list.data[0].emailVerified, value]
    }
    const { body: session } = await signIn(hostile.teamId, TEMPORARY, email)
    expect(await shown()).toEqual([false, false, false])
    const token = await mailedToken(service, 'welcome', email)
    const { body: own } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    expect(own.team.id).toBe(company.teamId)
    expect(await shown()).toEqual([false, false, false])
    expect((await call(company.token, 'GET', `/users/${id}`)).body.emailVerified).toBe(true)
    const { body: restricted } = await signIn(hostile.teamId, TEMPORARY, email)
    for (const { accessToken } of [session, restricted].filter(Boolean)) {
      const me = await call(accessToken, 'GET', '/auth/me')
      if (me.status === 200) expect(me.body.emailVerified).toBe(false)
    }
    expect(await entriesOf(hostile.teamId)).not.toContain('user.email_verified SUCCESS')
    const switched = await call(own.accessToken, 'POST', '/auth/switch-team', { teamId: hostile.teamId })
    expect(switched.status).toBe(200)
    expect(await shown()).toEqual([true, true, true])
  })

  it('retains a confirmed owner although another owner never confirmed the membership', async () => {
    const email = newEmail()
    await addUser(service, hostile, { email, role: 'owner', temporaryPassword: TEMPORARY })
    await signIn(hostile.teamId, TEMPORARY, email)
    const leave = await call(hostile.token, 'POST', `/organizations/${hostile.teamId}/leave`)
    expectError(leave, 409, 'last_admin')
    expectError(await call(hostile.token, 'PUT', `/users/${hostile.id}`, { role: 'member' }), 409, 'last_admin')
  })
})

it('removes the membership in the home team when an unverified account changes its email address', async () => {
  const service = await startService()
  try {
    const company = await registerUser(service)
    const domain = `company-${Date.now()}.example`
    await service.sql(
      `INSERT INTO team_domains (organization_id, domain, token, verified_at, created_at) VALUES ($1, $2, 'x', now(), now())`,
      [company.teamId, domain],
    )
    const planted = await registerUser(service, { email: `victim@${domain}` })
    await addUser(service, company, { email: planted.email, role: 'admin' })
    const email = newEmail('mine')
    const requested = await service.api('POST', '/api/v1/auth/me/email', { token: planted.token, body: { email } })
    expect(requested.status).toBe(200)
    const token = await mailedToken(service, 'change_email', email)
    const confirmed = await service.api('POST', '/api/v1/auth/confirm-email', { token: planted.token, body: { token } })
    expect(confirmed.status).toBe(200)
    const body = { email, password: PASSWORD, teamId: company.teamId }
    expectError(await service.api('POST', '/api/v1/auth/login', { body }), 403, 'not_a_member')
  } finally {
    await service.close()
  }
})
