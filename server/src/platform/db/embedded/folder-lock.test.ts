import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { UNOPTIMIZED } from '../../../../test/harness/built-server.js'
import { EMBEDDED_TEMPLATE } from '../../../../test/harness/test-database.js'
import { startEmbeddedDatabase } from './embedded-database.js'
import { lockFolder } from './folder-lock.js'

const root = mkdtempSync(join(tmpdir(), 'kw-lock-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const start = (dataDir: string) =>
  startEmbeddedDatabase({ dataDir, templateDir: EMBEDDED_TEMPLATE, log: { info() {} } })
const folder = () => mkdtempSync(join(root, 'd'))

/** Starts a process that holds the folder. From the sources it takes twice as long. */
async function holder(dataDir: string, { fromSources = false } = {}): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'child.fixture.mjs')
  const child = spawn(process.execPath, [
    UNOPTIMIZED,
    program,
    fromSources ? 'hold' : 'start',
    dataDir,
    EMBEDDED_TEMPLATE,
  ])
  for await (const chunk of child.stdout) if (String(chunk).includes('ready')) return child
  throw new Error('the holder ended early')
}

// Three of the tests wait for the verification every two seconds.
describe.concurrent('the lock of a data folder', () => {
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
    const child = await holder(dataDir, { fromSources: true })
    const rejected = await start(dataDir).catch((error: Error) => error.message)
    expect(rejected).toMatch(/^The data folder \S+ is in use by process \d+ on \S+\. .+$/)
    expect(rejected).toContain(dataDir)
    expect(rejected).toContain(`process ${child.pid} on `)
    expect(child.exitCode).toBeNull()

    child.kill('SIGKILL')
    await once(child, 'exit')
    const database = await start(dataDir)
    expect(database.firstStart).toBe(false)
    await database.close()
  }, 60_000)

  it('rejects another process although the lock file was deleted, and the holder restores the file', async ({
    expect,
  }) => {
    const dataDir = folder()
    const child = await holder(dataDir)
    rmSync(join(dataDir, '.lock'))
    await expect(start(dataDir)).rejects.toThrow(`${dataDir} is in use by `)

    rmSync(join(dataDir, '.lock'), { force: true })
    const content = () => {
      try {
        return readFileSync(join(dataDir, '.lock'), 'utf8')
      } catch {
        return ''
      }
    }
    await expect.poll(content, { interval: 20, timeout: 20_000 }).toContain(`${child.pid} `)
    await expect(start(dataDir)).rejects.toThrow(`process ${child.pid} on `)

    child.kill('SIGKILL')
    await once(child, 'exit')
    await (await start(dataDir)).close()
  }, 60_000)

  it('stops the database if its files are removed or replaced while it runs', async () => {
    const [dataDir, other] = [folder(), folder()]
    const database = await start(dataDir)
    renameSync(join(dataDir, 'db'), join(other, 'db'))
    cpSync(join(other, 'db'), join(dataDir, 'db'), { recursive: true })
    expect((await database.crashed).message).toContain(`${join(dataDir, 'db')} was removed or replaced`)
    await database.close()
  }, 60_000)

  it('reports the loss of a replaced folder also if another holder locks it first', async () => {
    const dataDir = folder()
    const create = () => {
      mkdirSync(join(dataDir, 'db'), { recursive: true })
      writeFileSync(join(dataDir, 'db/PG_VERSION'), '17')
    }
    create()
    const first = await lockFolder(dataDir)
    renameSync(dataDir, `${dataDir}-before`)
    create()
    const second = await lockFolder(dataDir)
    expect((await first.lost).message).toContain('was removed or replaced')
    await first.release()
    await expect(lockFolder(dataDir)).rejects.toThrow('is in use by')
    await second.release()
  })

  it('fails with a reason if the folder is not writable', async () => {
    await expect(lockFolder(join(root, 'missing'))).rejects.toThrow(/missing is not writable \(ENOENT\)\.$/)
  })
})
