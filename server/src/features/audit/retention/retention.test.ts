import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAuditFiles } from '../../../../test/factories/audit-files.js'
import {
  atOnce,
  expectError,
  joinTeam,
  logIn,
  onboardAdmin,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { sealEverything, writeEntries } from '../../../../test/harness/audit-entries.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService()
const files = await openAuditFiles(service)
afterAll(async () => {
  await service.close()
  await files.close()
})
const DAY = 24 * 60 * 60_000
let admin: TestUser
beforeAll(async () => {
  admin = await onboardAdmin(service)
})

const get = async (token: string, path: string) => {
  const { status, body, text } = await service.api('GET', `/api/v1/audit/${path}`, { token })
  expect(status, text).toBe(200)
  return body
}
const setDays = (token: string, days: unknown, scope = 'team') =>
  service.api('PUT', `/api/v1/audit/retention?scope=${scope}`, { token, body: { days } })

/** Returns a team with 12 old entries in three seals, and newer ones. */
async function teamWithOldEntries() {
  const owner = await registerUser(service)
  const written: string[] = []
  for (let seal = 0; seal < 3; seal++) {
    const entries = Array.from({ length: 4 }, (_, index) => ({
      createdAt: new Date(service.clock.ms() + index).toISOString(),
      action: 'group.created',
      requestId: `old-${seal}`,
    }))
    written.push(...(await writeEntries(service, owner.teamId, entries)).map(({ id }) => id))
    await sealEverything(service)
  }
  const before = await get(owner.token, 'checkpoint')
  await service.clock.advance(130 * DAY)
  await service.settle()
  const user = await logIn(service, owner)
  await sealEverything(service)
  return { owner: user, written, before }
}

const runRetention = async () => {
  await service.clock.advance(DAY + 60_000)
  await service.settle()
}
const entriesOf = async (teamId: string) =>
  (await service.sql<{ id: string }>('SELECT id FROM audit_entries WHERE team_id = $1', [teamId])).map(({ id }) => id)

describe('the retention of a log', () => {
  it('moves older seals into an archive, and leaves a valid log that begins after them', async () => {
    const { owner, written, before } = await teamWithOldEntries()
    expect((await setDays(owner.token, 90)).body).toEqual({ days: 90, removed: null })
    await runRetention()
    const { token } = await logIn(service, owner)
    await sealEverything(service)

    expect(await entriesOf(owner.teamId)).not.toEqual(expect.arrayContaining([written[0]]))
    const { removed } = await get(token, 'retention')
    expect(removed.entries).toBeGreaterThanOrEqual(12)
    const report = await get(token, 'verify')
    expect(report).toMatchObject({ valid: true, removed: removed.entries, firstBroken: null })
    expect(report.sealed).toBeGreaterThan(0)
    const stats = await get(token, 'stats?days=400')
    expect(stats.totalEvents).toBe((await entriesOf(owner.teamId)).length)
    expect(stats.byAction.map(({ action }: { action: string }) => action)).not.toContain('group.created')

    // A checkpoint from before the removal is still part of the chain, and a forged one is not.
    const stored = await service.api('POST', '/api/v1/audit/verify', { token, body: { checkpoint: before.checkpoint } })
    expect(stored.body).toMatchObject({ valid: true })
  })

  it('archives the entries as a file that can be verified, with readable personal data', async () => {
    const { owner, written } = await teamWithOldEntries()
    await setDays(owner.token, 90)
    await runRetention()
    const { token } = await logIn(service, owner)
    const { data } = await get(token, 'archives')
    expect(data).toHaveLength(1)
    const [archive] = data
    expect(archive).toMatchObject({ firstSeal: 1, from: expect.any(String), to: expect.any(String) })
    const { text, headers } = await service.api('GET', `/api/v1/audit/archives/${archive.id}`, { token })
    expect(headers.get('content-disposition')).toContain(`audit-archive-1-${archive.lastSeal}.ndjson`)
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    const entries = lines.flatMap(({ entry }: { entry?: { id: string } }) => entry ?? [])
    expect(entries).toHaveLength(archive.entries)
    expect(entries.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(written))

    const path = join(files.folder, `${archive.id}.ndjson`)
    writeFileSync(path, text)
    const keys = await files.saveResponse('checkpoint-keys')
    expect(await files.verify(path, '--keys', keys)).toMatchObject({
      code: 0,
      body: { valid: true, seal: archive.lastSeal, entries: archive.entries },
    })
    writeFileSync(path, text.replace('old-1', 'old-2'))
    expect((await files.verify(path, '--keys', keys)).body).toMatchObject({
      valid: false,
      firstBroken: { reason: 'changed' },
    })

    // Without its first lines, it is not valid, although its header names another beginning.
    const [header, ...others] = lines
    const cut = others.findIndex(({ seal }: { seal?: object }) => seal)
    const { number, entries: count, head } = others[cut].seal
    const shortened = [{ ...header, base: { seal: number, entries: count, head } }, ...others.slice(cut + 1)]
    writeFileSync(path, `${shortened.map((line) => JSON.stringify(line)).join('\n')}\n`)
    expect((await files.verify(path, '--keys', keys)).body).toMatchObject({
      valid: false,
      firstBroken: { reason: 'removed' },
    })

    // The export of the rest begins where the archive ends.
    const rest = await files.exported('--team', owner.teamId)
    const { body } = await files.verify(rest, '--keys', keys)
    expect(body).toMatchObject({ valid: true, chain: owner.teamId })
    expect(body.entries).toBeGreaterThan(archive.entries)
    const stored = join(files.folder, `${archive.id}.jws`)
    writeFileSync(stored, lines.at(-1).checkpoint)
    expect((await files.verify(rest, '--keys', keys, '--checkpoint', stored)).body).toMatchObject({ valid: true })
  })

  it('continues in a second archive, and removes both with the team', async () => {
    const { owner } = await teamWithOldEntries()
    await setDays(owner.token, 90)
    await runRetention()
    await service.clock.advance(150 * DAY)
    await runRetention()
    const { token } = await logIn(service, owner)
    const { data } = await get(token, 'archives')
    expect(data).toHaveLength(2)
    expect(data[0].firstSeal).toBe(data[1].lastSeal + 1)
    expect(await get(token, 'verify')).toMatchObject({ valid: true })
    expect((await service.api('DELETE', `/api/v1/organizations/${owner.teamId}`, { token })).status).toBe(200)
    for (const table of ['audit_archives', 'audit_bases', 'audit_retention', 'audit_seals'])
      expect(await service.sql(`SELECT 1 FROM ${table} WHERE chain = $1`, [owner.teamId])).toEqual([])
  })

  it('records the removal in the log of the team and, by the database, in that of the instance', async () => {
    const { owner } = await teamWithOldEntries()
    await setDays(owner.token, 90)
    await runRetention()
    const { token } = await logIn(service, owner)
    const [archive] = (await get(token, 'archives')).data
    const [recorded] = (await get(token, 'logs?action=audit.archived')).data
    expect(recorded).toMatchObject({ userId: null, metadata: { entries: archive.entries, lastSeal: archive.lastSeal } })
    const link = await requestToken(service, 'magic_link', admin.email)
    const instance = (await service.api('POST', '/api/v1/auth/verify', { body: { token: link } })).body.accessToken
    const query = `scope=instance&action=audit.entries_removed&resource=organization:${owner.teamId}`
    const { data } = await get(instance, `logs?${query}`)
    expect(data).toMatchObject([{ metadata: { seal: archive.lastSeal, entries: archive.entries } }])
    await sealEverything(service)
    expect(await get(instance, 'verify?scope=instance')).toMatchObject({ valid: true })
  })

  it('removes nothing without a setting, and nothing from a seal on that is not valid', async () => {
    const { owner, written } = await teamWithOldEntries()
    await runRetention()
    expect(await entriesOf(owner.teamId)).toEqual(expect.arrayContaining(written))
    const { token } = await logIn(service, owner)
    await setDays(token, 90)
    await service.sql('ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_no_update')
    await service.sql("UPDATE audit_entries SET result = 'DENIED' WHERE id = $1", [written[5]])
    await service.sql('ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_no_update')
    await runRetention()
    expect(await entriesOf(owner.teamId)).toEqual(expect.arrayContaining(written))
    expect((await get((await logIn(service, owner)).token, 'archives')).data).toEqual([])
  })

  it.each([
    ['another hash', "head = '\\x00'"],
    ['another number of entries', 'entries = entries + 1'],
    ['another signature', "signature = '\\x00'"],
  ])('reports a beginning of the log with %s', async (_, change) => {
    const { owner } = await teamWithOldEntries()
    await setDays(owner.token, 90)
    await runRetention()
    await service.sql('ALTER TABLE audit_bases DISABLE TRIGGER audit_bases_no_change')
    await service.sql(`UPDATE audit_bases SET ${change} WHERE chain = $1`, [owner.teamId])
    await service.sql('ALTER TABLE audit_bases ENABLE TRIGGER audit_bases_no_change')
    expect(await get((await logIn(service, owner)).token, 'verify')).toMatchObject({
      valid: false,
      firstBroken: { id: null, reason: 'seal_forged' },
    })
  })

  it('deletes an archive and records it', async () => {
    const { owner } = await teamWithOldEntries()
    await setDays(owner.token, 90)
    await runRetention()
    const { token } = await logIn(service, owner)
    const [archive] = (await get(token, 'archives')).data
    const path = `/api/v1/audit/archives/${archive.id}`
    expect((await service.api('DELETE', path, { token })).status).toBe(200)
    expectError(await service.api('DELETE', path, { token }), 404, 'audit_archive_not_found')
    expectError(await service.api('GET', path, { token }), 404, 'audit_archive_not_found')
    expect((await get(token, 'logs?action=audit.archive_deleted')).data).toMatchObject([
      { userId: owner.id, metadata: { entries: archive.entries } },
    ])
    expect(await get(token, 'verify')).toMatchObject({ valid: true })
  })

  it('returns archives to their team only, and requires a permission for changes', async () => {
    const { owner } = await teamWithOldEntries()
    await setDays(owner.token, 90)
    await runRetention()
    const { token } = await logIn(service, owner)
    const [archive] = (await get(token, 'archives')).data
    const other = await registerUser(service)
    for (const method of ['GET', 'DELETE'])
      expectError(
        await service.api(method, `/api/v1/audit/archives/${archive.id}`, { token: other.token }),
        404,
        'audit_archive_not_found',
      )
    expect(await get(other.token, 'retention')).toEqual({ days: null, removed: null })
    expectError(await setDays(other.token, 90, 'instance'), 403, 'forbidden')
    const auditor = await registerUser(service)
    await joinTeam(service, auditor, owner.teamId, { role: 'REPORT_ADMIN' })
    const { body } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: auditor.email, password: auditor.password, teamId: owner.teamId },
    })
    expect(await get(body.accessToken, 'archives')).toMatchObject({ data: [{ id: archive.id }] })
    expectError(await setDays(body.accessToken, 100), 403, 'forbidden')
  })

  it.each([
    ['a change of an archive', "UPDATE audit_archives SET content = '\\x00'"],
    ['the deletion of an archive', 'DELETE FROM audit_archives'],
    ['the removal of all archives', 'TRUNCATE audit_archives'],
    ['the removal of the beginning', 'DELETE FROM audit_bases'],
  ])('rejects %s without a record', async (_, statement) => {
    const { owner } = await teamWithOldEntries()
    await setDays(owner.token, 90)
    await runRetention()
    await expect(service.sql(statement)).rejects.toMatchObject({ code: '42501' })
  })

  it('creates no archive before it has 30 days of entries', async () => {
    const { owner } = await teamWithOldEntries()
    expect((await setDays(owner.token, 120)).status).toBe(200)
    await runRetention()
    const user = await logIn(service, owner)
    expect((await get(user.token, 'archives')).data).toEqual([])
    await service.clock.advance(20 * DAY)
    await runRetention()
    const again = await logIn(service, owner)
    expect((await get(again.token, 'archives')).data).toMatchObject([{ firstSeal: 1 }])
    const { data } = await get(again.token, 'logs?action=audit.archived')
    expect(data).toHaveLength(1)
  })

  it('records concurrent changes of the setting one after the other', async () => {
    const owner = await registerUser(service)
    const days = [91, 92, 93, 94, 95, 96]
    const responses = await atOnce(days.length, (index) => setDays(owner.token, days[index]))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    const { data } = await get(owner.token, 'logs?action=audit.retention_changed')
    const changes: { from: number | null; to: number }[] = data.map(({ metadata }: { metadata: object }) => metadata)
    expect(changes.map(({ to }) => to).sort()).toEqual(days)
    const last = (await get(owner.token, 'retention')).days
    expect(new Set([...changes.map(({ from }) => from), last])).toEqual(new Set([null, ...days]))
  })

  it('continues with the other logs if one fails', async () => {
    const teams = [await teamWithOldEntries(), await teamWithOldEntries()]
    for (const { owner } of teams) await setDays((await logIn(service, owner)).token, 90)
    const [first, second] = teams.map(({ owner }) => owner.teamId).sort()
    await service.sql(
      `CREATE FUNCTION archive_fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.chain = '${first}' THEN RAISE EXCEPTION 'no'; END IF; RETURN NEW; END $$`,
    )
    await service.sql(
      'CREATE TRIGGER archive_fails BEFORE INSERT ON audit_archives FOR EACH ROW EXECUTE FUNCTION archive_fails()',
    )
    await runRetention()
    const archived = await service.sql('SELECT DISTINCT chain FROM audit_archives WHERE chain IN ($1, $2)', [
      first,
      second,
    ])
    await service.sql('DROP FUNCTION archive_fails() CASCADE')
    expect(archived).toEqual([{ chain: second }])
  })

  it.each([0, 89, 3_651, 90.5, '90', undefined])('rejects %o days', async (days) => {
    const owner = await registerUser(service)
    expectError(await setDays(owner.token, days), 400, 'invalid_request')
  })

  it.each([
    ['entries', `DELETE FROM audit_entries WHERE team_id = $1`],
    ['seals', `DELETE FROM audit_seals WHERE chain = $1`],
    ['counts', `UPDATE audit_daily SET count = 0 WHERE chain = $1`],
    ['entries that no archive contains', `SELECT remove_audit_seals($1, 1, gen_random_uuid(), now())`, 'P0002'],
    ['the retention to days', `INSERT INTO audit_retention VALUES ($1, 1, now())`, '23514'],
    [
      'the beginning of a chain',
      `INSERT INTO audit_bases SELECT chain, number, 1, hashes[1], signature, key_id, gen_random_uuid(), now(), pg_current_xact_id()::text
       FROM audit_seals WHERE chain = $1 LIMIT 1`,
    ],
  ])('rejects a change of %s without a record', async (_, statement, code = '42501') => {
    const owner = await registerUser(service)
    await sealEverything(service)
    await expect(service.sql(statement, [owner.teamId])).rejects.toMatchObject({ code })
  })
})
