import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService()
afterAll(() => service.close())
let owner: TestUser
const endless = randomUUID()

/** Makes the scan of an entry take longer than the statement timeout, so that the database cancels the statement. */
beforeAll(async () => {
  owner = await registerUser(service)
  await service.settle()
  await service.sql(
    `INSERT INTO audit_entries (id, team_id, user_id, agent_id, action, resource, result, metadata, risk_score, ip_address, user_agent, request_id, created_at)
     SELECT $1, team_id, user_id, $1, action, 'group:1', result, metadata, 90, '203.0.113.7', user_agent, 'endless', created_at
     FROM audit_entries WHERE team_id = $2 AND action = 'user.created'`,
    [endless, owner.teamId],
  )
  await service.sql(
    `CREATE FUNCTION is_looked_at(id uuid) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
       IF id = '${endless}' THEN RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = 'query_canceled'; END IF;
       RETURN true;
     END $$`,
  )
  await service.sql('ALTER TABLE audit_entries RENAME TO audit_entries_stored')
  await service.sql('CREATE VIEW audit_entries AS SELECT * FROM audit_entries_stored WHERE is_looked_at(id)')
})

const get = (what: string, query: Record<string, string>) =>
  service.api('GET', `/api/v1/audit/${what}?${new URLSearchParams(query)}`, { token: owner.token })

describe('a search that exceeds the statement timeout', () => {
  it.each([
    ['q', 'group'],
    ['requestId', 'endless'],
    ['ipAddress', '203.0.113.7'],
    ['resource', 'group:1'],
    ['resource', 'group:'],
    ['minRisk', '50'],
    ['agentId', endless],
    // Within the day of the entry: whole days may already be counted, and statistics then read no entry of them.
    ['startDate', new Date(service.clock.ms() - 1_000).toISOString()],
  ])('returns search_too_wide for a search by %s', async (parameter, value) => {
    for (const what of ['logs', 'stats', 'logs/export'])
      expectError(await get(what, { [parameter]: value }), 422, 'search_too_wide')
  })

  it('returns 503 without a filter', async () => {
    const answer = await get('logs', {})
    expectError(answer, 503, 'unavailable')
    expect(answer.headers.get('retry-after')).toBe('2')
  })
})
