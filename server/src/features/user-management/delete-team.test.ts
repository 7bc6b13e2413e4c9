import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerApp, tokensFor } from '../../../test/doubles/relying-party.js'
import {
  atOnce,
  CONCURRENT,
  expectError,
  expectSession,
  invite,
  joinTeam,
  logIn,
  makeGroup,
  newEmail,
  onboardAdmin,
  PASSWORD,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import { entriesOf } from '../../../test/harness/audit-entries.js'
import { dumpDatabase } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('DELETE /organizations/{orgId}', () => {
  let service: TestService
  let admin: TestUser
  beforeAll(async () => {
    service = await startService()
    admin = await onboardAdmin(service)
  })
  afterAll(() => service.close())

  const remove = ({ token }: Pick<TestUser, 'token'>, teamId: string) =>
    service.api('DELETE', `/api/v1/organizations/${teamId}`, { token })

  it('deletes everything in the team, keeps its members and records it in the log of the instance', async () => {
    const boss = await registerUser(service)
    const member = await registerUser(service)
    await joinTeam(service, member, boss.teamId)
    await invite(service, boss, newEmail())
    await makeGroup(service, boss.teamId)
    const app = await registerApp(service, boss)
    const granted = await tokensFor(service, app, boss)
    await service.clock.advance(6 * 60_000)
    await service.settle()
    const { status, body } = await remove(boss, boss.teamId)
    expect([status, body]).toEqual([200, { message: expect.any(String) }])

    await expectSession(service, boss.token, 'revoked')
    const { body: introspected } = await service.api('POST', '/api/v1/oauth/introspect', {
      body: { token: granted.access_token },
    })
    expect(introspected).toEqual({ active: false })
    const dump = await dumpDatabase(service)
    const left = Object.entries(dump).filter(([, rows]) => rows.some((row) => row.includes(boss.teamId)))
    // The records of the deletion, the reserved slug, and mails that the team caused until they are purged.
    expect(
      left
        .map(([table]) => table)
        // A job may still be queued; an earlier checkpoint contains the head of the chain.
        .filter((table) => !['jobs', 'audit_checkpoint_heads'].includes(table))
        .sort(),
    ).toEqual(['audit_entries', 'audit_removals', 'mails', 'released_slugs'])
    const entries = await entriesOf(
      service,
      'SELECT action, user_id, metadata FROM audit_entries WHERE team_id IS NULL AND resource = $1 ORDER BY action',
      [`organization:${boss.teamId}`],
    )
    expect(entries).toMatchObject([
      { action: 'organization.audit_removed' },
      { action: 'organization.deleted', user_id: boss.id, metadata: { slug: expect.any(String) } },
    ])
    expect((await service.api('GET', '/api/v1/auth/me', { token: member.token })).body.team.id).toBe(member.teamId)
    const again = await logIn(service, boss)
    expect(again.id).toBe(boss.id)
    expect(again.teamId).not.toBe(boss.teamId)
    const report = await service.api('GET', '/api/v1/audit/verify?scope=instance', { token: admin.token })
    expect([report.status, report.body.valid]).toEqual([200, true])
  })

  it('allows owners and super-admins only, and returns 404 for any other team', async () => {
    const boss = await registerUser(service)
    const orgAdmin = await registerUser(service)
    await joinTeam(service, orgAdmin, boss.teamId, { role: 'ORG_ADMIN' })
    expectError(await remove(orgAdmin, boss.teamId), 403, 'forbidden')
    expectError(await remove(await registerUser(service), boss.teamId), 404, 'organization_not_found')
    expect((await service.sql('SELECT 1 AS one FROM organizations WHERE id = $1', [boss.teamId])).length).toBe(1)
  })

  it('requires authentication within the last fifteen minutes', async () => {
    const boss = await registerUser(service)
    await service.clock.advance(15 * 60_000 + 1)
    const { body } = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: boss.refreshToken } })
    const late = { ...boss, token: body.accessToken }
    expectError(await remove(late, boss.teamId), 403, 'reauthentication_required')
    await service.api('POST', '/api/v1/auth/reauthenticate', { token: late.token, body: { password: PASSWORD } })
    expect((await remove(late, boss.teamId)).status).toBe(200)
  })

  it('rejects the team that administers the instance', async () => {
    await service.sql('UPDATE sessions SET authenticated_at = $1 WHERE user_id = $2', [service.clock.now(), admin.id])
    const [link] = [await service.api('POST', '/api/v1/auth/magic-link', { body: { email: admin.email } })]
    expect(link?.status).toBe(200)
    const mail = (await service.mails(admin.email)).at(-1)
    const token = new URL(mail?.link ?? '').searchParams.get('token')
    const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    expectError(await remove({ token: body.accessToken }, admin.teamId), 409, 'instance_team')
  })

  it('deletes once, and lets concurrent requests succeed before it or fail with a client error', async () => {
    for (let round = 0; round < 2; round++) {
      const boss = await registerUser(service)
      const members = await atOnce(5, () => registerUser(service))
      for (const { id } of members) await joinTeam(service, { id }, boss.teamId, { role: 'ORG_ADMIN' })
      const waiting: string[] = []
      for (let index = 0; index < 5; index++) waiting.push((await invite(service, boss, newEmail())).token)
      const pick = (index: number) => members[index % 5] as TestUser
      const path = `/api/v1/organizations/${boss.teamId}`
      const acts: ((index: number) => Promise<{ status: number }>)[] = [
        () => remove(boss, boss.teamId),
        (index) =>
          service.api('POST', '/api/v1/auth/login', {
            body: { email: pick(index).email, password: PASSWORD, teamId: boss.teamId },
          }),
        (index) =>
          service.api('POST', '/api/v1/auth/switch-team', { token: pick(index).token, body: { teamId: boss.teamId } }),
        (index) =>
          service.api('POST', `${path}/members/invite`, {
            token: pick(index).token,
            body: { email: newEmail(), role: 'MEMBER' },
          }),
        (index) =>
          service.api('POST', '/api/v1/invitations/accept', {
            body: { token: waiting[index % 5], password: PASSWORD },
          }),
        (index) =>
          service.api('PUT', `${path}/members/${boss.id}/role`, { token: pick(index).token, body: { role: 'MEMBER' } }),
        (index) => service.api('PUT', path, { token: pick(index).token, body: { name: `Name ${index}` } }),
        (index) =>
          service.api('POST', '/api/v1/applications', {
            token: pick(index).token,
            headers: { 'x-org-id': boss.teamId },
            body: { name: 'App', type: 'OIDC' },
          }),
        (index) => service.api('GET', path, { token: pick(index).token }),
        () => service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: boss.refreshToken } }),
      ]
      const answers = await atOnce(CONCURRENT, (index) => (acts[index % acts.length] as (typeof acts)[0])(index))
      for (const [index, { status }] of answers.entries())
        expect(status, `act ${index % acts.length}`).toBeLessThan(500)
      const [left] = await service.sql(
        `SELECT (SELECT count(*)::int FROM organizations WHERE id = $1) AS teams, (SELECT count(*)::int FROM memberships WHERE organization_id = $1) AS members,
           (SELECT count(*)::int FROM sessions WHERE organization_id = $1) AS sessions, (SELECT count(*)::int FROM audit_removals WHERE chain = $1) AS removals`,
        [boss.teamId],
      )
      expect(left).toEqual({ teams: 0, members: 0, sessions: 0, removals: 1 })
      expect(answers.filter(({ status }, index) => index % acts.length === 0 && status === 200)).toHaveLength(1)
    }
  })
})
