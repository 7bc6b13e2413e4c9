import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { UNOPTIMIZED } from '../../../../test/built-server.js'
import { EMBEDDED_TEMPLATE } from '../../../../test/test-database.js'
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
  it('is refused to a second taker in the same process, and free after release', async () => {
    const dataDir = folder()
    const first = await lockFolder(dataDir)
    await expect(lockFolder(dataDir)).rejects.toThrow(`process ${process.pid} on `)
    await first.release()
    await first.release()
    await (await lockFolder(dataDir)).release()
  })

  it('refuses another process with one line that names the folder and the holder, and dies with the holder', async () => {
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

  it('says so when the folder cannot be written to', async () => {
    await expect(lockFolder(join(root, 'missing'))).rejects.toThrow(/missing cannot be written to \(ENOENT\)\.$/)
  })
})
