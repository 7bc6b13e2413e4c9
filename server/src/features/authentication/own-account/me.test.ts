import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimsOf, expectError, joinTeam, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

describe('GET /auth/me', () => {
  let service: TestService
  let user: TestUser
  let other: TestUser
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
    other = await registerUser(service)
    await joinTeam(service, user, other.teamId, { role: 'HELP_DESK_ADMIN' })
  })
  afterAll(() => service.close())

  const me = (headers: Record<string, string> = {}) =>
    service.api('GET', '/api/v1/auth/me', { token: user.token, headers })

  it('returns the caller and their permissions', async () => {
    const { status, body } = await me()
    expect(status).toBe(200)
    expect(body).toEqual({
      user: {
        id: user.id,
        email: user.email,
        firstName: null,
        lastName: null,
        teamId: user.teamId,
        role: 'OWNER',
        roleExact: 'OWNER',
      },
      team: {
        id: user.teamId,
        name: expect.any(String),
        slug: expect.any(String),
        role: 'OWNER',
        roleExact: 'OWNER',
      },
      permissions: expect.arrayContaining(['org:read', 'org:delete', 'users:credentials']),
      emailVerified: false,
      instanceAdmin: true,
      mfa: { enabled: false, required: false, enrollmentRequired: false, graceEndsAt: null },
      mustChangePassword: false,
      passwordPolicy: {
        minLength: 8,
        requireUppercase: false,
        requireLowercase: false,
        requireNumbers: false,
        requireSymbols: false,
        maxAgeDays: 0,
        historyCount: 0,
      },
      hasPassword: true,
      authenticatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      session: { id: claimsOf(user.token).sid, method: 'registration', confined: false },
      profile: { firstName: null, lastName: null, department: null, title: null, phone: null, locale: null },
    })
  })

  it('returns the team of x-org-id with the role in that team', async () => {
    const { body } = await me({ 'x-org-id': other.teamId.toUpperCase() })
    expect(body.user).toMatchObject({ teamId: other.teamId, role: 'ADMIN' })
    expect(body.permissions).toEqual([
      'org:read',
      'users:read',
      'users:credentials',
      'groups:read',
      'applications:read',
    ])
    expect(body.instanceAdmin).toBe(false)
  })

  it('prefers the names in the team profile over the own names, only in that team', async () => {
    await service.sql(
      "UPDATE memberships SET first_name = 'Given', last_name = 'There' WHERE user_id = $1 AND organization_id = $2",
      [user.id, other.teamId],
    )
    expect((await me({ 'x-org-id': other.teamId })).body.user).toMatchObject({ firstName: 'Given', lastName: 'There' })
    expect((await me()).body.user).toMatchObject({ firstName: null, lastName: null })
  })

  it("returns the same error for another user's team as for an unknown team", async () => {
    const outsider = await registerUser(service)
    for (const team of [outsider.teamId, '00000000-0000-7000-8000-000000000000', 'no id', '*'])
      expectError(await me({ 'x-org-id': team }), 403, 'not_a_member')
  })

  it.each([
    ['nothing', undefined],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['a Bearer without a token', 'Bearer'],
    ['a Bearer of two words', 'Bearer two words'],
    ['the token without its scheme', 'token'],
  ])('returns 401 if the request carries %s', async (_, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    expectError(await service.api('GET', '/api/v1/auth/me', { headers }), 401, 'unauthorized')
  })
})
