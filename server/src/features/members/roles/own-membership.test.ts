import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  expectError,
  joinTeam,
  logIn,
  newEmail,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { SERVER_URL } from '../../../../test/harness/test-database.js'
import { duringChange } from '../../../../test/harness/while-ending.js'

// The embedded database has one connection: a request never waits for a lock.
describe.skipIf(!SERVER_URL)('a request of a member that changes their own membership', () => {
  let service: TestService
  let owner: TestUser
  let admin: TestUser
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
    const member = await registerUser(service)
    await verifyEmailAddress(service, member)
    await joinTeam(service, member, owner.teamId, { role: 'ORG_ADMIN' })
    admin = await logIn(service, member)
  })
  afterAll(() => service.close())

  const requests: [string, (team: string, id: string) => [path: string, body: object]][] = [
    ['the role', (team, id) => [`organizations/${team}/members/${id}/role`, { role: 'ORG_ADMIN' }]],
    ['the role of the user', (_, id) => [`users/${id}`, { role: 'admin' }]],
    ['the status', (_, id) => [`users/${id}`, { status: 'active' }]],
  ]
  it.each(requests)('rejects restoring %s that a concurrent transaction takes', async (_, request) => {
    const [path, body] = request(owner.teamId, admin.id)
    const send = () =>
      service.api('PUT', `/api/v1/${path}`, { token: admin.token, headers: { 'x-org-id': owner.teamId }, body })
    const membership = sql`user_id = ${admin.id} AND organization_id = ${owner.teamId}`
    const answer = await duringChange(service, admin.id, send, (tx) =>
      tx.execute(sql`UPDATE memberships SET role = 'MEMBER', status = 'suspended' WHERE ${membership}`),
    )
    expectError(answer, 401, 'invalid_access_token')
    expect(
      await service.sql('SELECT role, status FROM memberships WHERE user_id = $1 AND organization_id = $2', [
        admin.id,
        owner.teamId,
      ]),
    ).toEqual([{ role: 'MEMBER', status: 'suspended' }])
    await service.sql("UPDATE memberships SET role = 'ORG_ADMIN', status = 'active' WHERE user_id = $1", [admin.id])
  })

  it('rejects an invitation of a member whom a concurrent transaction suspends', async () => {
    // In the member's own team: the suspension in the other team does not end this session.
    const session = await logIn(service, admin)
    const send = () =>
      service.api('POST', `/api/v1/organizations/${owner.teamId}/members/invite`, {
        token: session.token,
        headers: { 'x-org-id': owner.teamId },
        body: { email: newEmail(), role: 'MEMBER' },
      })
    const membership = sql`user_id = ${admin.id} AND organization_id = ${owner.teamId}`
    const answer = await duringChange(service, admin.id, send, (tx) =>
      tx.execute(sql`UPDATE memberships SET status = 'suspended' WHERE ${membership}`),
    )
    expectError(answer, 401, 'invalid_access_token')
    expect(await service.sql('SELECT 1 FROM invitations WHERE invited_by = $1', [admin.id])).toEqual([])
  })
})
