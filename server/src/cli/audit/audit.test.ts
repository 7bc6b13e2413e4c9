import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entryOfDay, linesOf, openAuditFiles, tamperWith, teamWithSeals } from '../../../test/factories/audit-files.js'
import { onboardAdmin, type TestUser } from '../../../test/factories/factories.js'
import { writeEntries } from '../../../test/harness/audit-entries.js'
import { runCommand } from '../../../test/harness/command-line.js'
import { startService } from '../../../test/harness/service.js'

const service = await startService()
const audit = await openAuditFiles(service)
afterAll(async () => {
  await service.close()
  await audit.close()
})

let team: TestUser
let keys: string
let path: string
beforeAll(async () => {
  await onboardAdmin(service)
  team = await teamWithSeals(service)
  keys = await audit.saveResponse('checkpoint-keys')
  path = await audit.exported('--team', team.teamId)
})

const temporaryFiles = () => readdirSync(audit.folder).filter((name) => name.endsWith('.part'))
const parsed = (line: string | undefined) => JSON.parse(line ?? '')

describe('keyward audit export', () => {
  it('exports a log with the entry of the export, and verifies it without settings and database', async () => {
    const lines = linesOf(path).map(parsed)
    const entries = lines.flatMap(({ entry }) => entry ?? [])
    const sealed = await service.sql('SELECT id FROM audit_entries WHERE team_id = $1 ORDER BY id', [team.teamId])
    expect(entries.map(({ id }) => id).sort()).toEqual(sealed.map(({ id }) => id))
    expect(lines[0]).toMatchObject({ format: 'keyward-audit-export', version: 2, chain: team.teamId })
    expect(entries.at(-1)).toMatchObject({
      action: 'audit.exported',
      userId: null,
      requestId: 'command_line',
      metadata: { format: 'keyward-audit-export' },
    })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const { seal } = lines.at(-2)
    expect(await audit.verify(path, '--keys', keys)).toEqual({
      code: 0,
      body: {
        valid: true,
        format: 'keyward-audit-export',
        chain: team.teamId,
        seal: seal.number,
        entries: entries.length,
        head: seal.head,
        base: null,
        firstAt: '2026-01-01T00:00:00.000Z',
        lastAt: entries.at(-1).createdAt,
        kid: lines.at(-1).keys[0].kid,
        signedAt: expect.any(String),
        keysFrom: 'file',
      },
    })
  })

  it('exports a team by its slug, and replaces a file only with --force', async () => {
    const [row] = await service.sql('SELECT slug FROM organizations WHERE id = $1', [team.teamId])
    const slug = `${row?.slug}`
    const file = await audit.exported('--team', slug)
    const { entries } = (await audit.verify(file, '--keys', keys)).body
    expect(parsed(linesOf(file)[0]).team).toMatchObject({ slug })
    const again = ['export', '--team', slug, '--out', file]
    expect(await audit.run(...again)).toMatchObject({ code: 1, body: { error: { code: 'file_exists' } } })
    expect((await audit.run(...again, '--force')).code).toBe(0)
    // The rejected one recorded nothing.
    expect((await audit.verify(file, '--keys', keys)).body).toMatchObject({ valid: true, entries: entries + 1 })
    expect(temporaryFiles()).toEqual([])
  })

  it('rejects an export whose file another one has created meanwhile', async () => {
    const file = audit.newPath()
    const exports = await Promise.all(Array.from({ length: 4 }, () => audit.run('export', '--instance', '--out', file)))
    expect(exports.map(({ code }) => code).sort()).toEqual([0, 1, 1, 1])
    for (const { code, body } of exports) if (code === 1) expect(body.error.code).toBe('file_exists')
    expect((await audit.verify(file, '--keys', keys)).body).toMatchObject({ valid: true })
    expect(temporaryFiles()).toEqual([])
  })

  it('exports the log of the instance', async () => {
    const { body } = await audit.verify(await audit.exported('--instance'), '--keys', keys)
    expect(body).toMatchObject({ valid: true, chain: '00000000-0000-0000-0000-000000000000' })
  })

  it('exports no entry of another team', async () => {
    const other = await teamWithSeals(service)
    const content = readFileSync(await audit.exported('--team', other.teamId), 'utf8')
    expect(content).not.toContain(team.teamId)
    const teams = content.split('\n').flatMap((line) => /"teamId":("[^"]+"|null)/.exec(line)?.[1] ?? [])
    expect(new Set(teams)).toEqual(new Set([`"${other.teamId}"`]))
  })

  it.each([
    ['an unknown team', ['--team', 'unknown-team'], 1, 'organization_not_found'],
    ['an unknown entry', ['--entry', randomUUID()], 1, 'audit_entry_not_found'],
    ['a malformed entry', ['--entry', 'x'], 1, 'audit_entry_not_found'],
    ['a missing selection', [], 2, 'invalid_options'],
    ['two selections', ['--team', 'x', '--instance'], 2, 'invalid_options'],
    ['an entry with a team', ['--team', 'x', '--entry', randomUUID()], 2, 'invalid_options'],
  ])('rejects %s and creates no file', async (_, selection, code, error) => {
    const out = audit.newPath()
    const ran = await audit.run('export', ...selection, '--out', out)
    expect(ran).toMatchObject({ code, body: { error: { code: error } } })
    expect([existsSync(out), temporaryFiles()]).toEqual([false, []])
  })

  it('rejects a path that cannot be written, and a missing one', async () => {
    const { code, body } = await audit.run('export', '--instance', '--out', join(audit.folder, 'no', 'folder'))
    expect([code, body.error.code]).toEqual([1, 'file_not_written'])
    expect((await audit.run('export', '--instance')).code).toBe(2)
  })

  it('signs no log that was changed in the database', async () => {
    const { teamId } = await teamWithSeals(service)
    const [entry] = await service.sql(
      "SELECT id FROM audit_entries WHERE team_id = $1 AND created_at = '2026-01-04Z'",
      [teamId],
    )
    await tamperWith(service, `UPDATE audit_entries SET result = 'DENIED' WHERE id = '${entry?.id}'`)
    for (const selection of [
      ['--team', teamId],
      ['--entry', `${entry?.id}`],
    ]) {
      const out = audit.newPath()
      const { code, body } = await audit.run('export', ...selection, '--out', out)
      expect([code, body.error.code]).toEqual([1, 'log_not_valid'])
      expect(body.error.message).toContain(`changed (entry ${entry?.id})`)
      expect([existsSync(out), temporaryFiles()]).toEqual([false, []])
    }
  })

  it('signs no log whose seals were removed or rewritten in the database', async () => {
    for (const [statement, reason] of [
      [
        "DELETE FROM audit_seals WHERE chain = '$' AND number = (SELECT max(seal) FROM audit_checkpoint_heads WHERE chain = '$')",
        'removed',
      ],
      ["UPDATE audit_seals SET signature = 'forged' WHERE chain = '$'", 'seal_forged'],
    ] as const) {
      const { teamId } = await teamWithSeals(service)
      await tamperWith(service, statement.replaceAll('$', teamId))
      const { code, body } = await audit.run('export', '--team', teamId, '--out', audit.newPath())
      expect([code, body.error.message]).toEqual([1, expect.stringContaining(`: ${reason}`)])
    }
  })

  it('reports an entry that was inserted into the database, and proves no such entry', async () => {
    const { teamId } = await teamWithSeals(service)
    await tamperWith(
      service,
      `INSERT INTO audit_entries (id, team_id, action, result, metadata, created_at) VALUES (gen_random_uuid(), '${teamId}', 'user.login', 'SUCCESS', '{}', now())`,
    )
    const out = audit.newPath()
    const { code, body } = await audit.run('export', '--team', teamId, '--out', out)
    expect([code, body.firstBroken.reason]).toEqual([0, 'inserted'])
    expect(readFileSync(out, 'utf8')).not.toContain(body.firstBroken.id)
    expect((await audit.verify(out)).code).toBe(0)
    const proof = await audit.run('export', '--entry', body.firstBroken.id, '--out', audit.newPath())
    expect(proof).toMatchObject({ code: 1, body: { error: { code: 'log_not_valid' } } })
  })
})

describe('keyward audit export --entry', () => {
  it('exports a proof that contains no other entry', async () => {
    const entries = linesOf(path).flatMap((line) => parsed(line).entry ?? [])
    for (const entry of entries) {
      const proof = await audit.exported('--entry', entry.id)
      const { code, body } = await audit.verify(proof, '--keys', keys)
      expect(code, JSON.stringify(body)).toBe(0)
      expect(body).toMatchObject({
        format: 'keyward-audit-proof',
        chain: team.teamId,
        entry: { id: entry.id },
        keysFrom: 'file',
      })
      for (const { id } of entries) if (id !== entry.id) expect(readFileSync(proof, 'utf8')).not.toContain(id)
    }
  })

  it('records the export', async () => {
    const { id } = parsed(linesOf(path)[1]).entry
    await audit.exported('--entry', id)
    const [last] = await service.sql(
      "SELECT metadata, request_id FROM audit_entries WHERE team_id = $1 AND action = 'audit.exported' ORDER BY id DESC",
      [team.teamId],
    )
    expect(last).toEqual({ metadata: { format: 'keyward-audit-proof', entry: id }, request_id: 'command_line' })
  })

  it('seals a pending entry first', async () => {
    const [entry] = await writeEntries(service, team.teamId, [entryOfDay(7)])
    const { body } = await audit.verify(await audit.exported('--entry', `${entry?.id}`), '--keys', keys)
    expect(body).toMatchObject({ valid: true, entry: { id: entry?.id } })
  })

  it('exports an entry of the instance', async () => {
    const [entry] = await service.sql('SELECT id FROM audit_entries WHERE team_id IS NULL LIMIT 1')
    const { body } = await audit.verify(await audit.exported('--entry', `${entry?.id}`), '--keys', keys)
    expect(body).toMatchObject({ valid: true, entry: { id: entry?.id, teamId: null } })
  })
})

describe('keyward audit verify without a file', () => {
  it('verifies every log, and reports those that were changed', async () => {
    const [changed, whole] = [await teamWithSeals(service), await teamWithSeals(service)]
    await tamperWith(service, `UPDATE audit_entries SET result = 'DENIED' WHERE team_id = '${changed.teamId}'`)
    const { code, body } = await audit.run('verify')
    expect([code, body.valid]).toEqual([1, false])
    const logOf = (teamId: string | null) => body.logs.find((log: { teamId: string | null }) => log.teamId === teamId)
    expect(logOf(changed.teamId)).toMatchObject({ valid: false, sealed: 0, firstBroken: { reason: 'changed' } })
    expect(logOf(whole.teamId)).toMatchObject({ valid: true, firstBroken: null })
    expect(logOf(null)).toMatchObject({ valid: true, name: 'instance' })
    const { out } = await runCommand(service, ['audit', 'verify'])
    expect(out).toMatch(new RegExp(`^\\S+ +${changed.teamId} +NOT VALID +0 +0 +changed \\(entry \\S+\\)$`, 'm'))
    expect(out).toMatch(new RegExp(`^\\S+ +${whole.teamId} +valid +\\d+ +0$`, 'm'))
  })

  it('verifies one log, also against a stored checkpoint', async () => {
    const { teamId, token } = await teamWithSeals(service)
    const stored = await audit.saveResponse('checkpoint', token)
    const verify = (...options: string[]) => audit.run('verify', ...options)
    expect(await verify('--team', teamId, '--checkpoint', stored)).toMatchObject({ code: 0, body: { valid: true } })
    expect((await verify('--instance', '--checkpoint', stored)).body.error.code).toBe('checkpoint_not_genuine')
    expect((await verify('--instance')).body).toMatchObject({ valid: true, logs: [{ teamId: null }] })
    await tamperWith(service, `UPDATE audit_entries SET result = 'DENIED' WHERE team_id = '${teamId}'`)
    expect(await verify('--team', teamId)).toMatchObject({ code: 1, body: { valid: false } })
    expect(await verify('--team', team.teamId)).toMatchObject({ code: 0, body: { valid: true } })
  })

  it('verifies the log of a team whose row was removed, and omits a deleted team', async () => {
    const [gone, deleted] = [await teamWithSeals(service), await teamWithSeals(service)]
    await service.sql('SELECT remove_team_audit($1, gen_random_uuid(), now())', [deleted.teamId])
    await tamperWith(
      service,
      `DELETE FROM organizations WHERE id IN ('${gone.teamId}', '${deleted.teamId}'); DELETE FROM audit_seals WHERE chain = '${gone.teamId}'`,
    )
    const { body } = await audit.run('verify')
    const ids = body.logs.map(({ teamId }: { teamId: string }) => teamId)
    expect(ids).not.toContain(deleted.teamId)
    expect(body.logs[ids.indexOf(gone.teamId)]).toMatchObject({ name: 'unknown team', valid: false })
  })

  it.each([
    [['--team', 'unknown-team'], 1, 'organization_not_found'],
    [['--team', 'x', '--instance'], 2, 'invalid_options'],
    [['--keys', 'x'], 2, 'invalid_options'],
    [['some-file', '--instance'], 2, 'invalid_options'],
  ])('rejects %j', async (args, code, error) => {
    expect(await audit.run('verify', ...args)).toMatchObject({ code, body: { error: { code: error } } })
  })
})
