import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  claimsOf,
  expectError,
  expectSession,
  joinTeam,
  logIn,
  mailedToken,
  newEmail,
  PASSWORD,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const MINUTE = 60_000

describe('POST /onboard', () => {
  let service: TestService
  afterEach(() => service.close())

  const onboard = (adminEmail: string, secret?: string) =>
    service.api('POST', '/api/v1/onboard', {
      body: { adminEmail },
      headers: secret === undefined ? {} : { 'x-setup-secret': secret },
    })
  const openLink = async (email: string) =>
    service.api('POST', '/api/v1/auth/verify', { body: { token: await mailedToken(service, 'onboarding', email) } })

  /** The routes of the instance that the caller may use. */
  async function expectInstanceRights(token: string, may: boolean, teamId?: string): Promise<void> {
    const headers: Record<string, string> = teamId ? { 'x-org-id': teamId } : {}
    for (const path of ['/api/v1/settings', '/api/v1/config']) {
      const answer = await service.api('PUT', path, { token, body: { name: 'Acme' }, headers })
      if (may) expect(answer.status).toBe(200)
      else expectError(answer, 403, 'forbidden')
    }
    const { body: me } = await service.api('GET', '/api/v1/auth/me', { token, headers })
    expect(me.instanceAdmin).toBe(may)
  }

  it('appoints one administrator across many concurrent requests, and none later', async () => {
    service = await startService()
    const emails = Array.from({ length: CONCURRENT }, () => newEmail('admin'))
    const answers = await atOnce(CONCURRENT, (index) => onboard(emails[index] ?? ''))
    const email = emails.find((_, index) => answers[index]?.status === 200) ?? ''
    const losers = answers.filter(({ status }) => status !== 200)
    expect(losers).toHaveLength(CONCURRENT - 1)
    for (const answer of losers) expectError(answer, 409, 'already_onboarded')
    const winner = answers.find(({ status }) => status === 200)
    expect(winner?.body).toEqual({
      message: expect.any(String),
      user: { id: expect.any(String), email, role: 'SUPER_ADMIN' },
    })

    expect(await service.sql('SELECT email FROM users')).toEqual([{ email }])
    expect(await service.sql('SELECT role FROM memberships')).toEqual([{ role: 'SUPER_ADMIN' }])
    expect(await service.mails()).toHaveLength(1)
    await service.restart()
    for (const again of [email, newEmail()]) expectError(await onboard(again), 409, 'already_onboarded')
  })

  it('mails a link that is valid once, for 15 minutes, and selects the team named after the instance', async () => {
    service = await startService()
    const owner = await registerUser(service)
    await service.api('PUT', '/api/v1/settings', { token: owner.token, body: { name: 'Acme' } })
    const email = newEmail('admin')
    await onboard(` ${email.toUpperCase()} `)
    const token = await mailedToken(service, 'onboarding', email)
    const hash = createHash('sha256').update(token).digest()
    expect(await service.sql('SELECT kind FROM one_time_tokens WHERE hash = $1', [hash])).toEqual([
      { kind: 'magic_link' },
    ])
    await service.clock.advance(15 * MINUTE - 20_000)
    const answers = await atOnce(CONCURRENT, () => service.api('POST', '/api/v1/auth/verify', { body: { token } }))
    const [admin, ...more] = answers.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    expect(admin?.body).toMatchObject({
      user: { email, role: 'SUPER_ADMIN' },
      team: { name: 'Acme', role: 'SUPER_ADMIN' },
    })
    expect(admin?.body).not.toHaveProperty('cleaned')
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 400, 'invalid_token')
  })

  it('accepts a requested link after the mailed one has expired', async () => {
    service = await startService()
    const email = newEmail('admin')
    await onboard(email)
    await service.settle()
    await service.clock.advance(15 * MINUTE)
    expectError(await openLink(email), 400, 'invalid_token')
    await service.api('POST', '/api/v1/auth/magic-link', { body: { email } })
    const body = { token: await mailedToken(service, 'magic_link', email) }
    const { body: session } = await service.api('POST', '/api/v1/auth/verify', { body })
    expect(session.user.role).toBe('SUPER_ADMIN')
    await expectInstanceRights(session.accessToken, true)
  })

  it('moves administration of the instance from every owner to the top roles of its team', async () => {
    service = await startService()
    const [first, second] = [await registerUser(service), await registerUser(service)]
    await joinTeam(service, second, first.teamId, { role: 'SUPER_ADMIN' })
    for (const { token } of [first, second]) await expectInstanceRights(token, true)
    await expectInstanceRights(second.token, false, first.teamId)

    const email = newEmail('admin')
    await onboard(email)
    const { body: admin } = await openLink(email)
    await expectInstanceRights(admin.accessToken, true)
    for (const { token } of [first, second]) await expectInstanceRights(token, false)

    const roles = {
      OWNER: true,
      SUPER_ADMIN: true,
      ORG_ADMIN: false,
      READ_ONLY_ADMIN: false,
      MEMBER: false,
      VIEWER: false,
    }
    await joinTeam(service, first, admin.team.id)
    for (const [role, may] of Object.entries(roles)) {
      await service.sql('UPDATE memberships SET role = $3 WHERE user_id = $1 AND organization_id = $2', [
        first.id,
        admin.team.id,
        role,
      ])
      await expectInstanceRights(first.token, may)
    }
    await service.sql(
      "UPDATE memberships SET role = 'OWNER', status = 'suspended' WHERE user_id = $1 AND organization_id = $2",
      [first.id, admin.team.id],
    )
    await expectInstanceRights(first.token, false)
  })

  it('accepts an existing account, which keeps its team and password and administers the instance', async () => {
    service = await startService()
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    const { body } = await onboard(user.email)
    expect(body.user).toEqual({ id: user.id, email: user.email, role: 'SUPER_ADMIN' })
    const { body: session } = await openLink(user.email)
    expect(session).not.toHaveProperty('cleaned')
    await expectInstanceRights(session.accessToken, true)
    const { body: teams } = await service.api('GET', '/api/v1/organizations', { token: session.accessToken })
    expect(teams.data.map(({ id }: { id: string }) => id).sort()).toEqual([user.teamId, session.team.id].sort())
    await logIn(service, user)
  })

  describe('with an email address that an attacker had registered', () => {
    let outsider: TestUser
    async function plant() {
      service = await startService()
      outsider = await registerUser(service)
      await onboard(outsider.email)
    }

    it('gives the attacker no access before or after the link is used', async () => {
      await plant()
      for (const opened of [false, true]) {
        await expectSession(service, outsider.token, 'revoked')
        const body = { email: outsider.email, password: PASSWORD }
        expectError(await service.api('POST', '/api/v1/auth/login', { body }), 401, 'invalid_credentials')
        if (!opened) await expectInstanceRights((await openLink(outsider.email)).body.accessToken, true)
      }
    })

    it('rejects disowning the account, which would leave the instance without an administrator', async () => {
      await plant()
      const proof = await mailedToken(service, 'verify_email', outsider.email)
      const disown = (token: string) => service.api('POST', '/api/v1/auth/disown', { body: { token } })
      expectError(await disown(proof), 400, 'invalid_token')
      const { body: session } = await openLink(outsider.email)
      if (session.cleaned) expectError(await disown(session.cleaned.disownToken), 400, 'invalid_token')
      await expectInstanceRights(session.accessToken, true)
    })
  })

  it('requires a configured setup secret; before onboarding only the first account administers the instance', async () => {
    service = await startService({ env: { SETUP_SECRET: 'open sesame' } })
    const [first, second] = [await registerUser(service), await registerUser(service)]
    await expectInstanceRights(first.token, true)
    await expectInstanceRights(second.token, false)
    const email = newEmail('admin')
    for (const wrong of [undefined, '', 'open', 'open sesame!', 'OPEN SESAME'])
      expectError(await onboard(email, wrong), 403, 'setup_secret_required')
    expect(await service.sql('SELECT 1 FROM users WHERE email = $1', [email])).toEqual([])
    expect((await onboard(email, 'open sesame')).status).toBe(200)
    for (const { token } of [first, second]) await expectInstanceRights(token, false)
    expectError(await onboard(email, 'wrong'), 403, 'setup_secret_required')
    expectError(await onboard(email, 'open sesame'), 409, 'already_onboarded')
    const { body: session } = await openLink(email)
    expect(claimsOf(session.accessToken).team).toBe(session.team.id)
  })

  it('gives only the first account administration before onboarding on a public URL, also without a setup secret', async () => {
    service = await startService({ env: { BASE_URL: 'https://id.example' } })
    const [first, second] = [await registerUser(service), await registerUser(service)]
    await expectInstanceRights(second.token, false)
    const takeover = { allowedDomains: ['evil.example'] }
    for (const row of ['settings', 'config'])
      expectError(await service.api('PUT', `/api/v1/${row}`, { token: second.token, body: takeover }), 403, 'forbidden')
    await registerUser(service)
    await expectInstanceRights(first.token, true)
  })
})
