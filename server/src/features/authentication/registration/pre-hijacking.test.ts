import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { certifiedKey } from '../../../../test/doubles/metadata-server.js'
import {
  addUser,
  expectError,
  expectSession,
  invite,
  joinTeam,
  logIn,
  mailedToken,
  makePolicy,
  newEmail,
  PASSWORD,
  registerUser,
  registerVerifiedUser,
  requestToken,
  type TestUser,
  verifyDomain,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { enrollPasskey } from '../../../../test/factories/factors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const OWNERS = 'the password of the owner'

describe('an account that an attacker registered with the email address of its owner', () => {
  let service: TestService
  let attacker: TestUser
  let second: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const post = (path: string, body: object, token?: string) =>
    service.api('POST', `/api/v1/auth/${path}`, { body, token })
  const byLink = async (token?: string) =>
    post('verify', { token: await requestToken(service, 'magic_link', attacker.email) }, token)
  const byReset = async () =>
    post('reset-password', {
      token: await requestToken(service, 'password_reset', attacker.email),
      newPassword: OWNERS,
    })

  /** The attacker registers the email address and signs in twice, unknown to the owner. */
  async function plant(): Promise<void> {
    attacker = await registerUser(service, { email: newEmail('victim') })
    second = await logIn(service, attacker)
  }

  async function expectShutOut(): Promise<void> {
    for (const { token, refreshToken } of [attacker, second]) {
      await expectSession(service, token, 'revoked')
      expectError(await post('refresh', { refreshToken }), 401, 'invalid_refresh_token')
    }
    expectError(await post('login', { email: attacker.email, password: PASSWORD }), 401, 'invalid_credentials')
  }

  it('removes all other credentials when the owner signs in with a mailed link, and lists them in the response', async () => {
    await plant()
    const { status, body } = await byLink()
    expect(status).toBe(200)
    expect(body.cleaned).toEqual({
      passwordRemoved: true,
      sessionsEnded: 2,
      teamsSetAside: 0,
      factorsRemoved: 0,
      disownToken: expect.stringMatching(/^[\w-]{43}$/),
    })
    await expectShutOut()
    const { body: me } = await service.api('GET', '/api/v1/auth/me', { token: body.accessToken })
    expect(me).toMatchObject({ emailVerified: true, hasPassword: false, session: { method: 'magic_link' } })
    expect((await byLink()).body).not.toHaveProperty('cleaned')
  })

  it.each([
    ['remains', []],
    ['is set aside', ['example.com']],
  ])(
    'removes the profile and the leave date that the attacker wrote into a team that %s',
    async (_, allowedDomains) => {
      await plant()
      const { id, token, teamId } = attacker
      await service.api('PUT', `/api/v1/organizations/${teamId}`, { token, body: { allowedDomains } })
      const planted = { firstName: 'Planted', title: 'Fraudster', phone: '+1 900 555 0100' }
      const leaveAt = new Date(service.clock.now().getTime() + 60_000).toISOString()
      const written = await service.api('PUT', `/api/v1/users/${id}`, { token, body: { ...planted, leaveAt } })
      expect(written.status, written.text).toBe(200)
      const verified = await byLink()
      expect(verified.body.cleaned.teamsSetAside).toBe(allowedDomains.length)
      const { body } = await service.api('POST', '/api/v1/auth/switch-team', {
        token: verified.body.accessToken,
        body: { teamId },
      })
      const { body: user } = await service.api('GET', `/api/v1/users/${id}`, { token: body.accessToken })
      expect(user).toMatchObject({ id, leaveAt: null })
      expect([user.firstName, user.title, user.phone].filter(Boolean)).toEqual([])
      const { body: me } = await service.api('GET', '/api/v1/auth/me', { token: body.accessToken })
      expect(JSON.stringify(me)).not.toContain('Planted')
    },
  )

  it('accepts no update by a directory and no sign-in by a provider of the attacker', async () => {
    await plant()
    const { token } = attacker
    const { certificate: samlCertificate } = certifiedKey('attacker')
    const made = async (path: string, body: object) => {
      const answer = await service.api('POST', `/api/v1/${path}`, { token, body })
      expect(answer.status, answer.text).toBe(201)
      return answer.body
    }
    const scim = await made('directory/scim/token', {})
    const provider = await made('sso/providers', {
      name: 'Left behind',
      type: 'GENERIC_SAML',
      protocol: 'SAML2',
      samlEntityId: 'urn:attacker',
      samlSsoUrl: 'https://login.example/sso',
      samlCertificate,
    })
    await made('directory/ldap/config', {
      url: 'ldap://127.0.0.1:9',
      baseDn: 'dc=x',
      bindDn: 'cn=x',
      bindPassword: 'x',
    })
    const users = () => service.api('GET', `/scim/v2/${attacker.teamId}/Users`, { token: scim.token })
    expect((await users()).status).toBe(200)

    const { body } = await byLink()
    expect((await users()).status).toBe(401)
    // The team with the tokens and providers is not selected by default.
    expect(body.team.id).not.toBe(attacker.teamId)
    expect(body.cleaned.teamsSetAside).toBe(1)
    const headers = { 'x-org-id': attacker.teamId }
    const asOwner = (path: string) =>
      service.api('POST', `/api/v1/${path}`, { token: body.accessToken, headers, body: {} })
    const { checks } = (await asOwner(`sso/providers/${provider.id}/test`)).body
    expect(checks).toContainEqual(expect.objectContaining({ id: 'saved_by', status: 'failed' }))
    expect((await asOwner('directory/ldap/sync')).text).toContain('directory_orphaned')
  })

  it('contains no secret of the previous user in a reclaimed team, which the owner keeps by a switch', async () => {
    await plant()
    const call = async (method: string, path: string, body?: object, token = attacker.token) => {
      const answer = await service.api(method, `/api/v1/${path}`, { token, body })
      expect(answer.status, answer.text).toBeLessThan(300)
      return answer.body
    }
    const { teamId } = attacker
    const app = await call('POST', 'applications', {
      name: 'Planted',
      type: 'OIDC',
      redirectUris: ['https://rp.example/callback'],
      grantTypes: ['authorization_code', 'client_credentials'],
    })
    const issued = async () =>
      service.api('POST', '/api/v1/oauth/token', {
        raw: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: app.clientId,
          client_secret: app.clientSecret,
        }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    const { body: before, status: first } = await issued()
    expect(first).toBe(200)
    const { token: apiToken } = await call('POST', 'api-tokens', { name: 'Planted', scopes: ['applications:write'] })
    const registered = await service.api('POST', '/api/v1/oauth/register', {
      headers: { 'x-api-token': apiToken },
      body: { team_id: teamId, client_name: 'Registered', redirect_uris: ['https://rp.example/callback'] },
    })
    expect(registered.status, registered.text).toBe(201)
    const manage = () =>
      service.api('GET', `/api/v1/oauth/register/${registered.body.client_id}`, {
        token: registered.body.registration_access_token,
      })
    expect((await manage()).status).toBe(200)
    await call('PUT', `organizations/${teamId}`, { allowedDomains: ['attacker.example'] })
    await call('POST', `organizations/${teamId}/members/invite`, { email: newEmail(), role: 'OWNER' })
    await verifyDomain(service, teamId, `${newEmail('attacker').split('@')[0]}.example`)

    const { body } = await byLink()
    expect(body.team.id).not.toBe(teamId)
    expect(body.cleaned.teamsSetAside).toBe(1)
    const { accessToken } = await call('POST', 'auth/switch-team', { teamId }, body.accessToken)
    expect((await issued()).status).toBe(401)
    await call('POST', `applications/${app.id}/start`, {}, accessToken)
    expect((await issued()).status).toBe(401)
    expect((await manage()).status).toBe(401)
    const introspected = await service.api('POST', '/api/v1/oauth/introspect', { body: { token: before.access_token } })
    expect(introspected.body).toEqual({ active: false })
    expect((await service.api('GET', '/api/v1/applications', { token: apiToken })).status).toBe(401)
    const get = (path: string) => call('GET', path, undefined, accessToken)
    expect((await get(`organizations/${teamId}`)).allowedDomains).toEqual([])
    expect((await get(`organizations/${teamId}/invitations?status=PENDING`)).total).toBe(0)
    expect((await get(`organizations/${teamId}/domains`)).data).toEqual([])
    expect((await get('audit/logs')).data.map(({ action }: { action: string }) => action)).toContain(
      'organization.secrets_ended',
    )
  })

  it('selects no reclaimed team with nothing but a planted policy by default', async () => {
    await plant()
    await makePolicy(service, attacker)
    const { body } = await byLink()
    expect([body.cleaned.teamsSetAside, body.team.id === attacker.teamId]).toEqual([1, false])
  })

  it('leaves a team with another confirmed owner unchanged at a first verification', async () => {
    await plant()
    const colleague = await registerUser(service)
    await joinTeam(service, colleague, attacker.teamId, { role: 'OWNER' })
    const change = { token: attacker.token, body: { allowedDomains: ['company.example'] } }
    expect((await service.api('PUT', `/api/v1/organizations/${attacker.teamId}`, change)).status).toBe(200)
    expect((await byLink()).body.cleaned.teamsSetAside).toBe(1)
    const { body } = await service.api('GET', `/api/v1/organizations/${attacker.teamId}`, { token: colleague.token })
    expect(body.allowedDomains).toEqual(['company.example'])
  })

  it('removes all other credentials when the owner resets the password by mail, and lists them in the response', async () => {
    await plant()
    const { status, body } = await byReset()
    expect(status).toBe(200)
    await expectShutOut()
    const owner = await logIn(service, { email: attacker.email, password: OWNERS })
    await expectSession(service, owner.token, 'active')
    expect(body.cleaned).toEqual({
      passwordRemoved: true,
      sessionsEnded: 2,
      teamsSetAside: 0,
      factorsRemoved: 0,
      disownToken: expect.any(String),
    })
    expect((await post('disown', { token: body.cleaned.disownToken })).status).toBe(200)
    await expectSession(service, owner.token, 'revoked')
  })

  it('lets its owner delete it, which frees the email address and deletes its team and its audit log', async () => {
    await plant()
    const { body } = await byLink()
    const token = body.cleaned.disownToken
    expect((await post('disown', { token })).status).toBe(200)
    await expectSession(service, body.accessToken, 'revoked')
    expectError(await post('disown', { token }), 400, 'invalid_token')

    await service.clock.advance(91 * 24 * 60 * 60_000)
    await service.settle()
    const left = await service.sql<{ action: string; team: string | null }>(
      'SELECT action, team_id AS team FROM audit_entries WHERE user_id = $1 OR resource IN ($2, $3) ORDER BY action',
      [attacker.id, `user:${attacker.id}`, `organization:${attacker.teamId}`],
    )
    const record = [
      'organization.audit_removed',
      'organization.deleted',
      'user.deleted',
      'user.disowned',
      'user.personal_data_erased',
    ]
    expect(left).toEqual(record.map((action) => ({ action, team: null })))
    expect(await service.sql('SELECT 1 FROM organizations WHERE id = $1', [attacker.teamId])).toEqual([])

    const again = await registerUser(service, { email: attacker.email })
    expect(again.id).not.toBe(attacker.id)
    expect(again.teamId).not.toBe(attacker.teamId)
  })

  it('accepts its deletion with the token of the verification mail, without a sign-in', async () => {
    await plant()
    const token = await mailedToken(service, 'verify_email', attacker.email)
    expect((await post('disown', { token })).status).toBe(200)
    for (const session of [attacker, second]) await expectSession(service, session.token, 'revoked')
    await registerUser(service, { email: attacker.email })
  })

  it('rejects its deletion with that token once it is verified', async () => {
    await plant()
    const token = await mailedToken(service, 'verify_email', attacker.email)
    await byLink()
    expectError(await post('disown', { token }), 400, 'invalid_token')
  })

  it.each(['the verification mail', 'the first verification'])(
    'deletes the account with the token of %s, and leaves its team to the other member',
    async (way) => {
      await plant()
      const accomplice = await registerUser(service)
      await joinTeam(service, accomplice, attacker.teamId, { role: 'SUPER_ADMIN' })
      const token =
        way === 'the verification mail'
          ? await mailedToken(service, 'verify_email', attacker.email)
          : (await byLink()).body.cleaned.disownToken
      const { status, body } = await post('disown', { token })
      expect([status, body]).toEqual([200, { message: expect.any(String), accountDeleted: true }])
      const { body: members } = await service.api('GET', `/api/v1/organizations/${attacker.teamId}/members`, {
        token: accomplice.token,
      })
      expect(members.data.map(({ email }: { email: string }) => email)).toEqual([accomplice.email])
      const again = await registerUser(service, { email: attacker.email })
      expect(again.id).not.toBe(attacker.id)
    },
  )

  it('deletes an unverified account that is a confirmed member of another team, and keeps that team', async () => {
    await plant()
    const other = await registerUser(service)
    await joinTeam(service, attacker, other.teamId)
    const token = await mailedToken(service, 'verify_email', attacker.email)
    const { status, body } = await post('disown', { token })
    expect([status, body.accountDeleted]).toEqual([200, true])
    const members = await service.api('GET', `/api/v1/organizations/${other.teamId}/members`, { token: other.token })
    expect(members.body.data.map(({ email, role }: { email: string; role: string }) => [email, role])).toEqual([
      [other.email, 'OWNER'],
    ])
  })

  it('deletes the account with the membership in the team that inserted it, unless another team has one', async () => {
    const [company, other] = [await registerUser(service), await registerUser(service)]
    for (const accountDeleted of [true, false]) {
      const { email } = await addUser(service, company, { temporaryPassword: PASSWORD })
      if (!accountDeleted) await addUser(service, other, { email })
      await service.api('POST', '/api/v1/auth/login', { body: { email, password: PASSWORD } })
      const link = await requestToken(service, 'magic_link', email)
      const { body } = await post('verify', { token: link })
      const answer = await post('disown', { token: body.cleaned.disownToken })
      expect([answer.status, answer.body.accountDeleted]).toEqual([200, accountDeleted])
      const teams = await service.sql(
        'SELECT m.organization_id AS id FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email = $1',
        [email],
      )
      expect(teams).toEqual(accountDeleted ? [] : [{ id: other.teamId }])
    }
  })

  it('keeps its session and password when its own session verifies the email address', async () => {
    await plant()
    await verifyEmailAddress(service, attacker)
    await expectSession(service, attacker.token, 'active')
    await expectSession(service, second.token, 'revoked')
    await logIn(service, attacker)
    const { body } = await service.api('GET', '/api/v1/auth/me', { token: attacker.token })
    expect(body.emailVerified).toBe(true)
  })

  it('keeps its session and password when its own session redeems a sign-in link', async () => {
    await plant()
    const { status, body } = await byLink(attacker.token)
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('cleaned')
    await expectSession(service, attacker.token, 'active')
    await expectSession(service, second.token, 'revoked')
    await logIn(service, attacker)
  })

  it.each([
    [
      'the verification mail',
      async () => ({ path: 'auth/verify-email', token: await mailedToken(service, 'verify_email', attacker.email) }),
    ],
    [
      'an invitation',
      async () => ({
        path: 'invitations/accept',
        token: (await invite(service, await registerUser(service), attacker.email)).token,
      }),
    ],
    [
      'a sign-in link',
      async () => ({ path: 'auth/verify', token: await requestToken(service, 'magic_link', attacker.email) }),
    ],
  ])(
    'keeps what its own session created, and nothing of its other sessions, once that session verifies with %s',
    async (_, link) => {
      await plant()
      const own = attacker
      const guest = await registerVerifiedUser(service)
      const apiToken = async ({ token }: TestUser) =>
        (await service.api('POST', '/api/v1/api-tokens', { token, body: { name: 'CI', scopes: ['org:read'] } })).body
          .token
      const planted = await apiToken(second)
      const invitation = await invite(service, second, guest.email, 'SUPER_ADMIN')
      const changed = newEmail('other')
      expect((await post('me/email', { email: changed }, second.token)).status).toBeLessThan(300)
      const change = await mailedToken(service, 'change_email', changed)

      const { path, token } = await link()
      const verified = await service.api('POST', `/api/v1/${path}`, { token: own.token, body: { token } })
      expect(verified.status, verified.text).toBeLessThan(300)

      await expectSession(service, own.token, 'active')
      await expectSession(service, second.token, 'revoked')
      expectError(await post('refresh', { refreshToken: second.refreshToken }), 401, 'invalid_refresh_token')
      expect((await service.api('GET', '/api/v1/org', { token: planted })).status).toBe(401)
      const accepted = await service.api('POST', '/api/v1/invitations/accept', {
        token: guest.token,
        body: { token: invitation.token },
      })
      expect(accepted.status).toBe(400)
      expectError(await post('confirm-email', { token: change }, own.token), 400, 'invalid_token')
      // The session signed in with the password.
      await logIn(service, own)
    },
  )

  it('keeps what was created while its own session was the only one', async () => {
    const own = await registerUser(service, { overHttp: true })
    attacker = own
    const { body: token } = await service.api('POST', '/api/v1/api-tokens', {
      token: own.token,
      body: { name: 'CI', scopes: ['org:read'] },
    })
    const passkey = await enrollPasskey(service, own)
    const verify = { token: await mailedToken(service, 'verify_email', own.email) }
    expect((await post('verify-email', verify, own.token)).status).toBe(200)
    expect((await service.api('GET', '/api/v1/org', { token: token.token })).status).toBe(200)
    const { body: options } = await service.api('POST', '/api/v1/auth/passkey/options')
    expect((await post('passkey/verify', { credential: passkey.authenticator.get(options) })).status).toBe(200)
  })

  it('keeps the passkey that its own session signed in with, and not the password of another one', async () => {
    await plant()
    const passkey = await enrollPasskey(service, second)
    const { body: options } = await service.api('POST', '/api/v1/auth/passkey/options')
    const { body: own } = await post('passkey/verify', { credential: passkey.authenticator.get(options) })
    const verify = { token: await mailedToken(service, 'verify_email', attacker.email) }
    expect((await post('verify-email', verify, own.accessToken)).status).toBe(200)
    await expectSession(service, own.accessToken, 'active')
    await expectSession(service, second.token, 'revoked')
    expectError(await post('login', { email: attacker.email, password: PASSWORD }), 401, 'invalid_credentials')
  })

  it('loses everything if the link is redeemed in a session of another account or in an ended one', async () => {
    for (const state of ['foreign', 'ended']) {
      await plant()
      const other = state === 'foreign' ? await registerUser(service) : second
      if (state === 'ended') await service.api('POST', '/api/v1/auth/logout', { token: second.token })
      expect((await byLink(other.token)).body.cleaned).toMatchObject({ passwordRemoved: true })
      await expectSession(service, attacker.token, 'revoked')
    }
  })

  it('accepts a verification only in its own session; another one, or none, leaves the link valid', async () => {
    await plant()
    const outsider = await registerUser(service)
    const body = { token: await mailedToken(service, 'verify_email', attacker.email) }
    expectError(await post('verify-email', body), 401, 'unauthorized')
    expectError(await post('verify-email', body, outsider.token), 403, 'wrong_account')
    expect((await post('verify-email', body, attacker.token)).status).toBe(200)
    expectError(await post('verify-email', body, attacker.token), 400, 'invalid_token')
  })

  it('gets no further verification mail once it is verified', async () => {
    await plant()
    await verifyEmailAddress(service, attacker)
    const before = (await service.mails(attacker.email)).length
    expect((await post('verify-email/resend', {}, attacker.token)).status).toBe(200)
    expect(await service.mails(attacker.email)).toHaveLength(before)
  })

  it('stays with teams of others, without anything of its creator, once its owner disowned it', async () => {
    await plant()
    const other = await registerUser(service)
    await joinTeam(service, attacker, other.teamId, { counts: false })
    const body = { token: await mailedToken(service, 'verify_email', attacker.email) }
    expect((await post('disown', body)).body).toEqual({ message: expect.any(String), accountDeleted: false })
    await expectShutOut()
    const members = await service.api('GET', `/api/v1/organizations/${other.teamId}/members`, { token: other.token })
    expect(members.body.data.map(({ email }: { email: string }) => email)).toContain(attacker.email)
    expectError(await post('register', { email: attacker.email, password: PASSWORD }), 409, 'email_taken')
  })
})
