import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail, onboardAdmin, PASSWORD, registerUser } from '../../../test/factories/factories.js'
import { dumpState } from '../../../test/harness/dump.js'
import { tokenIn } from '../../../test/harness/mailbox.js'
import { startService } from '../../../test/harness/service.js'
import { AUDIT_ACTIONS } from './actions.js'

const service = await startService()
afterAll(() => service.close())
const admin = await onboardAdmin(service)

/** Waits until every entry is sealed. */
async function sealed() {
  for (let due = 1; due > 0; ) {
    await service.clock.advance(6_000)
    await service.settle()
    due = (await service.sql<{ due: number }>('SELECT count(*)::int AS due FROM audit_pending'))[0]?.due ?? 0
  }
}

describe('the audit tables', () => {
  const tables = {
    audit_entries: 'action',
    audit_seals: 'chain',
    audit_removals: 'chain',
    audit_checkpoints: 'hash',
    audit_checkpoint_heads: 'chain',
    audit_daily: 'action',
    audit_keys: 'created_at',
  }
  const statements = Object.entries(tables).flatMap(([table, column]) => [
    `UPDATE ${table} SET ${column} = ${column}`,
    `DELETE FROM ${table}`,
    `TRUNCATE ${table}`,
    `TRUNCATE ${table} CASCADE`,
  ])
  // Every table has a row. The job that removes IP hashes has nothing to do.
  beforeAll(async () => {
    const user = await registerUser(service, { overHttp: true })
    await service.api('POST', '/api/v1/auth/disown', {
      body: { token: tokenIn((await service.mails(user.email))[0] as never) },
    })
    for (let uncleared = 1; uncleared > 0; ) {
      await service.clock.advance(60_000)
      await sealed()
      const [left] = await service.sql<{ keys: number }>(
        'SELECT count(*)::int AS keys FROM audit_keys WHERE erased_at IS NOT NULL AND cleared_at IS NULL',
      )
      uncleared = left?.keys ?? 0
    }
    for (const table of Object.keys(tables)) expect(await service.sql(`SELECT 1 FROM ${table}`), table).not.toEqual([])
  })
  it.each(statements)('rejects %s, even for the owner of the tables', async (statement) => {
    const before = await dumpState(service)
    await expect(service.sql(statement)).rejects.toMatchObject({
      code: '42501',
      message: expect.stringContaining('append-only'),
    })
    expect(await dumpState(service)).toEqual(before)
  })

  it.each([
    ['entries', 'audit_entries', 'team_id'],
    ['seals', 'audit_seals', 'chain'],
    ['counts', 'audit_daily', 'chain'],
  ])('rejects a delete of the %s of an existing team during the removal of another', async (_, table, chain) => {
    const user = await registerUser(service)
    await sealed()
    await expect(
      service.sql(
        `INSERT INTO audit_removals VALUES (gen_random_uuid(), 0, NULL, now(), pg_current_xact_id()::text); DELETE FROM ${table} WHERE ${chain} = '${user.teamId}'`,
      ),
    ).rejects.toMatchObject({ code: '42501' })
    expect(await service.sql(`SELECT 1 FROM ${table} WHERE ${chain} = $1`, [user.teamId])).not.toEqual([])
  })
})

describe('a deleted team', () => {
  it('leaves its ID, the number of its entries and its last hash in the chain of the instance', async () => {
    const user = await registerUser(service, { overHttp: true })
    await sealed()
    const { body: before } = await service.api('GET', '/api/v1/audit/verify', { token: user.token })
    const [mail] = await service.mails(user.email)
    await service.api('POST', '/api/v1/auth/disown', { body: { token: tokenIn(mail as never) } })
    expect(await service.sql('SELECT id FROM audit_entries WHERE team_id = $1', [user.teamId])).toEqual([])
    const [record] = await service.sql(
      'SELECT team_id, result, metadata FROM audit_entries WHERE resource = $1 AND action = $2',
      [`organization:${user.teamId}`, 'organization.audit_removed'],
    )
    expect(record).toEqual({
      team_id: null,
      result: 'SUCCESS',
      metadata: { entries: before.sealed, lastHash: before.head },
    })
    const [removal] = await service.sql(
      "SELECT entries, encode(last_hash, 'hex') AS head FROM audit_removals WHERE chain = $1",
      [user.teamId],
    )
    expect(removal).toEqual({ entries: before.sealed, head: before.head })
  })

  it("leaves the instance's chain and every checkpoint valid", async () => {
    await sealed()
    const { body } = await service.api('GET', '/api/v1/audit/verify?scope=instance', { token: admin.token })
    expect(body).toMatchObject({ valid: true, sealed: expect.any(Number), firstBroken: null })
    expect(body.sealed).toBeGreaterThan(0)
  })
})

describe('a change whose audit entry cannot be written', () => {
  it('rolls back', async () => {
    const user = await registerUser(service)
    const link = newEmail()
    // The next refresh has an entry.
    await service.sql('UPDATE sessions SET refresh_period_start = NULL WHERE user_id = $1', [user.id])
    await service.settle()
    const before = await dumpState(service)
    await service.sql(
      "CREATE FUNCTION audit_is_down() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$",
    )
    await service.sql(
      'CREATE TRIGGER audit_is_down BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_is_down()',
    )
    const acts: [string, string, string | undefined, object?][] = [
      ['POST', 'auth/register', undefined, { email: link, password: PASSWORD }],
      ['POST', 'auth/login', undefined, { email: user.email, password: PASSWORD }],
      ['POST', 'auth/login', undefined, { email: user.email, password: 'not the password' }],
      ['POST', 'auth/refresh', undefined, { refreshToken: user.refreshToken }],
      ['POST', 'auth/change-password', user.token, { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` }],
      ['POST', 'auth/reauthenticate', user.token, { password: PASSWORD }],
      ['POST', 'auth/verify-email/resend', user.token],
      ['POST', 'organizations', user.token, { name: 'Never' }],
      ['PUT', 'settings', admin.token, { name: 'Never' }],
      ['PUT', 'settings', user.token, { name: 'Never' }],
      ['PUT', 'config', admin.token, { mfaRequired: true }],
      ['POST', 'applications', user.token, { name: 'Never', type: 'OIDC' }],
      ['GET', 'audit/logs/export', user.token],
      ['GET', 'audit/logs?scope=instance', user.token],
      ['DELETE', 'auth/sessions', user.token],
      ['POST', 'auth/logout', user.token],
    ]
    try {
      for (const [method, path, token, body] of acts) {
        const { status } = await fetch(`${service.urls[0]}/api/v1/${path}`, {
          method,
          headers: {
            ...(token && { authorization: `Bearer ${token}` }),
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
        })
        expect([500, 503], `${method} ${path} was answered ${status}`).toContain(status)
      }
      expect(await dumpState(service)).toEqual(before)
    } finally {
      await service.sql('DROP TRIGGER audit_is_down ON audit_entries')
    }
    expect((await service.api('POST', '/api/v1/auth/logout', { token: user.token })).status).toBe(200)
  })
})

describe('the list of actions', () => {
  it('contains every recorded action', async () => {
    const rows = await service.sql<{ action: string }>('SELECT DISTINCT action FROM audit_entries')
    expect(rows.length).toBeGreaterThan(5)
    for (const { action } of rows) expect(Object.keys(AUDIT_ACTIONS)).toContain(action)
  })

  it('equals the list in docs/reference/audit-events.md', () => {
    const page = fileURLToPath(new URL('../../../../docs/reference/audit-events.md', import.meta.url))
    if (!existsSync(page)) return void process.stdout.write('skipped: docs/reference/audit-events.md does not exist\n')
    const text = readFileSync(page, 'utf8')
    const documented = [...text.matchAll(/^\| `([a-z_]+\.[a-z_]+)`/gm)].map((match) => match[1])
    expect(documented.sort()).toEqual(Object.keys(AUDIT_ACTIONS).sort())
  })
})
