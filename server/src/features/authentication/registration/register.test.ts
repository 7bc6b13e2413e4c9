import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  expectError,
  newEmail,
  onboardAdmin,
  PASSWORD,
  registerUser,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

describe('POST /auth/register', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const register = (body: object) =>
    service.api('POST', '/api/v1/auth/register', { body: { password: PASSWORD, ...body } })

  it('returns the specified session of the owner of a new team', async () => {
    const email = newEmail('jane')
    const { status, body } = await register({ email: ` ${email.toUpperCase()}\n` })
    expect(status).toBe(201)
    expect(body).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: 900,
      tokenType: 'Bearer',
      mfa: { enabled: false, required: false, enrollmentRequired: false, graceEndsAt: null },
      user: { id: expect.any(String), email, firstName: null, lastName: null, teamId: body.team.id, role: 'OWNER' },
      team: {
        id: expect.any(String),
        name: expect.stringContaining('jane'),
        slug: expect.stringMatching(/^jane[a-z0-9-]+$/),
        role: 'OWNER',
      },
    })
    const { body: teams } = await service.api('GET', '/api/v1/organizations', { token: body.accessToken })
    expect(teams.data).toEqual([
      expect.objectContaining({
        id: body.team.id,
        plan: 'FREE',
        status: 'ACTIVE',
        maxMembers: 10_000,
        maxApplications: 1_000,
        allowedDomains: [],
        role: 'OWNER',
      }),
    ])
  })

  it('stores the given names', async () => {
    const { body } = await register({ email: newEmail(), firstName: 'Jürgen', lastName: 'O’Neil' })
    expect(body.user).toMatchObject({ firstName: 'Jürgen', lastName: 'O’Neil' })
  })

  it('leaves the email address unverified and mails the verification link', async () => {
    const user = await registerUser(service)
    const { body } = await service.api('GET', '/api/v1/auth/me', { token: user.token })
    expect(body.emailVerified).toBe(false)
    const mails = await service.mails(user.email)
    expect(mails.map(({ kind, link }) => [kind, link.split('?')[0]])).toEqual([
      ['verify_email', 'http://localhost:3000/verify-email'],
    ])
  })

  it('rejects an email address that has an account, ignoring case and space', async () => {
    const { email } = await registerUser(service)
    for (const same of [email, email.toUpperCase(), `\t${email} `])
      expectError(await register({ email: same }), 409, 'email_taken')
  })

  it('creates one account across many concurrent requests for the same email address', async () => {
    const email = newEmail()
    const answers = await atOnce(CONCURRENT, () => register({ email }))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(CONCURRENT - 1).fill(409)])
    const [row] = await service.sql(
      `SELECT (SELECT count(*) FROM users WHERE email = $1)::int AS users,
         (SELECT count(*) FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email = $1)::int AS memberships,
         (SELECT count(*) FROM organizations o WHERE NOT EXISTS (SELECT 1 FROM memberships m WHERE m.organization_id = o.id))::int AS strays`,
      [email],
    )
    expect(row).toEqual({ users: 1, memberships: 1, strays: 0 })
  })

  it('gives each of many users with the same name a team with a unique slug', async () => {
    const answers = await atOnce(CONCURRENT, (index) => register({ email: `same.name@team${index}.example.com` }))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body.team.slug)).size).toBe(CONCURRENT)
  })

  it('accepts only email addresses of allowed domains', async () => {
    const admin = await onboardAdmin(service)
    const allow = (allowedDomains: string[]) =>
      service.api('PUT', '/api/v1/config', { token: admin.token, body: { allowedDomains } })
    await allow(['Allowed.example'])
    expectError(await register({ email: 'someone@other.example' }), 403, 'sign_up_not_allowed')
    expectError(await register({ email: 'someone@sub.allowed.example' }), 403, 'sign_up_not_allowed')
    expectError(await register({ email: 'allowed.example@other.example' }), 403, 'sign_up_not_allowed')
    expect((await register({ email: 'someone@ALLOWED.example' })).status).toBe(201)
    await allow([])
    expect((await register({ email: 'someone@other.example' })).status).toBe(201)
  })
})
