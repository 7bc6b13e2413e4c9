import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { registerApp, tokensFor } from '../../../../test/doubles/relying-party.js'
import {
  addUser,
  claimsOf,
  expectError,
  joinTeam,
  logIn,
  registerUser,
  registerVerifiedUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { enrollApp } from '../../../../test/factories/factors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

describe('GET /auth/me/export', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    user = await registerVerifiedUser(service)
  })

  const read = ({ token }: Pick<TestUser, 'token'>) => service.api('GET', '/api/v1/auth/me/export', { token })

  it('returns everything about the account as a file', async () => {
    const company = await registerUser(service)
    await joinTeam(service, user, company.teamId)
    const profile = { firstName: 'Ada', lastName: 'Lovelace', department: 'Engines' }
    const put = await service.api('PUT', `/api/v1/users/${user.id}`, { token: company.token, body: profile })
    expect(put.status).toBe(200)
    await service.api('PATCH', '/api/v1/auth/me', { token: user.token, body: { firstName: 'Augusta', phone: '1815' } })
    const app = await registerApp(service, user, { name: 'Wiki' })
    const tokens = await tokensFor(service, app, user)
    const { body: apiToken } = await service.api('POST', '/api/v1/api-tokens', {
      token: user.token,
      body: { name: 'CI', scopes: ['org:read'] },
    })
    const factor = await enrollApp(service, user)
    const { status, body, headers, text } = await read(user)
    expect(status, text).toBe(200)
    expect(headers.get('content-disposition')).toBe('attachment; filename="keyward-account.json"')
    expect(body.account).toMatchObject({ id: user.id, email: user.email, firstName: 'Augusta', phone: '1815' })
    const inCompany = body.memberships.find(({ team }: { team: { id: string } }) => team.id === company.teamId)
    expect(inCompany).toMatchObject({ ...profile, role: 'MEMBER', status: 'active', confirmed: true, phone: null })
    expect(body.memberships).toHaveLength(2)
    expect(body.factors).toMatchObject([{ type: 'TOTP' }, { type: 'BACKUP_CODE' }])
    expect(body.apiTokens).toMatchObject([{ id: apiToken.id, name: 'CI', permissions: ['org:read'] }])
    expect(body.grants).toMatchObject([{ application: { name: 'Wiki' } }])
    expect(body.sessions.length).toBeGreaterThan(0)
    for (const part of ['blockedTeams', 'devices', 'scimTokens', 'externalIdentities']) expect(body[part]).toEqual([])
    expect(body.events.map(({ action }: { action: string }) => action)).toContain('factor.enrolled')
    const enrolled = body.activity.find(({ action }: { action: string }) => action === 'factor.enrolled')
    expect(enrolled).toMatchObject({ ipAddress: '127.0.0.1', userAgent: 'node', sessionId: expect.any(String) })
    for (const secret of [
      user.token,
      user.refreshToken,
      user.password,
      apiToken.token,
      tokens.access_token,
      tokens.refresh_token,
      factor.secret,
      company.id,
      company.email,
    ])
      if (secret) expect(text).not.toContain(secret)
    expect(
      await service.sql("SELECT team_id FROM audit_entries WHERE action = 'user.data_exported' AND user_id = $1", [
        user.id,
      ]),
    ).toEqual([{ team_id: null }])
  })

  it('contains sessions that ended or expired', async () => {
    const [ended, expired] = [await logIn(service, user), await logIn(service, user)]
    expect((await service.api('POST', '/api/v1/auth/logout', { token: ended.token })).status).toBe(200)
    await service.sql('UPDATE sessions SET expires_at = $2 WHERE id = $1', [
      claimsOf(expired.token).sid,
      service.clock.now(),
    ])
    const { body } = await read(await logIn(service, user))
    const idsIn = (part: string) => body[part].map(({ id }: { id: string }) => id)
    expect(idsIn('endedSessions').toSorted()).toEqual(
      [ended, expired].map(({ token }) => claimsOf(token).sid).toSorted(),
    )
    expect(body.endedSessions).toContainEqual(expect.objectContaining({ userAgent: 'node', ipAddress: '127.0.0.1' }))
    for (const id of idsIn('endedSessions')) expect(idsIn('sessions')).not.toContain(id)
  })

  it('shows no profile of a team that the user has not confirmed, and no team of an unverified account', async () => {
    const hostile = await registerUser(service)
    await addUser(service, hostile, { email: user.email, firstName: 'Planted', department: 'Planted' })
    const { body, text } = await read(user)
    const planted = body.memberships.find(({ team }: { team: { id: string } }) => team.id === hostile.teamId)
    expect(planted).toMatchObject({ confirmed: false, firstName: null, department: null })
    expect(body.activity.map(({ teamId }: { teamId: string }) => teamId)).not.toContain(hostile.teamId)
    expect(text).not.toContain('Planted')

    const unverified = await registerUser(service)
    await addUser(service, hostile, { email: unverified.email })
    const own = (await read(unverified)).body.memberships.map(({ team }: { team: { id: string } }) => team.id)
    expect(own).toEqual([unverified.teamId])
  })

  it('rejects a restricted session and a sign-in that is not recent', async () => {
    const hostile = await registerUser(service)
    const password = 'handed over by the help desk'
    await addUser(service, hostile, { email: user.email, temporaryPassword: password })
    const { body } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password, teamId: hostile.teamId },
    })
    expectError(await read({ token: body.accessToken }), 403, 'team_sign_in_required')
    const session = await logIn(service, user)
    await service.clock.advance(16 * 60_000)
    const refreshed = await service.api('POST', '/api/v1/auth/refresh', {
      body: { refreshToken: session.refreshToken },
    })
    expectError(await read({ token: refreshed.body.accessToken }), 403, 'reauthentication_required')
  })

  it('limits the exports of an account per hour', async () => {
    for (let count = 0; count < 5; count++) expect((await read(user)).status).toBe(200)
    expectError(await read(user), 429, 'rate_limited')
    await service.clock.advance(60 * 60_000)
    expect((await read(await logIn(service, user))).status).toBe(200)
  })
})
