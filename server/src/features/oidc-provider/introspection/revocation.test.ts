import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Authorized,
  codeFor,
  exchangeCode,
  expectOAuthError,
  isActive,
  refresh,
  registerApp,
  requestTokens,
  type TestApp,
  tokensFor,
  userinfo,
} from '../../../../test/doubles/relying-party.js'
import {
  claimsOf,
  joinTeam,
  logIn,
  makeGroup,
  registerUser,
  requestToken,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const OFFLINE = { scope: 'openid offline_access' }
const APPS = '/api/v1/applications'

/** The tokens of one authorization, and an unredeemed code of another with the same parameters. */
interface Artifacts {
  access: string
  refresh: string | undefined
  code: Authorized
}

describe('revocation of tokens', () => {
  let service: TestService
  let owner: TestUser
  let user: TestUser
  let app: TestApp
  // Artifacts with and without `offline_access`, issued in the same session.
  let offline: Artifacts
  let sessionBound: Artifacts
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    owner = await registerUser(service)
    user = await registerUser(service)
    await joinTeam(service, user, owner.teamId)
    app = await registerApp(service, owner, {
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
      scopes: ['openid', 'offline_access', 'api'],
    })
    offline = await issueArtifacts(OFFLINE)
    sessionBound = await issueArtifacts({ scope: 'openid' })
    await expectState(offline, true)
    await expectState(sessionBound, true)
  })

  async function issueArtifacts(params: { scope: string }): Promise<Artifacts> {
    const tokens = await tokensFor(service, app, user, params)
    return {
      access: tokens.access_token,
      refresh: tokens.refresh_token,
      code: await codeFor(service, app, user, params),
    }
  }

  /**
   * Verifies the state of the tokens at introspection and UserInfo on every node. Redeems the refresh token and the code if they must be
   * rejected, or if `redeem` is set.
   */
  async function expectState(
    { access, refresh: token, code }: Artifacts,
    active: boolean,
    redeem = false,
  ): Promise<void> {
    expect(await isActive(service, access), 'access token at introspection').toBe(active)
    if (token) expect(await isActive(service, token), 'refresh token at introspection').toBe(active)
    for (const node of service.urls.keys()) {
      const info = await service.api('GET', `${app.idp}/userinfo`, { token: access, node })
      expect(info.status, 'userinfo').toBe(active ? 200 : 401)
      if (active && !redeem) continue
      const answers = [await exchangeCode(service, app, code, { node })]
      if (token) answers.push(await refresh(service, app, token, { node }))
      for (const answer of answers)
        if (!active) expect(answer.body).not.toHaveProperty('access_token')
        else if (node === 0) expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    }
  }
  const expectRevoked = async (which: Artifacts[]) => {
    for (const artifacts of which) await expectState(artifacts, false)
  }
  const update = (text: string, values: unknown[]) => service.sql(text, values)
  const expectAllRevokedBy = async (act: () => Promise<unknown>) => {
    await act()
    await expectRevoked([offline, sessionBound])
  }
  const asUser = (method: string, path: string, body?: object) =>
    service.api(method, `/api/v1${path}`, { token: user.token, ...(body && { body }) })
  const asOwner = (method: string, path: string, body?: object) =>
    service.api(method, path, { token: owner.token, ...(body && { body }) })

  it('revokes tokens without offline_access when the user signs out, and keeps the others', async () => {
    expect((await asUser('POST', '/auth/logout')).status).toBe(200)
    await expectRevoked([sessionBound])
    await expectState(offline, true, true)
  })

  it('revokes tokens without offline_access when their session is revoked, but not with another session', async () => {
    const other = await logIn(service, user)
    const third = await logIn(service, user)
    const end = (sid: string) => service.api('DELETE', `/api/v1/auth/sessions/${sid}`, { token: other.token })
    expect((await end(claimsOf(third.token).sid)).status).toBeLessThan(300)
    await expectState(sessionBound, true)
    expect((await end(claimsOf(user.token).sid)).status).toBeLessThan(300)
    await expectRevoked([sessionBound])
    await expectState(offline, true, true)
  })

  it('revokes tokens without offline_access when a password change revokes their session', async () => {
    const other = await logIn(service, user)
    const { status } = await service.api('POST', '/api/v1/auth/change-password', {
      token: other.token,
      body: { currentPassword: user.password, newPassword: 'another correct horse' },
    })
    expect(status).toBe(200)
    await expectRevoked([sessionBound])
    await expectState(offline, true, true)
  })

  it.each(['a verified', 'an unverified'])('revokes all tokens at a password reset with %s email address', (state) =>
    expectAllRevokedBy(async () => {
      if (state === 'a verified') await verifyEmailAddress(service, user)
      const token = await requestToken(service, 'password_reset', user.email)
      const { status } = await service.api('POST', '/api/v1/auth/reset-password', {
        body: { token, newPassword: 'another correct horse' },
      })
      expect(status).toBe(200)
    }),
  )

  it('revokes all tokens when the application is deleted, even if one with the same name is registered', () =>
    expectAllRevokedBy(async () => {
      expect((await asOwner('DELETE', `${APPS}/${app.id}`)).status).toBeLessThan(300)
      await registerApp(service, owner)
    }))

  it('revokes all tokens when the client secret is rotated, including client_credentials tokens', async () => {
    const own = await requestTokens(service, app, { grant_type: 'client_credentials', scope: 'api' })
    expect(own.status, own.text).toBe(200)
    expect(await isActive(service, own.body.access_token)).toBe(true)
    const { body } = await asOwner('POST', `${APPS}/${app.id}/rotate-secret`)
    expect(await isActive(service, own.body.access_token)).toBe(false)
    for (const node of service.urls.keys()) {
      const requestWith = (secret: string | undefined) =>
        requestTokens(service, app, { grant_type: 'client_credentials', scope: 'api' }, { secret, node })
      expectOAuthError(await requestWith(app.secret), 'invalid_client', 401)
      expect((await requestWith(body.clientSecret)).status).toBe(200)
    }
    app = { ...app, secret: body.clientSecret }
    await expectRevoked([offline, sessionBound])
  })

  it('revokes the tokens when the membership of their user is deleted', () =>
    expectAllRevokedBy(() =>
      update('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [user.id, owner.teamId]),
    ))

  it('revokes the tokens when the membership is suspended', () =>
    expectAllRevokedBy(() =>
      update("UPDATE memberships SET status = 'suspended' WHERE user_id = $1 AND organization_id = $2", [
        user.id,
        owner.teamId,
      ]),
    ))

  it('keeps the tokens if another team suspends their user', async () => {
    await update("UPDATE memberships SET status = 'suspended' WHERE user_id = $1 AND organization_id = $2", [
      user.id,
      user.teamId,
    ])
    await expectState(offline, true, true)
  })

  it('revokes the tokens when the account is suspended', () =>
    expectAllRevokedBy(() => update("UPDATE users SET status = 'suspended' WHERE id = $1", [user.id])))

  it('revokes the tokens when the team is suspended, and issues no client_credentials tokens', async () => {
    const own = await requestTokens(service, app, { grant_type: 'client_credentials', scope: 'api' })
    await expectAllRevokedBy(() =>
      update("UPDATE organizations SET status = 'SUSPENDED' WHERE id = $1", [owner.teamId]),
    )
    expect(await isActive(service, own.body.access_token)).toBe(false)
    const again = await requestTokens(service, app, { grant_type: 'client_credentials', scope: 'api' })
    expectOAuthError(again, 'invalid_client', 401)
  })

  it('revokes the tokens when the application is assigned only to other users', () =>
    expectAllRevokedBy(async () => {
      const { status } = await asOwner('PUT', `${APPS}/${app.id}/users`, { userIds: [owner.id] })
      expect(status).toBe(200)
    }))

  it('revokes the tokens when the assignment to the user is removed', async () => {
    const assign = (userIds: string[]) => asOwner('PUT', `${APPS}/${app.id}/users`, { userIds })
    await assign([user.id, owner.id])
    await expectState(offline, true)
    await expectAllRevokedBy(() => assign([owner.id]))
  })

  it("revokes the tokens when the assignment to the user's group is removed", async () => {
    const group = await makeGroup(service, owner.teamId)
    await service.sql('INSERT INTO group_members (group_id, user_id, organization_id) VALUES ($1, $2, $3)', [
      group,
      user.id,
      owner.teamId,
    ])
    const assign = (groupIds: string[]) => asOwner('PUT', `${APPS}/${app.id}/groups`, { groupIds })
    await assign([group])
    await expectState(offline, true)
    await expectAllRevokedBy(() => assign([]))
  })

  it('keeps the tokens if the user consents again', async () => {
    const again = await issueArtifacts(OFFLINE)
    for (const artifacts of [offline, sessionBound, again]) await expectState(artifacts, true, true)
  })

  it('revokes only the access token, and returns the same response for a second revocation', async () => {
    const revoke = (token: string) => service.api('POST', '/api/v1/oauth/revoke', { body: { token } })
    const { body: more } = await refresh(service, app, offline.refresh as string)
    for (let time = 0; time < 2; time++) {
      const { status, body } = await revoke(offline.access)
      expect([status, body]).toEqual([200, { status: 'revoked' }])
    }
    expect(await isActive(service, offline.access)).toBe(false)
    expectOAuthError(await userinfo(service, app, offline.access), 'invalid_token', 401)
    expect(await isActive(service, more.access_token)).toBe(true)
    expect((await refresh(service, app, more.refresh_token)).status).toBe(200)
    await expectState(sessionBound, true, true)
  })

  it('revokes the grant when its refresh token is revoked, and no other grant', async () => {
    const other = await issueArtifacts(OFFLINE)
    const { body: more } = await refresh(service, app, offline.refresh as string)
    const revoke = (token: string) => service.api('POST', '/api/v1/oauth/revoke', { body: { token } })
    for (let time = 0; time < 2; time++) expect((await revoke(more.refresh_token)).status).toBe(200)
    for (const token of [offline.access, more.access_token, more.refresh_token])
      expect(await isActive(service, token)).toBe(false)
    for (const token of [offline.refresh as string, more.refresh_token])
      expectOAuthError(await refresh(service, app, token), 'invalid_grant')
    await expectState(other, true, true)
  })

  it('revokes the grant when a rotated refresh token is revoked', async () => {
    const { body: lost } = await refresh(service, app, offline.refresh as string)
    const { status } = await service.api('POST', '/api/v1/oauth/revoke', { body: { token: offline.refresh } })
    expect(status).toBe(200)
    expect(await isActive(service, lost.access_token)).toBe(false)
    expectOAuthError(await refresh(service, app, offline.refresh as string), 'invalid_grant')
  })

  it('ignores a revocation by another client, and rejects failed client authentication', async () => {
    const other = await registerApp(service, owner)
    const basic = (client: TestApp, secret = client.secret) => ({
      authorization: `Basic ${Buffer.from(`${client.clientId}:${secret}`).toString('base64')}`,
    })
    for (const token of [offline.access, offline.refresh as string]) {
      const attempts: [number, object, Record<string, string>?][] = [
        [200, { token, client_id: other.clientId }],
        [200, { token, client_id: other.clientId, client_secret: other.secret }],
        [200, { token }, basic(other)],
        [401, { token, client_id: app.clientId, client_secret: other.secret }],
        [401, { token }, basic(app, 'wrong')],
      ]
      for (const [status, body, headers = {}] of attempts)
        expect((await service.api('POST', '/api/v1/oauth/revoke', { body, headers })).status).toBe(status)
    }
    await expectState(offline, true, true)
  })
})
