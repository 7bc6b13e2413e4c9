import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { sealEverything, writeEntries } from '../harness/audit-entries.js'
import { runCommand } from '../harness/command-line.js'
import type { TestService } from '../harness/service.js'
import { registerUser, type TestUser } from './factories.js'

let written = 0

/** Returns an entry of a day in January 2026. Entries are sealed in the order of their IDs. */
export const entryOfDay = (day: number) => ({
  id: `01900000-0000-7000-8000-${String(++written).padStart(12, '0')}`,
  createdAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
})

/** Creates a team whose log begins with an entry of 1 January, and ends with a seal of the entries of 3, 4 and 5 January. */
export async function teamWithSeals(service: TestService): Promise<TestUser> {
  const first = entryOfDay(1)
  const user = await registerUser(service)
  await writeEntries(service, user.teamId, [{ ...first, metadata: { ä: ['x', 1.5], b: { '10': null } } }])
  await sealEverything(service)
  await writeEntries(service, user.teamId, [
    entryOfDay(3),
    entryOfDay(4),
    { ...entryOfDay(5), riskScore: 30, userAgent: '\u009b31m"' },
  ])
  await sealEverything(service)
  return user
}

/** Acts as an attacker with access to the database, without triggers. */
export const tamperWith = ({ sql }: Pick<TestService, 'sql'>, statements: string) =>
  sql(`SET session_replication_role = replica; ${statements}; RESET session_replication_role`)

export const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n')

/** Runs the commands of the audit log, with files in a temporary folder. Remove it with `close`. */
export async function openAuditFiles(service: TestService) {
  const folder = await mkdtemp(join(tmpdir(), 'keyward-audit-'))
  let files = 0
  const newPath = (): string => join(folder, `file-${++files}`)
  const run = async (on: TestService | undefined, args: readonly string[]) => {
    const { code, out, error } = await runCommand(on, ['audit', ...args, '--json'])
    return { code, body: JSON.parse(out || error) }
  }
  const audit = {
    folder,
    newPath,
    save(content: string | Uint8Array): string {
      const path = newPath()
      writeFileSync(path, content)
      return path
    },
    /** Runs a command of the group `audit`, and returns its exit code and result. */
    run: (...args: string[]) => run(service, args),
    /** Exports what the options select, and returns the path. */
    async exported(...selection: string[]): Promise<string> {
      const path = newPath()
      const { code, body } = await run(service, ['export', ...selection, '--out', path])
      expect(code, JSON.stringify(body)).toBe(0)
      return path
    },
    /** Verifies a file without settings and database. */
    verify: (...args: string[]) => run(undefined, ['verify', ...args]),
    verifyLines: (lines: readonly string[], ...options: string[]) =>
      audit.verify(audit.save(lines.map((line) => `${line}\n`).join('')), ...options),
    /** Saves the response of an endpoint of the audit log. */
    async saveResponse(path: string, token?: string): Promise<string> {
      const { body } = await service.api('GET', `/api/v1/audit/${path}`, token === undefined ? {} : { token })
      return audit.save(JSON.stringify(body))
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
  return audit
}
