import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorize, registerApp, tokensFor, uidOf } from '../../../../test/doubles/relying-party.js'
import {
  addUser,
  expectError,
  expectSession,
  invite,
  joinTeam,
  mailedToken,
  newEmail,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { type App, completeChallengeWithCode, enrollApp, registerWithApp } from '../../../../test/factories/factors.js'
import { documentedRoutes, nameOf, pathWith, sampleOf } from '../../../../test/harness/openapi.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const TEMPORARY = 'handed over by the help desk'

/** Routes that read or change the account itself. */
const ACCOUNT = [
  'PATCH /api/v1/auth/me',
  'DELETE /api/v1/auth/me',
  'GET /api/v1/auth/me/export',
  'POST /api/v1/auth/me/email',
  'POST /api/v1/auth/confirm-email',
  'POST /api/v1/auth/change-password',
  'GET /api/v1/auth/sessions',
  'DELETE /api/v1/auth/sessions/{id}',
  'DELETE /api/v1/auth/sessions',
  'GET /api/v1/auth/devices',
  'DELETE /api/v1/auth/devices/{id}',
  'POST /api/v1/organizations',
  'GET /api/v1/organizations/joinable',
  'GET /api/v1/organizations/waiting',
  'POST /api/v1/organizations/{orgId}/confirm',
  'POST /api/v1/organizations/{orgId}/block',
  'DELETE /api/v1/organizations/{orgId}/block',
  'POST /api/v1/organizations/{orgId}/join',
  'POST /api/v1/organizations/{orgId}/leave',
]
/** Routes that are limited to the team of a session without an account factor. */
const LIMITED = [
  'GET /api/v1/auth/events',
  'GET /api/v1/organizations',
  'GET /api/v1/auth/applications',
  'GET /api/v1/auth/grants',
  'DELETE /api/v1/auth/grants/{id}',
  'GET /api/v1/auth/grants/withdrawn',
  'POST /api/v1/auth/grants/{id}/allow',
]
/** Routes that require a factor themselves, or that do not access the account. */
const OTHERS = [
  // Challenges or rejects the session itself.
  'POST /api/v1/auth/switch-team',
  // Factors.
  'GET /api/v1/auth/mfa/status',
  'POST /api/v1/auth/mfa/enroll/totp',
  'POST /api/v1/auth/mfa/enroll/verify',
  'GET /api/v1/auth/mfa/passkey/options',
  'POST /api/v1/auth/mfa/passkey/enroll',
  'PATCH /api/v1/auth/mfa/methods/{id}',
  'DELETE /api/v1/auth/mfa/methods/{id}',
  'POST /api/v1/auth/mfa/backup-codes/regenerate',
  'POST /api/v1/auth/mfa/disable',
  'POST /api/v1/auth/mfa/adaptive/toggle',
  // Meets the requirement.
  'POST /api/v1/auth/reauthenticate/options',
  'POST /api/v1/auth/reauthenticate',
  // The current session.
  'GET /api/v1/auth/me',
  'GET /api/v1/permissions',
  // Requires access to the mailbox.
  'POST /api/v1/auth/verify-email',
  'POST /api/v1/auth/verify-email/resend',
  // Sign-ins to applications apply the rules of the application's team.
  'POST /api/v1/oauth/device/verify',
  'GET /api/v1/sso/saml-idp/{appId}/requests/{requestId}',
  'GET /api/v1/sso/oidc-idp/{issuer}/interaction/{uid}',
  'POST /api/v1/sso/oidc-idp/{issuer}/interaction/{uid}/confirm',
  'GET /api/v1/sso/oidc-idp/{issuer}/{application}/interaction/{uid}',
  'POST /api/v1/sso/oidc-idp/{issuer}/{application}/interaction/{uid}/confirm',
]

describe('a route that acts on the account', () => {
  let service: TestService
  let hostile: TestUser
  let company: TestUser
  let user: TestUser
  let app: App
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    hostile = await registerUser(service)
    company = await registerUser(service)
    ;({ user, app } = await registerWithApp(service, { verified: true }))
    await joinTeam(service, user, company.teamId)
  })

  const call = (token: string, method: string, path: string, body?: object) =>
    service.api(method, `/api/v1${path}`, { token, ...(body && { body }) })
  const signIn = async (teamId?: string, { email, password }: { email: string; password: string } = user) =>
    (await service.api('POST', '/api/v1/auth/login', { body: { email, password, ...(teamId && { teamId }) } })).body
  const reset = async (by: Pick<TestUser, 'token'>, id = user.id) =>
    expect((await call(by.token, 'POST', `/users/${id}/mfa/reset`)).status).toBe(200)

  /** A session with only a password, in a team that has reset the user's factors. */
  async function withoutFactor(): Promise<string> {
    await addUser(service, hostile, { email: user.email })
    await reset(hostile)
    const { accessToken } = await signIn(hostile.teamId)
    expect(accessToken).toBeTruthy()
    return accessToken
  }
  /** A session with the password and a factor that the team enrolled in a restricted session. */
  async function withTheirFactor(): Promise<string> {
    await addUser(service, hostile, { email: user.email, temporaryPassword: TEMPORARY })
    const theirs = await enrollApp(service, {
      token: (await signIn(hostile.teamId, { ...user, password: TEMPORARY })).accessToken,
    })
    await service.clock.advance(61_000)
    const { mfaToken } = await signIn(hostile.teamId)
    const { body } = await completeChallengeWithCode(service, mfaToken, theirs.code())
    expect(body.accessToken).toBeTruthy()
    return body.accessToken
  }
  const SESSIONS: [string, () => Promise<string>][] = [
    ['without a factor in a team that reset the factors', withoutFactor],
    ['with a factor of the team alone', withTheirFactor],
  ]

  it('covers every route of a signed-in user in one of three groups', async () => {
    const routes = (await documentedRoutes(service)).filter(({ permission }) => permission === 'signed-in').map(nameOf)
    expect(routes.toSorted()).toEqual([...ACCOUNT, ...LIMITED, ...OTHERS].toSorted())
  })

  it.each(SESSIONS)('rejects a session %s and changes nothing', async (_, session) => {
    const token = await session()
    const own = (await call(user.token, 'GET', '/auth/sessions')).body.data[0].id
    for (const route of await documentedRoutes(service)) {
      if (!ACCOUNT.includes(nameOf(route))) continue
      const path = pathWith(route.path, { orgId: company.teamId, id: own })
      const body = route.body && { body: sampleOf(route.body) as object }
      const answer = await service.api(route.method, path, { token, ...body })
      expect([nameOf(route), answer.status, answer.body.code]).toEqual([nameOf(route), 403, 'second_factor_required'])
    }
    await expectSession(service, user.token, 'active')
    expect((await call(user.token, 'GET', `/organizations/${company.teamId}`)).status).toBe(200)
    expect((await signIn(user.teamId)).mfaRequired).toBe(true)
  })

  it.each(SESSIONS)('lists nothing of other teams in a session %s', async (_, session) => {
    const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id)
    const client = await registerApp(service, company)
    await tokensFor(service, client, user, { scope: 'openid offline_access' })
    const [grant] = (await call(user.token, 'GET', '/auth/grants')).body.data
    const token = await session()
    expect(ids(await call(token, 'GET', '/organizations'))).toEqual([hostile.teamId])
    for (const path of ['/auth/applications', '/auth/grants', '/auth/grants/withdrawn'])
      expect(ids(await call(token, 'GET', path))).toEqual([])
    const events: { team: { id: string } | null }[] = (await call(token, 'GET', '/auth/events')).body.data
    expect(events.filter(({ team }) => team?.id !== hostile.teamId)).toEqual([])
    const withdrawn = await call(token, 'DELETE', `/auth/grants/${grant.applicationId}`)
    expectError(withdrawn, 404, 'grant_not_found')
    await addUser(service, await registerUser(service), { email: user.email })
    expect((await signIn(hostile.teamId)).waitingTeams).toBeUndefined()
  })

  it('allows a session without a factor to act inside its team', async () => {
    const token = await withoutFactor()
    expect((await call(token, 'GET', '/auth/me')).body.team.id).toBe(hostile.teamId)
    expect((await call(token, 'GET', `/organizations/${hostile.teamId}`)).status).toBe(200)
    expect((await call(token, 'GET', '/auth/mfa/status')).status).toBe(200)
  })

  it('switches a session without a factor only to a team that challenges it', async () => {
    const token = await withoutFactor()
    const second = await registerUser(service)
    await addUser(service, second, { email: user.email })
    await reset(second)
    for (const { teamId } of [hostile, second])
      expectError(await call(token, 'POST', '/auth/switch-team', { teamId }), 403, 'second_factor_required')
    const { body } = await call(token, 'POST', '/auth/switch-team', { teamId: user.teamId })
    await service.clock.advance(61_000)
    const { body: moved } = await completeChallengeWithCode(service, body.mfaToken, app.code())
    expect((await call(moved.accessToken, 'GET', '/auth/sessions')).status).toBe(200)
  })

  it('rejects an invitation in a session without a factor', async () => {
    const token = await withoutFactor()
    const sent = await invite(service, await registerUser(service), user.email)
    const accept = (by: string) => call(by, 'POST', '/invitations/accept', { token: sent.token })
    expectError(await accept(token), 403, 'second_factor_required')
    expect((await accept(user.token)).status).toBe(200)
  })

  /** Whether the team sees the membership as confirmed. */
  const isConfirmed = async (teamId: string) =>
    (
      await service.sql('SELECT counts FROM memberships WHERE user_id = $1 AND organization_id = $2', [user.id, teamId])
    )[0]?.counts

  it.each(SESSIONS)(
    'confirms no membership by consent to an application of the team in a session %s',
    async (_, session) => {
      const token = await session()
      const client = await registerApp(service, hostile)
      const uid = uidOf(await authorize(service, client))
      const consent = (by: string) =>
        call(by, 'POST', `${client.idp.slice(7)}/interaction/${uid}/confirm`, { consent: true })
      expectError(await consent(token), 403, 'second_factor_required')
      expect(await isConfirmed(hostile.teamId)).toBe(false)
    },
  )

  it.each(SESSIONS)('confirms no membership by a device code in a session %s', async (_, session) => {
    const token = await session()
    const grantTypes = ['urn:ietf:params:oauth:grant-type:device_code']
    const fields = { isPublicClient: true, grantTypes, responseTypes: [], redirectUris: [] }
    const client = await registerApp(service, hostile, fields)
    const raw = new URLSearchParams({ client_id: client.clientId, scope: 'openid' }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { body: codes } = await service.api('POST', `${client.idp}/device/auth`, { raw, headers })
    const { body: interaction } = await call(token, 'POST', '/oauth/device/verify', { userCode: codes.user_code })
    const path = `${new URL(interaction.idp).pathname.slice(7)}/interaction/${interaction.uid}/confirm`
    expectError(await call(token, 'POST', path, { consent: true }), 403, 'second_factor_required')
    expect(await isConfirmed(hostile.teamId)).toBe(false)
  })

  describe('of an account without a confirmed team, with a welcome link', () => {
    let welcome: string
    beforeEach(async () => {
      await service.sql('DELETE FROM memberships WHERE user_id = $1', [user.id])
      await addUser(service, hostile, { email: user.email })
      welcome = await mailedToken(service, 'welcome', user.email)
    })
    const redeem = () => service.api('POST', '/api/v1/auth/verify', { body: { token: welcome } })

    it('confirms the membership after the second factor and not before', async () => {
      const { body: challenge } = await redeem()
      expect(challenge.mfaRequired).toBe(true)
      expect(await isConfirmed(hostile.teamId)).toBe(false)
      await service.clock.advance(61_000)
      expect((await completeChallengeWithCode(service, challenge.mfaToken, app.code())).status).toBe(200)
      expect(await isConfirmed(hostile.teamId)).toBe(true)
    })

    it('confirms nothing if the team has reset the factors', async () => {
      await reset(hostile)
      expect((await redeem()).body.accessToken).toBeTruthy()
      expect(await isConfirmed(hostile.teamId)).toBe(false)
    })
  })

  describe('of a member who lost the phone', () => {
    const ACTS: [string, string, object?][] = [
      ['PATCH', '/auth/me', { firstName: 'Ann' }],
      ['GET', '/auth/sessions'],
      ['GET', '/auth/devices'],
      ['POST', '/auth/change-password', { currentPassword: PASSWORD, newPassword: 'a new correct horse' }],
      ['POST', '/organizations', { name: 'A team of mine' }],
    ]
    const expectEverything = async (token: string, password = PASSWORD) => {
      for (const [method, path, body] of ACTS) {
        const given = body && 'currentPassword' in body ? { ...body, currentPassword: password } : body
        const answer = await call(token, method, path, given)
        expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300)
      }
    }
    const leaveOwnTeam = () =>
      service.sql('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [user.id, user.teamId])

    it.each(['before', 'after'])(
      'accepts a session with a new factor in the only team, %s a password reset',
      async (when) => {
        await leaveOwnTeam()
        await reset(company)
        const { accessToken } = await signIn(company.teamId)
        expect((await call(accessToken, 'GET', `/organizations/${company.teamId}`)).status).toBe(200)
        expectError(await call(accessToken, 'GET', '/auth/sessions'), 403, 'second_factor_required')
        let [token, password] = [accessToken, PASSWORD]
        if (when === 'after') {
          password = 'reset by its owner'
          const body = { token: await requestToken(service, 'password_reset', user.email), newPassword: password }
          expect((await service.api('POST', '/api/v1/auth/reset-password', { body })).status).toBe(200)
          token = (await signIn(company.teamId, { ...user, password })).accessToken
        }
        await enrollApp(service, { token })
        await expectEverything(token, password)
      },
    )

    it('accepts a session after a temporary password of the only team', async () => {
      await leaveOwnTeam()
      await reset(company)
      const path = `/users/${user.id}/password-reset`
      expect((await call(company.token, 'POST', path, { temporaryPassword: TEMPORARY })).status).toBe(200)
      const { accessToken } = await signIn(company.teamId, { ...user, password: TEMPORARY })
      const ofTeam = await enrollApp(service, { token: accessToken })
      await service.clock.advance(61_000)
      const { mfaToken } = await signIn(company.teamId)
      const { body } = await completeChallengeWithCode(service, mfaToken, ofTeam.code())
      await enrollApp(service, { token: body.accessToken })
      await expectEverything(body.accessToken)
    })

    it('accepts a session with a backup code in another team', async () => {
      await reset(company)
      const { mfaToken } = await signIn(user.teamId)
      const [code = ''] = app.backupCodes
      const { body } = await completeChallengeWithCode(service, mfaToken, code, { isBackupCode: true })
      await expectEverything(body.accessToken)
    })
  })

  it('requires nothing of an account without a factor', async () => {
    const other = await registerUser(service)
    await verifyEmailAddress(service, other)
    await addUser(service, hostile, { email: other.email })
    const { accessToken } = await signIn(hostile.teamId, other)
    expect((await call(accessToken, 'GET', '/auth/sessions')).status).toBe(200)
    expect((await call(accessToken, 'POST', '/auth/me/email', { email: newEmail() })).status).toBe(200)
  })
})
