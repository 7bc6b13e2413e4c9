import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  expectError,
  joinTeam,
  newEmail,
  onboardAdmin,
  registerUser,
  requestToken,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { enrollApp } from '../../../../test/factories/factors.js'
import { type BuiltServer, freePort, startBuilt } from '../../../../test/harness/built-server.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const MINUTE = 60_000

describe('POST /onboard/setup-link', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(() =>
    service.sql(`DELETE FROM users; DELETE FROM organizations;
      UPDATE instance_settings SET instance_team_id = NULL, onboarded_at = NULL, first_user_id = NULL, setup_token_hash = NULL`),
  )

  const register = () => registerUser(service, { overHttp: true })
  const newToken = async () => new URL((await service.setupLink()) ?? 'http://none').hash.replace('#token=', '')
  const setUp = (token: string, adminEmail = newEmail('admin'), more: object = {}) =>
    service.api('POST', '/api/v1/onboard/setup-link', { body: { token, adminEmail, ...more } })
  const state = () => service.sql('SELECT onboarded_at, instance_team_id FROM instance_settings')

  it('appoints the administrator, verifies the email address and returns a session', async () => {
    const link = await service.setupLink()
    expect(link).toMatch(/^http:\/\/localhost:3000\/setup#token=[\w-]{43}$/)
    const email = newEmail('admin')
    const token = new URL(link ?? '').hash.slice('#token='.length)
    const { status, body } = await setUp(token, ` ${email.toUpperCase()} `, { teamName: 'Acme' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      user: { email, role: 'SUPER_ADMIN' },
      team: { name: 'Acme', role: 'SUPER_ADMIN' },
      accessToken: expect.any(String),
    })
    expect(body).not.toHaveProperty('cleaned')
    const { body: me } = await service.api('GET', '/api/v1/auth/me', { token: body.accessToken })
    expect(me).toMatchObject({ emailVerified: true, instanceAdmin: true })
    expect(await service.mails()).toEqual([])
    expect(
      await service.sql(
        "SELECT metadata ->> 'method' AS method FROM audit_entries WHERE action = 'instance.onboarded'",
      ),
    ).toEqual([{ method: 'setup_link' }])
    expectError(await setUp(token), 409, 'already_onboarded')
    expect(await service.setupLink()).toBeUndefined()
  })

  it('names the team after the instance by default', async () => {
    expect((await setUp(await newToken())).body.team.name).toBe('Keyward')
  })

  it('accepts exactly one of many concurrent requests', async () => {
    const token = await newToken()
    const answers = await atOnce(CONCURRENT, () => setUp(token))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expectError(answer, 409, 'already_onboarded')
    expect(await service.sql("SELECT 1 FROM memberships WHERE role = 'SUPER_ADMIN'")).toHaveLength(1)
    expect(await service.sql('SELECT 1 FROM users')).toHaveLength(1)
  })

  it('rejects an unknown link, an expired one and one of an earlier start, without an appointment', async () => {
    expectError(await setUp('unknown'), 400, 'invalid_token')
    const earlier = await newToken()
    await service.restart()
    const token = await newToken()
    expectError(await setUp(earlier), 400, 'invalid_token')
    await service.clock.advance(15 * MINUTE)
    expectError(await setUp(token), 400, 'invalid_token')
    expect(await state()).toEqual([{ onboarded_at: null, instance_team_id: null }])
    expect(await service.sql('SELECT 1 FROM users')).toEqual([])
    // POST /onboard works as without a link.
    await onboardAdmin(service)
    expectError(await setUp(token), 409, 'already_onboarded')
  })

  it('leaves the link valid after an invalid email address or team name', async () => {
    const token = await newToken()
    expectError(await setUp(token, 'no address'), 400, 'invalid_request')
    expectError(await setUp(token, newEmail(), { teamName: 'www.evil.example' }), 400, 'invalid_request')
    expectError(await setUp(token, newEmail(), { teamName: ' ' }), 400, 'invalid_request')
    expect(await service.sql('SELECT 1 FROM users')).toEqual([])
    expect((await setUp(token)).status).toBe(200)
  })

  it.each<{ env: Record<string, string> }>([
    { env: { BASE_URL: 'https://id.example.com' } },
    { env: { SMTP_URL: 'smtp://localhost:1' } },
    { env: { SETUP_SECRET: 'secret of the operator' } },
  ])('creates no link, and accepts none of an earlier start, with $env', async ({ env }) => {
    const token = await newToken()
    const before = Object.fromEntries(
      Object.keys(env).map((name) => [name, name === 'BASE_URL' ? service.baseUrl : '']),
    )
    await service.restart(env)
    try {
      expect(await service.setupLink()).toBeUndefined()
      expectError(await setUp(token), 400, 'invalid_token')
      expect(await state()).toEqual([{ onboarded_at: null, instance_team_id: null }])
    } finally {
      await service.restart(before)
    }
  })

  it('removes what another person created with the email address', async () => {
    const registrant = await register()
    const second = await register()
    await joinTeam(service, second, registrant.teamId)
    const { status, body } = await setUp(await newToken(), registrant.email)
    expect(status).toBe(200)
    expect(body.team.id).not.toBe(registrant.teamId)
    expectError(await service.api('GET', '/api/v1/auth/me', { token: registrant.token }), 401, 'invalid_access_token')
    const login = { email: registrant.email, password: registrant.password }
    expectError(await service.api('POST', '/api/v1/auth/login', { body: login }), 401, 'invalid_credentials')
  })

  it('requires the factor of an existing verified account', async () => {
    const user = await register()
    await verifyEmailAddress(service, user)
    await enrollApp(service, user)
    const { status, body } = await setUp(await newToken(), user.email)
    expect([status, body.mfaRequired, body.accessToken]).toEqual([200, true, undefined])
  })

  it('rejects a suspended account without an appointment', async () => {
    const user = await register()
    await verifyEmailAddress(service, user)
    await service.sql("UPDATE users SET status = 'suspended' WHERE id = $1", [user.id])
    const token = await newToken()
    expectError(await setUp(token, user.email), 403, 'account_suspended')
    expect(await state()).toEqual([{ onboarded_at: null, instance_team_id: null }])
    expect((await setUp(token)).status).toBe(200)
    expect(await requestToken(service, 'magic_link', user.email).catch(() => 'none')).toBe('none')
  })

  it('writes the token neither to the log nor to the database', async () => {
    const token = await newToken()
    await setUp(token)
    expect(service.logLines.join('\n')).not.toContain(token)
    const rows = await service.sql('SELECT to_jsonb(s) AS row FROM instance_settings s')
    const entries = await service.sql('SELECT to_jsonb(e) AS row FROM audit_entries e')
    expect(JSON.stringify([rows, entries])).not.toContain(token)
  })
})

describe('the start of the service', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kw-setup-'))
  let port: number
  let server: BuiltServer | undefined
  beforeAll(async () => {
    port = await freePort()
  })
  afterEach(async () => {
    await server?.end('SIGTERM')
    server = undefined
  })
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  const start = async (env: Record<string, string> = {}) => {
    server = await startBuilt(port, { DATA_DIR: dataDir, ...env })
    const { url, output } = server
    while (!output().includes('Stop:')) await new Promise((resume) => setTimeout(resume, 20))
    return { url, output: output(), token: /\/setup#token=([\w-]{43})/.exec(output())?.[1] }
  }
  const setUp = async (url: string, token = '') => {
    const body = JSON.stringify({ token, adminEmail: 'admin@example.com' })
    const response = await fetch(`${url}/api/v1/onboard/setup-link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return response.status
  }

  it('prints the command that mails a link on another host', async () => {
    const { output, token } = await start({ BASE_URL: 'https://id.example.com' })
    expect(token).toBeUndefined()
    expect(output).toContain('curl -X POST https://id.example.com/api/v1/onboard ')
  }, 60_000)

  // `command-line.test.ts` starts the program after an appointment, and with the link of an earlier start.
  it('prints one setup link outside of the log until an administrator is appointed', async () => {
    const { url, output, token } = await start()
    expect(token).toBeDefined()
    expect(output.match(/#token=/g)).toHaveLength(1)
    expect(output.split('\n').find((line) => line.includes('#token='))).toMatch(/^ {2}Setup: {2}http:/)
    expect(await setUp(url, token)).toBe(200)
  }, 60_000)
})
