import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { EMBEDDED_TEMPLATE } from '../../../../test/harness/test-database.js'
import { startEmbeddedDatabase } from './embedded-database.js'
import { makeSocketFolder } from './socket-folder.js'

const root = mkdtempSync(join(tmpdir(), 'kw-socket-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const mode = (path: string) => statSync(path).mode & 0o777

describe('the folders of the embedded database', () => {
  it('grants access only to the owner', async () => {
    const dataDir = join(root, 'new')
    const database = await startEmbeddedDatabase({ dataDir, templateDir: EMBEDDED_TEMPLATE, log: { info() {} } })
    expect(database.connection.host).toBe(join(dataDir, 'run'))
    for (const path of ['', 'db', 'run']) expect(mode(join(dataDir, path))).toBe(0o700)
    await database.close()
    expect(existsSync(join(dataDir, 'run'))).toBe(false)
  }, 60_000)

  it('uses the temporary folder for the socket if the path is too long, and removes it at the next start', async () => {
    const dataDir = join(root, 'l'.repeat(120))
    mkdirSync(dataDir)
    const leftBehind = await makeSocketFolder(dataDir)
    expect(leftBehind.path.startsWith(join(tmpdir(), 'keyward-'))).toBe(true)
    expect(mode(leftBehind.path)).toBe(0o700)

    const database = await startEmbeddedDatabase({ dataDir, templateDir: EMBEDDED_TEMPLATE, log: { info() {} } })
    expect(existsSync(leftBehind.path)).toBe(false)
    expect(database.connection.host.startsWith(join(tmpdir(), 'keyward-'))).toBe(true)
    await database.close()
    expect(existsSync(database.connection.host)).toBe(false)
  }, 60_000)
})
