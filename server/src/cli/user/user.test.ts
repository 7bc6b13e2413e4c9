import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addUser,
  expectSession,
  logIn,
  newEmail,
  registerUser,
  verifyEmailAddress,
} from '../../../test/factories/factories.js'
import { enrollApp } from '../../../test/factories/factors.js'
import { runCommand } from '../../../test/harness/command-line.js'
import { startService, type TestService } from '../../../test/harness/service.js'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

async function run(...args: string[]) {
  const { code, out, error } = await runCommand(service, ['user', ...args, '--json'])
  return { code, body: JSON.parse(out || error) }
}
const register = async () => {
  const user = await registerUser(service)
  await verifyEmailAddress(service, user)
  return { ...user, ...(await logIn(service, user)) }
}

describe('keyward user show', () => {
  it('shows the account of an email address or ID with its teams, factors and sessions, and no secret', async () => {
    const user = await register()
    await enrollApp(service, user, 'Phone')
    const { code, body } = await run('show', user.email.toUpperCase())
    expect(code).toBe(0)
    expect(body).toMatchObject({
      id: user.id,
      email: user.email,
      emailVerified: true,
      hasPassword: true,
      teams: [{ id: user.teamId, role: 'OWNER', status: 'active' }],
      factors: [{ type: 'TOTP', name: 'Phone', team: null }],
    })
    expect(body.sessions.length).toBeGreaterThan(0)
    expect((await run('show', user.id)).body).toEqual(body)
    const { out } = await runCommand(service, ['user', 'show', user.id])
    expect(out).toMatch(/^ID +[0-9a-f-]{36}\nEmail +\S+ \(verified\)\n/)
    expect(out).toContain('Phone')
  })

  it.each(['show', 'reset-mfa', 'sessions end'])('reports an unknown user: %s', async (command) => {
    for (const user of [newEmail('unknown'), '01900000-0000-7000-8000-000000000000', "' OR 1=1 --"])
      expect(await run(...command.split(' '), user)).toMatchObject({
        code: 1,
        body: { error: { code: 'user_not_found' } },
      })
  })
})

describe('keyward user reset-mfa', () => {
  it('removes the factors of every team, ends the sessions, notifies the user and records it', async () => {
    const user = await register()
    await enrollApp(service, user)
    const owner = await register()
    const member = await addUser(service, owner)
    expect(await run('reset-mfa', member.email)).toMatchObject({ code: 0, body: { factorsRemoved: 0 } })

    const { code, body } = await run('reset-mfa', user.email)
    expect([code, body]).toEqual([
      0,
      { user: { id: user.id, email: user.email }, factorsRemoved: 1, sessionsEnded: expect.any(Number) },
    ])
    await expectSession(service, user.token, 'revoked')
    await expectSession(service, owner.token, 'active')
    const signIn = await service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password },
    })
    expect(signIn.body).not.toHaveProperty('mfaRequired')
    expect(signIn.body).toHaveProperty('accessToken')
    expect((await service.mails(user.email)).map(({ subject }) => subject)).toContain(
      'Two-step verification was turned off at Keyward',
    )
    expect(
      await service.sql(
        "SELECT user_id, team_id, request_id, metadata FROM audit_entries WHERE action = 'user.factors_reset' AND resource = $1",
        [`user:${user.id}`],
      ),
    ).toEqual([{ user_id: null, team_id: null, request_id: 'command_line', metadata: { removed: 1 } }])
    const events = await service.api('GET', '/api/v1/auth/events', { token: signIn.body.accessToken })
    expect(events.body.data).toContainEqual(
      expect.objectContaining({ action: 'user.factors_reset', actor: 'operator', team: null, ipAddress: null }),
    )
  })
})

describe('keyward user sessions end', () => {
  it('ends all sessions of the user and no others', async () => {
    const user = await register()
    const second = await logIn(service, user)
    const other = await register()
    const { code, body } = await run('sessions', 'end', user.id)
    expect(code).toBe(0)
    expect(body.sessionsEnded).toBeGreaterThanOrEqual(2)
    for (const token of [user.token, second.token]) await expectSession(service, token, 'revoked')
    await expectSession(service, other.token, 'active')
    const { status } = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: user.refreshToken } })
    expect(status).toBe(401)
    expect((await run('sessions', 'end', user.id)).body.sessionsEnded).toBe(0)
  })
})
