import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorizePath, registerApp } from '../../../../test/doubles/relying-party.js'
import {
  addColleague,
  addUser,
  expectError,
  invite,
  joinTeam,
  makePolicy,
  newEmail,
  onboardAdmin,
  PASSWORD,
  registerUser,
  registerVerifiedUser,
  logIn as signIn,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { beginLogIn, completeChallengeWithCode, enrollApp } from '../../../../test/factories/factors.js'
import { PUBLIC_ADDRESSES } from '../../../../test/factories/public-addresses.js'
import type { ApiRequest, ApiResponse } from '../../../../test/harness/api.js'
import { type Browser, openBrowser } from '../../../../test/harness/browser.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

describe('a sign-in policy of a team', () => {
  let service: TestService
  let owner: TestUser
  let member: TestUser
  beforeAll(async () => {
    service = await startService({ env: { TRUST_PROXY: 'loopback' } })
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    owner = await registerUser(service)
    member = await addColleague(service, owner)
  })

  const rule = (fields: Record<string, unknown>) =>
    makePolicy(service, owner, { type: 'SIGN_ON', resource: 'sign-in', actions: ['login'], ...fields })
  const requireFactor = (fields: Record<string, unknown> = {}) =>
    rule({ type: 'MFA', rules: [{ requirement: 'MFA_REQUIRED' }], ...fields })
  const logIn = (by = member, from?: string) =>
    service.api('POST', '/api/v1/auth/login', {
      body: { email: by.email, password: by.password },
      ...(from !== undefined && { headers: { 'x-forwarded-for': from } }),
    })

  it('denies every sign-in method with a reason', async () => {
    await rule({ effect: 'DENY', conditions: { role: 'MEMBER' } })
    expectError(await logIn(), 403, 'sign_in_denied')
    await service.api('POST', '/api/v1/auth/magic-link', { body: { email: member.email } })
    const mail = (await service.mails(member.email)).findLast(({ kind }) => kind === 'magic_link')
    const token = new URL(mail?.link ?? '').searchParams.get('token')
    // A link without a team continues with an own team, and the session lists the rejection.
    const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    expect(body.rejectedTeams).toMatchObject([{ id: owner.teamId, reason: 'sign_in_denied' }])
    expect(body.team).toMatchObject({ role: 'OWNER' })
    expect((await logIn(owner)).status).toBe(200)
    const entries = await service.sql(
      `SELECT team_id, metadata FROM audit_entries WHERE user_id = $1 AND action = 'user.login' AND result = 'FAILURE'`,
      [member.id],
    )
    expect(entries).toHaveLength(2)
    expect(entries[0]).toMatchObject({
      team_id: owner.teamId,
      metadata: { reason: 'sign_in_denied', policy: { name: expect.any(String) } },
    })
  })

  it('lets the sign-in continue in another team if the request names none', async () => {
    const person = await registerUser(service)
    await joinTeam(service, person, owner.teamId)
    await rule({ effect: 'DENY', conditions: { role: 'MEMBER' } })
    await service.sql('UPDATE memberships SET last_used_at = now() WHERE user_id = $1 AND organization_id = $2', [
      person.id,
      owner.teamId,
    ])
    await service.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [person.id])
    expect((await logIn(person)).body.team.id).toBe(person.teamId)
    const request = { email: person.email, password: person.password, teamId: owner.teamId }
    expectError(await service.api('POST', '/api/v1/auth/login', { body: request }), 403, 'sign_in_denied')
  })

  it('matches the network and country of the IP address', async () => {
    await rule({ effect: 'DENY', conditions: { geoLocations: ['JP'] } })
    await rule({ effect: 'DENY', conditions: { ipRange: '203.0.113.0/24' } })
    expectError(await logIn(member, PUBLIC_ADDRESSES.JP[0]), 403, 'sign_in_denied')
    expectError(await logIn(member, '203.0.113.9'), 403, 'sign_in_denied')
    expect((await logIn(member, PUBLIC_ADDRESSES.DE[0])).status).toBe(200)
    // An IP address of an unknown country matches no country.
    expect((await logIn(member, '10.0.0.1')).status).toBe(200)
  })

  it('limits a user without a required factor to its enrollment', async () => {
    await requireFactor()
    const { body } = await logIn()
    expect(body.mfa).toMatchObject({ enabled: false, required: false, enrollmentRequired: true })
    const get = (path: string) => service.api('GET', path, { token: body.accessToken })
    expectError(await get('/api/v1/auth/sessions'), 403, 'mfa_enrollment_required')
    await enrollApp(service, { token: body.accessToken })
    expect((await get('/api/v1/auth/sessions')).status).toBe(200)
  })

  it('requires a factor despite adaptive challenges', async () => {
    const person = await registerUser(service)
    await joinTeam(service, person, owner.teamId)
    const app = await enrollApp(service, person)
    await service.api('POST', '/api/v1/auth/mfa/adaptive/toggle', { token: person.token, body: { enabled: true } })
    const login = { email: person.email, password: person.password, teamId: owner.teamId }
    const begun = await service.api('POST', '/api/v1/auth/login', { console: true, body: login })
    const first = await completeChallengeWithCode(service, begun.body.mfaToken, app.code(), { console: true })
    const cookies = { keyward_device: first.cookies.keyward_device?.value ?? '' }
    const again = () => service.api('POST', '/api/v1/auth/login', { console: true, cookies, body: login })
    expect((await again()).body.accessToken).toBeDefined()
    await requireFactor()
    expect((await again()).body.mfaRequired).toBe(true)
    const [entry] = await service.sql(
      `SELECT metadata FROM audit_entries WHERE user_id = $1 AND action = 'user.challenged' ORDER BY id DESC LIMIT 1`,
      [person.id],
    )
    expect(entry?.metadata).toMatchObject({ secondFactor: 'policy', requirement: 'MFA_REQUIRED' })
  })

  it('requires an enrolled factor even if the highest rule requires none', async () => {
    const app = await enrollApp(service, member)
    await requireFactor({
      rules: [
        { requirement: 'MFA_REQUIRED', priority: 1 },
        { requirement: 'MFA_NOT_REQUIRED', priority: 2 },
      ],
    })
    const { mfaToken } = await beginLogIn(service, member)
    expect((await completeChallengeWithCode(service, mfaToken, app.code())).status).toBe(200)
    const other = await addColleague(service, owner)
    expect((await logIn(other)).body.mfa.enrollmentRequired).toBe(false)
  })

  it('takes effect on the next sign-in until it is turned off', async () => {
    const { id } = await rule({ effect: 'DENY' })
    expectError(await logIn(), 403, 'sign_in_denied')
    const off = await service.api('PUT', `/api/v1/policies/${id}`, { token: owner.token, body: { enabled: false } })
    expect(off.status).toBe(200)
    expect((await logIn()).status).toBe(200)
  })

  it('leaves an invitation pending if it denies the acceptance, and creates no account', async () => {
    const email = newEmail()
    const invitation = await invite(service, owner, email)
    const { id } = await rule({ effect: 'DENY', conditions: { role: 'MEMBER' } })
    const accept = () =>
      service.api('POST', '/api/v1/invitations/accept', { body: { token: invitation.token, password: PASSWORD } })
    expectError(await accept(), 403, 'sign_in_denied')
    expect(await service.sql('SELECT 1 FROM users WHERE email = $1', [email])).toEqual([])
    await service.api('DELETE', `/api/v1/policies/${id}`, { token: owner.token })
    expect((await accept()).status).toBe(200)
  })

  it('applies to instance administrators in other teams if the administering team defines it', async () => {
    const own = await startService()
    const admin = await onboardAdmin(own)
    const other = await own.api('POST', '/api/v1/organizations', { token: admin.token, body: { name: 'Other' } })
    const elsewhere = await own.api('POST', '/api/v1/auth/switch-team', {
      token: admin.token,
      body: { teamId: other.body.id },
    })
    const token: string = elsewhere.body.accessToken
    await own.sql('UPDATE sessions SET admitted_team_ids = ARRAY[$1::uuid] WHERE user_id = $2', [
      other.body.id,
      admin.id,
    ])
    const configure = () => own.api('PUT', '/api/v1/config', { token, body: { mfaGracePeriodDays: 9 } })
    expect((await configure()).status).toBe(200)
    const policy = {
      type: 'SIGN_ON',
      effect: 'DENY',
      resource: 'sign-in',
      actions: ['login'],
      conditions: { role: 'X' },
    }
    await makePolicy(own, admin, policy)
    expectError(await configure(), 403, 'forbidden')
    const back = await own.api('POST', '/api/v1/auth/switch-team', { token, body: { teamId: admin.teamId } })
    const again = await own.api('PUT', '/api/v1/config', {
      token: back.body.accessToken,
      body: { mfaGracePeriodDays: 8 },
    })
    expect(again.status).toBe(200)
    await own.close()
  })

  it('keeps the change of a temporary password due after the challenge of a switch', async () => {
    const created = newEmail()
    await addUser(service, owner, { email: created, role: 'member', temporaryPassword: 'a temporary password' })
    const person = await signIn(service, { email: created, password: 'a temporary password' })
    const app = await enrollApp(service, person)
    await service.sql("UPDATE sessions SET amr = '{pwd}', verified_factor_ids = '{}' WHERE user_id = $1", [person.id])
    await requireFactor()
    const { body } = await service.api('POST', '/api/v1/auth/switch-team', {
      token: person.token,
      body: { teamId: owner.teamId },
    })
    const done = await completeChallengeWithCode(service, body.mfaToken, app.code())
    expect(done.body).toMatchObject({ mustChangePassword: true, team: { id: owner.teamId } })
  })

  it('applies again when the challenge is completed', async () => {
    const app = await enrollApp(service, member)
    const { mfaToken } = await beginLogIn(service, member)
    await rule({ effect: 'DENY', conditions: { role: 'MEMBER' } })
    expectError(await completeChallengeWithCode(service, mfaToken, app.code()), 403, 'sign_in_denied')
  })

  describe('for a session of another team', () => {
    let person: TestUser
    beforeEach(async () => {
      person = await registerVerifiedUser(service)
      await joinTeam(service, person, owner.teamId)
    })
    const inTeam = () =>
      service.api('GET', '/api/v1/auth/me', { token: person.token, headers: { 'x-org-id': owner.teamId } })
    const switchTo = (body = { teamId: owner.teamId }) =>
      service.api('POST', '/api/v1/auth/switch-team', { token: person.token, body })

    it('rejects requests to the team until the session switches to it, and applies to the switch', async () => {
      expect((await inTeam()).status).toBe(200)
      await rule({ effect: 'DENY', conditions: { role: 'VIEWER' } })
      expectError(await inTeam(), 403, 'team_sign_in_required')
      const path = `/api/v1/organizations/${owner.teamId}`
      expectError(await service.api('GET', path, { token: person.token }), 403, 'team_sign_in_required')
      const switched = await switchTo()
      expect(switched.status).toBe(200)
      expect((await service.api('GET', path, { token: switched.body.accessToken })).status).toBe(200)
      // A second switch does not evaluate them again in this session.
      await service.api('POST', '/api/v1/auth/switch-team', {
        token: switched.body.accessToken,
        body: { teamId: person.teamId },
      })
      expect((await inTeam()).status).toBe(200)
    })

    it('denies the switch', async () => {
      await rule({ effect: 'DENY', conditions: { role: 'MEMBER' } })
      expectError(await switchTo(), 403, 'sign_in_denied')
    })

    it('requires a factor for the switch, and the new session replaces the first', async () => {
      const app = await enrollApp(service, person)
      await service.sql("UPDATE sessions SET amr = '{pwd}', verified_factor_ids = '{}' WHERE user_id = $1", [person.id])
      await requireFactor()
      const { status, body } = await switchTo()
      expect([status, body.mfaRequired]).toEqual([200, true])
      expect((await service.api('GET', '/api/v1/auth/me', { token: person.token })).status).toBe(200)
      const done = await completeChallengeWithCode(service, body.mfaToken, app.code())
      expect(done.body.team.id).toBe(owner.teamId)
      const before = await service.api('GET', '/api/v1/auth/me', { token: person.token })
      expectError(before, 401, 'invalid_access_token')
    })

    it('invalidates the challenge of a switch when its session ends', async () => {
      const app = await enrollApp(service, person)
      await service.sql("UPDATE sessions SET amr = '{pwd}', verified_factor_ids = '{}' WHERE user_id = $1", [person.id])
      await requireFactor()
      const { body } = await switchTo()
      expect((await service.api('POST', '/api/v1/auth/logout', { token: person.token })).status).toBe(200)
      expectError(await completeChallengeWithCode(service, body.mfaToken, app.code()), 400, 'mfa_expired')
    })

    it('rejects a user who was removed from the team during the challenge', async () => {
      await rule({ effect: 'DENY', conditions: { role: 'VIEWER' } })
      const { body } = await switchTo()
      const back = { teamId: person.teamId }
      await service.api('POST', '/api/v1/auth/switch-team', { token: body.accessToken, body: back })
      expect((await inTeam()).status).toBe(200)
      const path = `/api/v1/organizations/${owner.teamId}/members/${person.id}`
      expect((await service.api('DELETE', path, { token: owner.token })).status).toBe(200)
      await joinTeam(service, person, owner.teamId)
      expectError(await inTeam(), 403, 'team_sign_in_required')
    })

    it('accepts the session in other teams while a factor is due in this one', async () => {
      await requireFactor()
      const { body } = await switchTo()
      expect(body.mfa.enrollmentRequired).toBe(true)
      const at = (teamId: string) =>
        service.api('GET', '/api/v1/auth/sessions', { token: body.accessToken, headers: { 'x-org-id': teamId } })
      expectError(await at(owner.teamId), 403, 'mfa_enrollment_required')
      expect((await at(person.teamId)).status).toBe(200)
      const home = await service.api('POST', '/api/v1/auth/switch-team', {
        token: body.accessToken,
        body: { teamId: person.teamId },
      })
      expect(home.body.mfa.enrollmentRequired).toBe(false)
      expect((await service.api('GET', '/api/v1/auth/sessions', { token: home.body.accessToken })).status).toBe(200)
    })

    it('rejects nothing if it cannot match a sign-in', async () => {
      await rule({ resource: 'application:*', effect: 'DENY' })
      await rule({ actions: ['other'], effect: 'DENY' })
      await rule({ resource: 'sign_in', effect: 'DENY' })
      await rule({ enabled: false, effect: 'DENY' })
      expect((await inTeam()).status).toBe(200)
      await rule({ resource: 'sign*', conditions: { role: 'VIEWER' } })
      expectError(await inTeam(), 403, 'team_sign_in_required')
    })

    it('allows the switch of a session that has verified a factor', async () => {
      const app = await enrollApp(service, person)
      await requireFactor()
      const { mfaToken } = await beginLogIn(service, { email: person.email, password: PASSWORD })
      const done = await completeChallengeWithCode(service, mfaToken, app.code())
      const switched = await service.api('POST', '/api/v1/auth/switch-team', {
        token: done.body.accessToken,
        body: { teamId: owner.teamId },
      })
      expect(switched.body).toMatchObject({ accessToken: expect.any(String), team: { id: owner.teamId } })
    })

    it('limits a switching user without a factor to its enrollment', async () => {
      await requireFactor()
      const { body } = await switchTo()
      expect(body.mfa.enrollmentRequired).toBe(true)
      const sessions = await service.api('GET', '/api/v1/auth/sessions', { token: body.accessToken })
      expectError(sessions, 403, 'mfa_enrollment_required')
    })

    it('applies to the acceptance of an invitation, and a denial leaves it pending', async () => {
      const guest = await registerUser(service)
      const invitation = await invite(service, owner, guest.email)
      const { id } = await rule({ effect: 'DENY', conditions: { role: 'MEMBER' } })
      const accept = () =>
        service.api('POST', '/api/v1/invitations/accept', { token: guest.token, body: { token: invitation.token } })
      expectError(await accept(), 403, 'sign_in_denied')
      await service.api('DELETE', `/api/v1/policies/${id}`, { token: owner.token })
      expect((await accept()).body.team.id).toBe(owner.teamId)
    })
  })

  describe('for one of its applications', () => {
    /** The data of an authorization request that the sign-in pages receive. */
    const interactionOf = (browser: Browser, answer: ApiResponse) => {
      const to = new URL(answer.headers.get('location') ?? '')
      expect(to.searchParams.get('code')).toBeNull()
      const idp = to.searchParams.get('idp')?.slice(service.baseUrl.length)
      return browser.call('GET', `${idp}/interaction/${to.searchParams.get('uid')}`)
    }

    it('denies the authorization code to some users and allows it to others', async () => {
      const app = await registerApp(service, owner)
      await rule({ resource: `application:${app.id}`, effect: 'DENY', conditions: { role: 'MEMBER' } })
      const browser = openBrowser(service, member)
      await browser.signIn()
      const answer = await browser.visit(authorizePath(app))
      expectError(await interactionOf(browser, answer), 403, 'application_access_denied')
      const [entry] = await service.sql(
        `SELECT result, metadata FROM audit_entries WHERE user_id = $1 AND action = 'application.signed_in'`,
        [member.id],
      )
      expect(entry).toMatchObject({ result: 'DENIED', metadata: { reason: 'sign_in_denied' } })
      const { callback } = await openBrowser(service, owner).authorize(app)
      expect(callback.searchParams.get('code')).not.toBeNull()
    })

    it('matches the type of the browser', async () => {
      member = await registerUser(service)
      await joinTeam(service, member, owner.teamId)
      const app = await registerApp(service, owner)
      await rule({ resource: `application:${app.id}`, effect: 'DENY', conditions: { knownDevice: false } })
      // A restricted sign-in does not make the device known.
      const person = await registerUser(service)
      await joinTeam(service, person, owner.teamId)
      const browser = openBrowser(service, person)
      await browser.signIn()
      const code = async () => (await browser.authorize(app)).callback.searchParams.get('code')
      expect(await code()).not.toBeNull()
      const device = browser.cookies.keyward_device ?? ''
      delete browser.cookies.keyward_device
      const answer = await browser.visit(authorizePath(app))
      expectError(await interactionOf(browser, answer), 403, 'application_access_denied')
      browser.cookies.keyward_device = device
      expect(await code()).not.toBeNull()
    })

    it('requires a factor that the session has not verified, and allows the code afterwards', async () => {
      const app = await registerApp(service, owner)
      const browser = openBrowser(service, member)
      await browser.signIn()
      const { body: me } = await browser.call('GET', '/api/v1/auth/me')
      expect(me.mfa.enabled).toBe(false)
      const ofBrowser = (method: string, path: string, request?: ApiRequest) =>
        browser.call(method, path, request?.body)
      const totp = await enrollApp({ ...service, api: ofBrowser }, member)
      await service.sql("UPDATE sessions SET amr = '{pwd}', verified_factor_ids = '{}' WHERE user_id = $1", [member.id])
      await requireFactor({ resource: `application:${app.id}` })
      const redirect = new URL((await browser.visit(authorizePath(app))).headers.get('location') ?? '')
      expect(redirect.pathname).toBe('/login')
      const interaction = `${redirect.searchParams.get('idp')?.slice(service.baseUrl.length)}/interaction/${redirect.searchParams.get('uid')}`
      expect((await browser.call('GET', interaction)).body).toMatchObject({ secondFactorRequired: true })
      const confirm = () => browser.call('POST', `${interaction}/confirm`, { consent: true })
      expectError(await confirm(), 403, 'second_factor_required')
      const stepUp = await browser.call('POST', '/api/v1/auth/reauthenticate', { code: totp.code(1) })
      expect(stepUp.status).toBe(200)
      const { body } = await confirm()
      expect(new URL(body.redirectTo).searchParams.get('code')).not.toBeNull()
      // The next time, no challenge is needed.
      const next = new URL((await browser.visit(authorizePath(app))).headers.get('location') ?? '')
      expect(next.searchParams.get('code')).not.toBeNull()
    })
  })
})
