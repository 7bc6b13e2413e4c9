import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { UNOPTIMIZED } from '../../../../test/harness/built-server.js'
import { EMBEDDED_TEMPLATE } from '../../../../test/harness/test-database.js'
import { startEmbeddedDatabase } from './embedded-database.js'
import { lockFolder } from './folder-lock.js'

const root = mkdtempSync(join(tmpdir(), 'kw-lock-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const folder = () => mkdtempSync(join(root, 'd'))

async function holder(dataDir: string): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'child.fixture.mjs')
  const child = spawn(process.execPath, [UNOPTIMIZED, program, 'hold', dataDir, EMBEDDED_TEMPLATE])
  for await (const chunk of child.stdout) if (String(chunk).includes('ready')) return child
  throw new Error('the holder ended early')
}

describe('the lock of a data folder', () => {
  it('rejects a second lock in the same process until it is released', async () => {
    const dataDir = folder()
    const first = await lockFolder(dataDir)
    await expect(lockFolder(dataDir)).rejects.toThrow(`process ${process.pid} on `)
    await first.release()
    await first.release()
    await (await lockFolder(dataDir)).release()
  })

  it('rejects another process with one line that names the folder and the holder, and is released when the holder exits', async () => {
    const dataDir = folder()
    const child = await holder(dataDir)
    const start = () => startEmbeddedDatabase({ dataDir, templateDir: EMBEDDED_TEMPLATE, log: { info() {} } })
    const rejected = await start().catch((error: Error) => error.message)
    expect(rejected).toMatch(/^The data folder \S+ is in use by process \d+ on \S+\. .+$/)
    expect(rejected).toContain(dataDir)
    expect(rejected).toContain(`process ${child.pid} on `)
    expect(child.exitCode).toBeNull()

    child.kill('SIGKILL')
    await once(child, 'exit')
    const database = await start()
    expect(database.firstStart).toBe(false)
    await database.close()
  }, 60_000)

  it('fails with a reason if the folder is not writable', async () => {
    await expect(lockFolder(join(root, 'missing'))).rejects.toThrow(/missing is not writable \(ENOENT\)\.$/)
  })
})
