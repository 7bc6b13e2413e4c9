import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  claimsOf,
  joinTeam,
  logIn,
  makeGroup,
  proveAddress,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories.js'
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
} from '../../../../test/relying-party.js'
import { startService, type TestService } from '../../../../test/service.js'

const OFFLINE = { scope: 'openid offline_access' }
const APPS = '/api/v1/applications'

interface Artifacts {
  access: string
  refresh: string | undefined
  code: Authorized
}

describe('what an application was given', () => {
  let service: TestService
  let owner: TestUser
  let user: TestUser
  let app: TestApp
  /** With and without `offline_access`, given in one session. */
  let lasting: Artifacts
  let bound: Artifacts
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
    lasting = await given(OFFLINE)
    bound = await given({ scope: 'openid' })
    await expectState(lasting, true)
    await expectState(bound, true)
  })

  async function given(params: { scope: string }): Promise<Artifacts> {
    const tokens = await tokensFor(service, app, user, params)
    return {
      access: tokens.access_token,
      refresh: tokens.refresh_token,
      code: await codeFor(service, app, user, params),
    }
  }

  /** At introspection and userinfo, at the use of the refresh token and of a code that waits; on every node. */
  async function expectState(
    { access, refresh: token, code }: Artifacts,
    alive: boolean,
    spend = false,
  ): Promise<void> {
    expect(await isActive(service, access), 'access token at introspection').toBe(alive)
    if (token) expect(await isActive(service, token), 'refresh token at introspection').toBe(alive)
    for (const node of service.urls.keys()) {
      const info = await service.api('GET', `${app.idp}/userinfo`, { token: access, node })
      expect(info.status, 'userinfo').toBe(alive ? 200 : 401)
      if (alive && !spend) continue
      const answers = [await exchangeCode(service, app, code, { node })]
      if (token) answers.push(await refresh(service, app, token, { node }))
      for (const answer of answers)
        if (!alive) expect(answer.body).not.toHaveProperty('access_token')
        else if (node === 0) expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    }
  }
  const expectRevoked = async (which: Artifacts[]) => {
    for (const artifacts of which) await expectState(artifacts, false)
  }
  const set = (text: string, values: unknown[]) => service.sql(text, values)
  const endsAll = async (act: () => Promise<unknown>) => {
    await act()
    await expectRevoked([lasting, bound])
  }
  const asUser = (method: string, path: string, body?: object) =>
    service.api(method, `/api/v1${path}`, { token: user.token, ...(body && { body }) })
  const asOwner = (method: string, path: string, body?: object) =>
    service.api(method, path, { token: owner.token, ...(body && { body }) })

  it('without offline_access ends with the logout of its session, and with it lives on', async () => {
    expect((await asUser('POST', '/auth/logout')).status).toBe(200)
    await expectRevoked([bound])
    await expectState(lasting, true, true)
  })

  it('without offline_access ends with its session when that is ended from the list, and no other session does that', async () => {
    const other = await logIn(service, user)
    const third = await logIn(service, user)
    const end = (sid: string) => service.api('DELETE', `/api/v1/auth/sessions/${sid}`, { token: other.token })
    expect((await end(claimsOf(third.token).sid)).status).toBeLessThan(300)
    await expectState(bound, true)
    expect((await end(claimsOf(user.token).sid)).status).toBeLessThan(300)
    await expectRevoked([bound])
    await expectState(lasting, true, true)
  })

  it('without offline_access ends with its session when a password change elsewhere ends that', async () => {
    const other = await logIn(service, user)
    const { status } = await service.api('POST', '/api/v1/auth/change-password', {
      token: other.token,
      body: { currentPassword: user.password, newPassword: 'another correct horse' },
    })
    expect(status).toBe(200)
    await expectRevoked([bound])
    await expectState(lasting, true, true)
  })

  it.each(['proven', 'not proven'])('ends wholly with a password reset, the address %s before', (state) =>
    endsAll(async () => {
      if (state === 'proven') await proveAddress(service, user)
      const token = await requestToken(service, 'password_reset', user.email)
      const { status } = await service.api('POST', '/api/v1/auth/reset-password', {
        body: { token, newPassword: 'another correct horse' },
      })
      expect(status).toBe(200)
    }),
  )

  it('ends with the application, also where a registration of the same name follows', () =>
    endsAll(async () => {
      expect((await asOwner('DELETE', `${APPS}/${app.id}`)).status).toBeLessThan(300)
      await registerApp(service, owner)
    }))

  it('ends with the secret that it was given under, and so do the tokens of its own credentials', async () => {
    const own = await requestTokens(service, app, { grant_type: 'client_credentials', scope: 'api' })
    expect(own.status, own.text).toBe(200)
    expect(await isActive(service, own.body.access_token)).toBe(true)
    const { body } = await asOwner('POST', `${APPS}/${app.id}/rotate-secret`)
    expect(await isActive(service, own.body.access_token)).toBe(false)
    for (const node of service.urls.keys()) {
      const by = (secret: string | undefined) =>
        requestTokens(service, app, { grant_type: 'client_credentials', scope: 'api' }, { secret, node })
      expectOAuthError(await by(app.secret), 'invalid_client', 401)
      expect((await by(body.clientSecret)).status).toBe(200)
    }
    app = { ...app, secret: body.clientSecret }
    await expectRevoked([lasting, bound])
  })

  it('ends with the membership of its user', () =>
    endsAll(() => set('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [user.id, owner.teamId])))

  it('ends with the suspension of the membership', () =>
    endsAll(() =>
      set("UPDATE memberships SET status = 'suspended' WHERE user_id = $1 AND organization_id = $2", [
        user.id,
        owner.teamId,
      ]),
    ))

  it('lives on when its user is suspended in another team', async () => {
    await set("UPDATE memberships SET status = 'suspended' WHERE user_id = $1 AND organization_id = $2", [
      user.id,
      user.teamId,
    ])
    await expectState(lasting, true, true)
  })

  it('ends with the suspension of its user', () =>
    endsAll(() => set("UPDATE users SET status = 'suspended' WHERE id = $1", [user.id])))

  it('ends with the suspension of the team, whose applications get nothing for themselves either', async () => {
    const own = await requestTokens(service, app, { grant_type: 'client_credentials', scope: 'api' })
    await endsAll(() => set("UPDATE organizations SET status = 'SUSPENDED' WHERE id = $1", [owner.teamId]))
    expect(await isActive(service, own.body.access_token)).toBe(false)
    const again = await requestTokens(service, app, { grant_type: 'client_credentials', scope: 'api' })
    expectOAuthError(again, 'invalid_client', 401)
  })

  it('ends when the application is assigned to others alone', () =>
    endsAll(async () => {
      const { status } = await asOwner('PUT', `${APPS}/${app.id}/users`, { userIds: [owner.id] })
      expect(status).toBe(200)
    }))

  it('ends when the application is no longer assigned to its user', async () => {
    const assign = (userIds: string[]) => asOwner('PUT', `${APPS}/${app.id}/users`, { userIds })
    await assign([user.id, owner.id])
    await expectState(lasting, true)
    await endsAll(() => assign([owner.id]))
  })

  it('ends when the application is no longer assigned to the group of its user', async () => {
    const group = await makeGroup(service, owner.teamId)
    await service.sql('INSERT INTO group_members (group_id, user_id, organization_id) VALUES ($1, $2, $3)', [
      group,
      user.id,
      owner.teamId,
    ])
    const assign = (groupIds: string[]) => asOwner('PUT', `${APPS}/${app.id}/groups`, { groupIds })
    await assign([group])
    await expectState(lasting, true)
    await endsAll(() => assign([]))
  })

  it('lives on when the user allows the application once more', async () => {
    const again = await given(OFFLINE)
    for (const artifacts of [lasting, bound, again]) await expectState(artifacts, true, true)
  })

  it('stays, but for the one access token that is revoked, and a second revocation is answered as the first', async () => {
    const revoke = (token: string) => service.api('POST', '/api/v1/oauth/revoke', { body: { token } })
    const { body: more } = await refresh(service, app, lasting.refresh as string)
    for (let time = 0; time < 2; time++) {
      const { status, body } = await revoke(lasting.access)
      expect([status, body]).toEqual([200, { status: 'revoked' }])
    }
    expect(await isActive(service, lasting.access)).toBe(false)
    expectOAuthError(await userinfo(service, app, lasting.access), 'invalid_token', 401)
    expect(await isActive(service, more.access_token)).toBe(true)
    expect((await refresh(service, app, more.refresh_token)).status).toBe(200)
    await expectState(bound, true, true)
  })

  it('ends with the refresh token that is revoked, and nothing of another grant does', async () => {
    const other = await given(OFFLINE)
    const { body: more } = await refresh(service, app, lasting.refresh as string)
    const revoke = (token: string) => service.api('POST', '/api/v1/oauth/revoke', { body: { token } })
    for (let time = 0; time < 2; time++) expect((await revoke(more.refresh_token)).status).toBe(200)
    for (const token of [lasting.access, more.access_token, more.refresh_token])
      expect(await isActive(service, token)).toBe(false)
    for (const token of [lasting.refresh as string, more.refresh_token])
      expectOAuthError(await refresh(service, app, token), 'invalid_grant')
    await expectState(other, true, true)
  })

  it('ends with the revocation of a refresh token whose successor never arrived', async () => {
    const { body: lost } = await refresh(service, app, lasting.refresh as string)
    const { status } = await service.api('POST', '/api/v1/oauth/revoke', { body: { token: lasting.refresh } })
    expect(status).toBe(200)
    expect(await isActive(service, lost.access_token)).toBe(false)
    expectOAuthError(await refresh(service, app, lasting.refresh as string), 'invalid_grant')
  })

  it('is not revoked by another client, by whichever way it says who it is, nor by one that fails to prove itself', async () => {
    const other = await registerApp(service, owner)
    const basic = (client: TestApp, secret = client.secret) => ({
      authorization: `Basic ${Buffer.from(`${client.clientId}:${secret}`).toString('base64')}`,
    })
    for (const token of [lasting.access, lasting.refresh as string]) {
      const tries: [number, object, Record<string, string>?][] = [
        [200, { token, client_id: other.clientId }],
        [200, { token, client_id: other.clientId, client_secret: other.secret }],
        [200, { token }, basic(other)],
        [401, { token, client_id: app.clientId, client_secret: other.secret }],
        [401, { token }, basic(app, 'wrong')],
      ]
      for (const [status, body, headers = {}] of tries)
        expect((await service.api('POST', '/api/v1/oauth/revoke', { body, headers })).status).toBe(status)
    }
    await expectState(lasting, true, true)
  })
})
