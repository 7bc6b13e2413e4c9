import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type BuiltServer, freePort, runBuilt, startBuilt } from '../../test/harness/built-server.js'
import { runCommand } from '../../test/harness/command-line.js'
import { COMMANDS, type Command, type CommandGroup } from './index.js'

const allCommands = (
  entries: (Command | CommandGroup)[],
  path: string[] = [],
): { path: string[]; command: Command }[] =>
  entries.flatMap((entry) =>
    'commands' in entry
      ? allCommands(entry.commands, [...path, entry.name])
      : [{ path: [...path, entry.name], command: entry }],
  )

describe('keyward', () => {
  it.each(allCommands(COMMANDS).map(({ path, command }) => ({ name: path.join(' '), path, command })))(
    'prints arguments, options and exit codes of $name with --help, without a database',
    async ({ path, command }) => {
      const { code, out } = await runCommand(undefined, [...path, '--help'], { DATA_DIR: '/nowhere' })
      expect(code).toBe(0)
      const words = out.replace(/\s+/g, ' ')
      expect(words).toContain(`Usage: keyward ${path.join(' ')}`)
      for (const text of [command.summary, command.failure]) expect(words).toContain(text)
      for (const [syntax] of [...(command.arguments ?? []), ...(command.options ?? [])]) expect(words).toContain(syntax)
    },
  )

  it.each([
    ['an unknown command', ['nonsense'], "unknown command 'nonsense'"],
    ['an unknown command of a group', ['user', 'nonsense'], "unknown command 'nonsense'"],
    ['an unknown option', ['migrate', 'status', '--nonsense'], "unknown option '--nonsense'"],
    ['a missing argument', ['user', 'show'], "missing required argument 'user'"],
    ['an additional argument', ['user', 'show', 'a', 'b'], 'too many arguments'],
  ])('exits with 2 for %s', async (_, args, says) => {
    const { code, out, error } = await runCommand(undefined, args)
    expect([code, out]).toEqual([2, ''])
    expect(error).toContain(says)
    const asJson = await runCommand(undefined, [...args, '--json'])
    expect([asJson.code, asJson.out]).toEqual([2, ''])
    expect(JSON.parse(asJson.error).error).toEqual({
      code: 'invalid_arguments',
      message: expect.stringContaining(says),
    })
  })

  it.each([
    ['invalid settings', { PORT: 'x' }, 'invalid_settings'],
    ['a data folder without a database', { DATA_DIR: '/nowhere' }, 'no_database'],
    [
      'an unreachable server',
      { DATABASE_URL: 'postgres://me:hunter2@localhost:1/db', ENCRYPTION_KEY: randomBytes(32).toString('base64') },
      'database_unavailable',
    ],
  ])('exits with 3 for %s, and prints no secret', async (_, env, code) => {
    for (const args of [
      ['migrate', 'status'],
      ['user', 'show', 'a@example.com'],
      ['keys', 'status'],
    ]) {
      const ran = await runCommand(undefined, [...args, '--json'], env)
      expect([ran.code, ran.out]).toEqual([3, ''])
      expect(JSON.parse(ran.error)).toMatchObject({ error: { code } })
      expect(ran.error).not.toContain('hunter2')
    }
  })
})

describe('the program with an embedded database', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyward-cli-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  let server: BuiltServer | undefined
  afterAll(() => server?.end('SIGKILL'))

  async function run(...args: string[]) {
    const { process: child, output } = runBuilt({ DATA_DIR: dataDir }, ...args)
    const [code] = await once(child, 'close')
    return { code, output: output() }
  }
  const keyFile = () => readFileSync(join(dataDir, 'encryption.key'), 'utf8').trim().split('\n')

  it('administers the data of the service between two runs of it', async () => {
    const port = await freePort()
    server = await startBuilt(port, { DATA_DIR: dataDir })
    const used = await run('admin', 'link')
    expect(used).toMatchObject({ code: 3, output: expect.stringContaining('is in use by process') })
    await server.end('SIGTERM')

    const created = await run('admin', 'create', 'me@example.com')
    expect(created).toMatchObject({
      code: 0,
      output: expect.stringContaining('me@example.com is the first administrator'),
    })
    const [, token] = /token=([\w-]+)/.exec(created.output) ?? []
    // As if the rotation had been killed after it had added the key: it is completed, without another key.
    const [first = ''] = keyFile()
    const second = randomBytes(32).toString('base64')
    writeFileSync(join(dataDir, 'encryption.key'), `${second}\n${first}\n`, { mode: 0o600 })
    expect(await run('keys', 'rotate')).toMatchObject({ code: 0 })
    expect(keyFile()).toEqual([second, first])
    expect(await run('keys', 'rotate')).toMatchObject({ code: 0 })
    expect(keyFile().slice(1)).toEqual([second, first])
    expect(statSync(join(dataDir, 'encryption.key')).mode & 0o777).toBe(0o600)

    server = await startBuilt(port, { DATA_DIR: dataDir })
    const signIn = await fetch(`${server.url}/api/v1/auth/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    expect(await signIn.json()).toMatchObject({ user: { email: 'me@example.com', role: 'SUPER_ADMIN' } })
  })
})
