import { getTableName, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { RETENTION, WITHOUT_RULE } from '../../src/retention.js'
import { addUser, invite, newEmail, registerUser } from '../factories/factories.js'
import { startService } from '../harness/service.js'

const DAY = 24 * 60 * 60_000

const service = await startService()
afterAll(() => service.close())

/** Runs the hourly job now. */
async function purge(kind: string): Promise<void> {
  await service.sql('UPDATE jobs SET run_at = $1 WHERE kind = $2', [service.clock.now(), kind])
  await service.settle()
}
const count = async (table: string, teamId: string) =>
  (await service.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE organization_id = $1`, [teamId]))[0]
    ?.n

describe('retention', () => {
  it('lists each table of the database once, with a rule or a reason', async () => {
    const tables = await service.sql<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
    )
    const listed = [...RETENTION.map(({ table }) => getTableName(table)), ...Object.keys(WITHOUT_RULE)]
    expect(listed.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
  })

  it('has a valid condition in every rule, which selects no row of a new instance', async () => {
    for (const { table, condition } of RETENTION) {
      const rows = await service.db.read(sql`SELECT 1 FROM ${table} WHERE ${condition(service.clock)} LIMIT 1`)
      expect(rows, getTableName(table)).toEqual([])
    }
  })

  it('deletes closed and expired invitations after 90 days, and no pending one', async () => {
    const owner = await registerUser(service)
    const revoked = await invite(service, owner, newEmail())
    await service.api('DELETE', `/api/v1/invitations/${revoked.id}`, { token: owner.token })
    await invite(service, owner, newEmail())
    await service.clock.advance(89 * DAY)
    await purge('members.purge')
    expect(await count('invitations', owner.teamId)).toBe(2)
    const later = await registerUser(service)
    await invite(service, later, newEmail())
    await service.clock.advance(20 * DAY)
    await purge('members.purge')
    expect([await count('invitations', owner.teamId), await count('invitations', later.teamId)]).toEqual([0, 1])
  })

  it('deletes revoked and expired tokens after 90 days, and no valid one', async () => {
    const owner = await registerUser(service)
    const create = async (path: string, body: object) =>
      (await service.api('POST', path, { token: owner.token, body })).body
    const revoked = await create('/api/v1/api-tokens', { name: 'Revoked', scopes: ['users:read'] })
    await service.api('DELETE', `/api/v1/api-tokens/${revoked.id}`, { token: owner.token })
    await create('/api/v1/api-tokens', { name: 'Valid', scopes: ['users:read'] })
    await service.sql('UPDATE api_tokens SET expires_at = NULL WHERE organization_id = $1', [owner.teamId])
    await service.clock.advance(89 * DAY)
    await purge('access_tokens.purge')
    expect(await count('api_tokens', owner.teamId)).toBe(2)
    await service.clock.advance(2 * DAY)
    await purge('access_tokens.purge')
    expect(await service.sql('SELECT name FROM api_tokens WHERE organization_id = $1', [owner.teamId])).toEqual([
      { name: 'Valid' },
    ])
  })

  it('deletes reports of finished bulk changes after 90 days', async () => {
    const owner = await registerUser(service)
    const { id } = await addUser(service, owner)
    const run = await service.api('POST', '/api/v1/users/bulk', {
      token: owner.token,
      body: { action: 'suspend', users: [id] },
    })
    expect(run.status, run.text).toBeLessThan(300)
    await service.settle()
    await service.clock.advance(89 * DAY)
    await purge('user_runs.purge')
    expect(await count('import_runs', owner.teamId)).toBe(1)
    await service.clock.advance(2 * DAY)
    await purge('user_runs.purge')
    expect(await count('import_runs', owner.teamId)).toBe(0)
  })
})
