import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entryOfDay, linesOf, openAuditFiles, teamWithSeals } from '../../../test/factories/audit-files.js'
import type { TestUser } from '../../../test/factories/factories.js'
import { sealEverything, writeEntries } from '../../../test/harness/audit-entries.js'
import { runCommand } from '../../../test/harness/command-line.js'
import { startService } from '../../../test/harness/service.js'
import { readFileEntry } from '../../features/audit/chain/archive/format.js'
import { type ChainedEntry, chainStart, nextHash } from '../../features/audit/chain/chain.js'
import { encodeJwtPart } from '../../protocols/jws/index.js'

const service = await startService()
const audit = await openAuditFiles(service)
afterAll(async () => {
  await service.close()
  await audit.close()
})

let team: TestUser
let keys: string
let path: string
let lines: string[]
beforeAll(async () => {
  team = await teamWithSeals(service)
  keys = await audit.saveResponse('checkpoint-keys')
  path = await audit.exported('--team', team.teamId)
  lines = linesOf(path)
})

/** Positions from the end: three entries with their seal, the entry of the export with its seal, the signed checkpoint. */
const [DAY_3, DAY_4, DAY_5, SEAL, EXPORT, LAST_SEAL, END] = [-7, -6, -5, -4, -3, -2, -1]
const at = (position: number): string => lines.at(position) ?? ''
const idAt = (position: number): string => JSON.parse(at(position)).entry.id
const without = (...positions: number[]): string[] =>
  lines.filter((_, index) => !positions.includes(index - lines.length))
const changed = (position: number, change: (line: string) => string): string[] =>
  lines.with(position, change(at(position)))

/** Returns an entry that follows that of day 5, with its hash. */
function appended(): string {
  const { entry, hash } = JSON.parse(at(DAY_5))
  const added = { ...entry, id: randomUUID() }
  const next = nextHash(Buffer.from(hash, 'hex'), readFileEntry(added) as ChainedEntry)
  return JSON.stringify({ entry: added, hash: next.toString('hex') })
}

/** Returns the export with every entry changed, with consistent hashes, signed with another key. */
function forged(kid = 'forged'): string[] {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  let hash = chainStart(team.teamId)
  let seal: object = {}
  const all = lines.slice(0, END).map((line) => {
    const value = JSON.parse(line)
    if (value.entry) {
      const entry = { ...value.entry, action: 'user.deleted' }
      hash = nextHash(hash, readFileEntry(entry) as ChainedEntry)
      return JSON.stringify({ entry, hash: hash.toString('hex') })
    }
    if (value.seal) seal = { ...value.seal, head: hash.toString('hex') }
    return JSON.stringify(value.seal ? { seal } : value)
  })
  const { number, entries, head } = seal as { number: number; entries: number; head: string }
  const claims = { chain: team.teamId, seal: number, entries, head, iat: 1_800_000_000 }
  const input = `${encodeJwtPart({ alg: 'EdDSA', kid, typ: 'keyward-audit-checkpoint' })}.${encodeJwtPart(claims)}`
  const checkpoint = `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`
  return [...all, JSON.stringify({ checkpoint, keys: [{ ...publicKey.export({ format: 'jwk' }), kid }] })]
}

describe('keyward audit verify of an export', () => {
  it.each<[string, () => string[], string, number?]>([
    ['a changed entry', () => changed(DAY_4, (line) => line.replace('SUCCESS', 'DENIED')), 'changed', DAY_4],
    ['a changed hash', () => changed(DAY_4, (line) => line.replace(/"hash":"../, '"hash":"--')), 'malformed'],
    [
      'another hash',
      () => changed(DAY_4, (line) => line.replace(/"hash":"[^"]+/, `"hash":"${'0'.repeat(64)}`)),
      'changed',
      DAY_4,
    ],
    ['a removed entry', () => without(DAY_4), 'removed', DAY_5],
    ['a removed last entry of a seal', () => without(DAY_5), 'removed'],
    ['an inserted entry', () => lines.toSpliced(DAY_4, 0, at(EXPORT)), 'inserted', EXPORT],
    ['an entry that was appended to a seal', () => lines.toSpliced(SEAL, 0, appended()), 'inserted'],
    ['reordered entries', () => lines.with(DAY_3, at(DAY_4)).with(DAY_4, at(DAY_3)), 'reordered', DAY_4],
    ['a removed seal', () => without(DAY_3, DAY_4, DAY_5, SEAL), 'removed'],
    ['the removed line of a seal', () => without(SEAL), 'removed'],
    ['a repeated seal', () => lines.toSpliced(EXPORT, 0, at(DAY_3), at(DAY_4), at(DAY_5), at(SEAL)), 'reordered'],
    [
      'another head',
      () => changed(SEAL, (line) => line.replace(/"head":"[^"]+/, `"head":"${'0'.repeat(64)}`)),
      'changed',
    ],
    ['a removed newest seal', () => without(EXPORT, LAST_SEAL), 'removed'],
    ['an entry after the last seal', () => lines.toSpliced(END, 0, appended()), 'inserted'],
    ['a cut file', () => without(END), 'truncated'],
    ['a file that was cut after a seal', () => lines.slice(0, EXPORT), 'truncated'],
    [
      'a log under the ID of another team',
      () => changed(0, (line) => line.replace(team.teamId, randomUUID())),
      'changed',
      1,
    ],
    ['a second signed checkpoint', () => [...lines, at(END)], 'malformed'],
  ])('reports %s', async (_, change, reason, position) => {
    const { code, body } = await audit.verifyLines(change(), '--keys', keys)
    expect([code, body.valid, body.firstBroken.reason]).toEqual([1, false, reason])
    if (position !== undefined) expect(body.firstBroken.id).toBe(idAt(position))
  })

  it('reports a file that was cut within a line', async () => {
    const { code, body } = await audit.verify(audit.save(readFileSync(path, 'utf8').slice(0, -30)))
    expect([code, body.firstBroken.reason]).toEqual([1, 'truncated'])
  })

  it('reports missing seals with an older genuine signature only against a stored checkpoint', async () => {
    const { teamId, token } = await teamWithSeals(service)
    const contained = await audit.saveResponse('checkpoint', token)
    const older = await audit.exported('--team', teamId)
    await writeEntries(service, teamId, [entryOfDay(6)])
    await sealEverything(service)
    const newest = await audit.saveResponse('checkpoint', token)
    const { seal } = (await audit.verify(older, '--keys', keys, '--checkpoint', contained)).body
    const { code, body } = await audit.verify(older, '--keys', keys, '--checkpoint', newest)
    expect([code, body.firstBroken]).toEqual([1, expect.objectContaining({ reason: 'removed', seal: seal + 1 })])
    const whole = await audit.exported('--team', teamId)
    for (const stored of [contained, newest, audit.save(`${JSON.parse(readFileSync(newest, 'utf8')).checkpoint}\n`)])
      expect((await audit.verify(whole, '--checkpoint', stored)).body).toMatchObject({
        valid: true,
        keysFrom: 'export',
      })
    expect((await audit.verify(path, '--checkpoint', newest)).body.firstBroken.reason).toBe('checkpoint_mismatch')
  })

  it('rejects an export that was signed with another key, and flags it without trusted keys', async () => {
    expect((await audit.verifyLines(forged())).body).toMatchObject({ valid: true, keysFrom: 'export' })
    const { out } = await runCommand(undefined, ['audit', 'verify', audit.save(`${forged().join('\n')}\n`)])
    expect(out).toContain('not compared with keys from elsewhere')
    const withKeys = await audit.verifyLines(forged(), '--keys', keys)
    expect([withKeys.code, withKeys.body.firstBroken.reason]).toEqual([1, 'key_unknown'])
    const { kid } = JSON.parse(at(END)).keys[0]
    expect((await audit.verifyLines(forged(kid), '--keys', keys)).body.firstBroken.reason).toBe('signature_invalid')
    const stored = await audit.saveResponse('checkpoint', team.token)
    expect((await audit.verifyLines(forged(), '--checkpoint', stored)).body.firstBroken.reason).toBe('key_unknown')
  })

  it('reports consistent entries that are not those of the genuine signature', async () => {
    const { body } = await audit.verifyLines(forged().with(END, at(END)), '--keys', keys)
    expect(body.firstBroken.reason).toBe('checkpoint_mismatch')
  })
})

describe('the program of docs/concepts/audit-log.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/concepts/audit-log.md'), 'utf8')
  const [, program = ''] = /^```js\n(.*?)^```$/ms.exec(page) ?? []
  const runProgram = (content: string[]) => {
    const file = `${audit.newPath()}.mjs`
    writeFileSync(file, program)
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, audit.save(content.join('\n')), keys])
    return { status, output: `${stdout}${stderr}` }
  }

  it('verifies an export without Keyward', () => {
    const { entries } = lines.flatMap((line) => JSON.parse(line).seal ?? []).at(-1)
    expect(runProgram(lines)).toEqual({ status: 0, output: `valid: ${entries} entries\n` })
  })

  it('rejects changed and forged exports', () => {
    for (const [content, message] of [
      [changed(DAY_4, (line) => line.replace('SUCCESS', 'DENIED')), 'is broken'],
      [without(EXPORT, LAST_SEAL), 'other entries were signed'],
      [forged(), 'unknown key'],
      [forged(JSON.parse(at(END)).keys[0].kid), 'invalid signature'],
    ] as const) {
      const { status, output } = runProgram([...content])
      expect([status, output]).toEqual([1, expect.stringContaining(message)])
    }
  })
})

describe('keyward audit verify of a proof', () => {
  const proofOf = async (position: number) => linesOf(await audit.exported('--entry', idAt(position)))[0] ?? ''

  it('rejects a changed proof', async () => {
    const proof = await proofOf(DAY_4)
    const { checkpoint } = JSON.parse(await proofOf(1))
    const zeros = `"${'0'.repeat(64)}"`
    const changes: [string, string][] = [
      [proof.replace('SUCCESS', 'DENIED'), 'changed'],
      [proof.replace(/"previous":"[^"]+"/, `"previous":${zeros}`), 'changed'],
      [proof.replace(/"following":\[[^\]]+\]/, `"following":[${zeros}]`), 'changed'],
      [proof.replace(/"following":\[[^\]]+\]/, '"following":[]'), 'changed'],
      [proof.replace(`"chain":"${team.teamId}"`, `"chain":"${randomUUID()}"`), 'changed'],
      [proof.replace(/"checkpoint":"[^"]+"/, `"checkpoint":"${checkpoint}"`), 'changed'],
      [proof.replace(/"checkpoint":"[^"]+"/, '"checkpoint":null'), 'malformed'],
      [proof.replace('"previous":', '"before":'), 'malformed'],
      [`${proof}\n${proof}`, 'malformed'],
    ]
    for (const [change, reason] of changes) {
      expect(change).not.toBe(proof)
      const { code, body } = await audit.verifyLines([change], '--keys', keys)
      expect([code, body.firstBroken.reason]).toEqual([1, reason])
    }
  })

  it('compares a proof with a stored checkpoint of the same seal', async () => {
    const proof = await proofOf(DAY_4)
    const stored = audit.save(JSON.parse(proof).checkpoint)
    expect((await audit.verifyLines([proof], '--checkpoint', stored)).body).toMatchObject({ valid: true })
    const olderProof = await proofOf(1)
    const older = audit.save(JSON.parse(olderProof).checkpoint)
    for (const [file, checkpoint] of [
      [proof, older],
      [olderProof, stored],
    ] as const) {
      const { firstBroken } = (await audit.verifyLines([file], '--checkpoint', checkpoint)).body
      expect(firstBroken).toEqual({
        reason: 'checkpoint_mismatch',
        message: expect.stringMatching(/cannot be compared.*Verify an export/s),
      })
    }
  })

  it('prints the entry without control characters', async () => {
    const { code, out } = await runCommand(undefined, ['audit', 'verify', audit.save(`${await proofOf(DAY_5)}\n`)])
    expect([code, out]).toEqual([0, expect.stringContaining('\\u009b31m')])
    expect(out).not.toContain('\u009b')
  })
})

describe('keyward audit verify of a malformed file', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['an empty file', '', 'truncated'],
    ['another format', '{"format":"x"}\n', 'unknown_format'],
    ['a file without JSON', 'audit\n', 'malformed'],
    ['a list', '[]\n', 'malformed'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a]), 'malformed'],
    ['a later version', '{"format":"keyward-audit-export","version":3}\n', 'unknown_version'],
    ['an incomplete header', '{"format":"keyward-audit-export","version":1}\n', 'malformed'],
    ['an incomplete proof', '{"format":"keyward-audit-proof","version":1}\n', 'malformed'],
    ['a line of 5 MiB', `{"x":"${'x'.repeat(5 * 1_024 * 1_024)}"}\n`, 'malformed'],
    ['a line of 5 MiB without an end', 'x'.repeat(5 * 1_024 * 1_024), 'malformed'],
    ['deep nesting', `{"x":${'['.repeat(500_000)}${']'.repeat(500_000)}}\n`, 'malformed'],
  ])('reports %s', async (_, content, reason) => {
    const { code, body } = await audit.verify(audit.save(content))
    expect([code, body.firstBroken.reason]).toEqual([1, reason])
  })

  it.each([
    ['a member twice', '"action":', '"action":"user.deleted","action":'],
    ['a further member', '"action":', '"verified":true,"action":'],
    ['a member of another type', '"riskScore":null', '"riskScore":"1"'],
    ['another time zone', 'Z"},"hash"', '+00:00"},"hash"'],
    ['deeply nested metadata', '"metadata":{}', `"metadata":{"x":${'['.repeat(4_500)}${']'.repeat(4_500)}}`],
    ['very deeply nested metadata', '"metadata":{}', `"metadata":{"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
  ])('rejects an entry with %s', async (_, part, replacement) => {
    const change = changed(DAY_4, (line) => line.replace(part, replacement))
    expect(change).not.toEqual(lines)
    const { code, body } = await audit.verifyLines(change)
    expect([code, body.valid, body.firstBroken.line === lines.length + DAY_4 + 1]).toEqual([1, false, true])
  })

  it('rejects files that cannot be read, and files without keys or a checkpoint', async () => {
    for (const [args, error] of [
      [[join(audit.folder, 'missing')], 'file_not_readable'],
      [[audit.folder], 'file_not_readable'],
      [[path, '--keys', join(audit.folder, 'missing')], 'file_not_readable'],
      [[path, '--keys', path], 'invalid_keys'],
      [[path, '--keys', audit.save('{"keys":[null,{"kty":"oct"}]}')], 'invalid_keys'],
      [[path, '--checkpoint', audit.save('{}')], 'invalid_checkpoint'],
      [[path, '--checkpoint', audit.save('x'.repeat(100_000))], 'file_too_large'],
    ] as const)
      expect(await audit.verify(...args)).toMatchObject({ code: 1, body: { error: { code: error } } })
    const { body } = await audit.verify(path, '--checkpoint', audit.save('no checkpoint'))
    expect(body.firstBroken.reason).toBe('malformed')
  })
})
