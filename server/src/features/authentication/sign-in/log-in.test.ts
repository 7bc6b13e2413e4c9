import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logIn, newEmail, PASSWORD, registerUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

describe('POST /auth/login', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  it('returns the specified session', async () => {
    const { email, password } = await registerUser(service)
    const { status, body } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: ` ${email.toUpperCase()} `, password },
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: 900,
      tokenType: 'Bearer',
      mfa: { enabled: false, required: false, enrollmentRequired: false, graceEndsAt: null },
      user: { id: expect.any(String), email, firstName: null, lastName: null, teamId: body.team.id, role: 'OWNER' },
      team: {
        id: expect.any(String),
        name: expect.any(String),
        slug: expect.stringMatching(/^[a-z0-9-]+$/),
        role: 'OWNER',
      },
    })
  })

  it('returns the same error for an unknown email address as for a wrong password', async () => {
    const { email } = await registerUser(service)
    const wrong = await service.api('POST', '/api/v1/auth/login', { body: { email, password: 'not the password' } })
    const unknown = await service.api('POST', '/api/v1/auth/login', { body: { email: newEmail(), password: PASSWORD } })
    expect(wrong.status).toBe(401)
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })
  })

  it('selects the team that was used last', async () => {
    const user = await registerUser(service)
    const created = await service.api('POST', '/api/v1/organizations', { token: user.token, body: { name: 'Second' } })
    expect(created.status).toBe(201)
    await service.api('POST', '/api/v1/auth/switch-team', { token: user.token, body: { teamId: created.body.id } })
    expect((await logIn(service, user)).teamId).toBe(created.body.id)
  })
})
