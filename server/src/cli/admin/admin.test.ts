import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addUser, newEmail, onboardAdmin, registerUser, type TestUser } from '../../../test/factories/factories.js'
import { enrollApp } from '../../../test/factories/factors.js'
import { runCommand } from '../../../test/harness/command-line.js'
import { startService, type TestService } from '../../../test/harness/service.js'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(() =>
  service.sql(`DELETE FROM users; DELETE FROM organizations;
    UPDATE instance_settings SET instance_team_id = NULL, onboarded_at = NULL, first_user_id = NULL, setup_token_hash = NULL`),
)

async function run(...args: string[]) {
  const { code, out, error } = await runCommand(service, ['admin', ...args, '--json'])
  return { code, body: JSON.parse(out || error) }
}
const follow = (link: string) =>
  service.api('POST', '/api/v1/auth/verify', { body: { token: new URL(link).searchParams.get('token') } })
const me = async (token: string) => (await service.api('GET', '/api/v1/auth/me', { token })).body
const entries = (action: string) =>
  service.sql('SELECT user_id, team_id, request_id FROM audit_entries WHERE action = $1', [action])

describe('keyward admin create', () => {
  it('appoints the first administrator with a new team, and prints a link that signs in once', async () => {
    const email = newEmail('admin')
    const { code, body } = await run('create', ` ${email.toUpperCase()} `, '--team-name', 'Acme')
    expect(code).toBe(0)
    expect(body).toEqual({
      user: { id: expect.any(String), email },
      link: expect.stringContaining('http://localhost:3000/auth/verify?token='),
      isFirst: true,
      isNewAccount: true,
    })
    const session = await follow(body.link)
    expect(session).toMatchObject({ status: 200, body: { team: { name: 'Acme', role: 'SUPER_ADMIN' } } })
    expect(await me(session.body.accessToken)).toMatchObject({ emailVerified: true, instanceAdmin: true })
    expect((await follow(body.link)).status).toBe(400)
    expect(await service.mails()).toEqual([])
  })

  it('appoints a further administrator as a super-admin of the team of the instance', async () => {
    const admin = await onboardAdmin(service)
    const email = newEmail('second')
    const { body } = await run('create', email)
    expect(body).toMatchObject({ user: { email }, isFirst: false, isNewAccount: true })
    const session = await follow(body.link)
    expect(session.body.team).toMatchObject({ id: admin.teamId, role: 'SUPER_ADMIN' })
    expect(await me(session.body.accessToken)).toMatchObject({ instanceAdmin: true })
    expect(await entries('instance.admin_appointed')).toEqual([
      { user_id: null, team_id: null, request_id: 'command_line' },
    ])
  })

  it('keeps every administrator appointed when new ones follow their links, in any order', async () => {
    const first = newEmail('first')
    const second = newEmail('second')
    const links = [await run('create', first), await run('create', second)].map(({ body }) => body.link)
    for (const link of links.toReversed()) expect((await follow(link)).body).not.toHaveProperty('waitingTeams')
    for (const email of [first, second]) {
      const again = await run('link', email)
      expect(again.code).toBe(0)
      expect(await me((await follow(again.body.link)).body.accessToken)).toMatchObject({ instanceAdmin: true })
    }
    expect(await entries('organization.secrets_ended')).toEqual([])
    expect(await service.sql('SELECT DISTINCT counts FROM memberships')).toEqual([{ counts: true }])
  })

  it('rejects a suspended account, and names of teams that are invalid or unused', async () => {
    for (const name of ['', ' ', 'a\u001b[2J', 'x'.repeat(101)])
      expect((await run('create', newEmail('admin'), '--team-name', name)).code).toBe(2)
    const admin = await onboardAdmin(service)
    expect((await run('create', newEmail('admin'), '--team-name', 'Other')).code).toBe(2)
    await service.sql("UPDATE users SET status = 'suspended' WHERE id = $1", [admin.id])
    expect(await run('create', admin.email)).toMatchObject({ code: 1, body: { error: { code: 'account_suspended' } } })
  })

  it('activates and promotes a suspended member, and changes nothing else of the account', async () => {
    const admin = await onboardAdmin(service)
    const member = await addUser(service, admin)
    await service.sql("UPDATE memberships SET status = 'suspended' WHERE user_id = $1", [member.id])
    const { body } = await run('create', member.email)
    expect(body).toMatchObject({ user: { id: member.id }, isNewAccount: false })
    expect((await follow(body.link)).body.team).toMatchObject({ id: admin.teamId, role: 'SUPER_ADMIN' })
  })

  it('removes what another person created in an account with an unverified address', async () => {
    await onboardAdmin(service)
    const registrant = await registerUser(service, { overHttp: true })
    const { body } = await run('create', registrant.email)
    expect((await service.api('GET', '/api/v1/auth/me', { token: registrant.token })).status).toBe(401)
    expect((await follow(body.link)).status).toBe(200)
    const { status } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: registrant.email, password: registrant.password },
    })
    expect(status).toBe(401)
  })

  it('requires the second factor of the account', async () => {
    const admin = await onboardAdmin(service)
    await enrollApp(service, admin)
    const { body } = await run('create', admin.email)
    expect((await follow(body.link)).body).toMatchObject({ mfaRequired: true })
  })

  it('rejects a malformed email address and changes nothing', async () => {
    expect(await run('create', 'unknown')).toMatchObject({ code: 2, body: { error: { code: 'invalid_request' } } })
    expect(await service.sql('SELECT onboarded_at FROM instance_settings')).toEqual([{ onboarded_at: null }])
    expect((await runCommand(service, ['admin', 'create'])).code).toBe(2)
  })

  it('appoints exactly one first administrator in concurrent commands', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => run('create', newEmail('admin'))))
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect(results.filter(({ body }) => body.isFirst)).toHaveLength(1)
    expect(await service.sql('SELECT count(*)::int AS teams FROM organizations')).toEqual([{ teams: 1 }])
  })
})

describe('keyward admin link', () => {
  it('prints a new setup link while no administrator is appointed', async () => {
    const { code, body } = await run('link')
    expect([code, body]).toEqual([0, { user: null, link: expect.stringContaining('/setup#token=') }])
    const earlier = await service.sql('SELECT setup_token_hash FROM instance_settings')
    await run('link')
    expect(await service.sql('SELECT setup_token_hash FROM instance_settings')).not.toEqual(earlier)
  })

  it('rejects an address while no administrator is appointed', async () => {
    expect(await run('link', newEmail('admin'))).toMatchObject({
      code: 1,
      body: { error: { code: 'no_administrator' } },
    })
  })

  it('prints a sign-in link for the only administrator', async () => {
    const admin = await onboardAdmin(service)
    const { body } = await run('link')
    expect(body).toMatchObject({ user: { id: admin.id, email: admin.email } })
    expect((await follow(body.link)).body.user).toMatchObject({ id: admin.id })
    expect(await entries('instance.admin_link_created')).toContainEqual({
      user_id: null,
      team_id: null,
      request_id: 'command_line',
    })
  })

  it('requires an email address if there are several administrators, and lists them', async () => {
    const admin = await onboardAdmin(service)
    const second = newEmail('second')
    await run('create', second)
    const { code, body } = await run('link')
    expect([code, body.error.code]).toEqual([1, 'several_administrators'])
    expect(body.error.message).toContain(admin.email)
    expect(body.error.message).toContain(second)
    expect((await run('link', second)).body.user).toMatchObject({ email: second })
  })

  it.each(['a member', 'a user of another team', 'an unknown address'])('creates no link for %s', async (kind) => {
    const admin: TestUser = await onboardAdmin(service)
    const user =
      kind === 'a member'
        ? await addUser(service, admin)
        : kind === 'a user of another team'
          ? await registerUser(service)
          : { email: newEmail('unknown') }
    expect(await run('link', user.email)).toMatchObject({ code: 1, body: { error: { code: 'unknown_administrator' } } })
    expect(
      await service.sql("SELECT count(*)::int AS n FROM one_time_tokens WHERE kind = 'magic_link' AND used_at IS NULL"),
    ).toEqual([{ n: 0 }])
  })
})
