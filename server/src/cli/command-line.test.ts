import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type BuiltServer, freePort, post, runBuilt, startBuilt } from '../../test/harness/built-server.js'
import { failToStart, runCommand } from '../../test/harness/command-line.js'
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

const root = mkdtempSync(join(tmpdir(), 'keyward-start-'))
const DATA_DIR = join(root, 'data')
let server: BuiltServer | undefined
afterAll(async () => {
  await server?.end('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

/** Runs the program until it ends. */
async function run(env: Record<string, string>, ...args: string[]) {
  const { process: child, output } = runBuilt(env, ...args)
  const [code] = await once(child, 'close')
  return { code, output: output() }
}

describe('keyward start', () => {
  const errorOf = ({ output }: { output: string }) => JSON.parse(output).error

  it('prints one line of JSON when it is ready, and otherwise only its log', async () => {
    const port = `${await freePort()}`
    const url = `http://localhost:${port}`
    const readyLineOf = async (env: Record<string, string>) => {
      const started = runBuilt({ DATA_DIR, PORT: port, ...env }, 'start', '--json')
      server = { ...started, url }
      const lines = () =>
        started
          .output()
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
          .filter((line) => line.level === undefined)
      await expect.poll(lines, { interval: 20, timeout: 30_000 }).toHaveLength(1)
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      return lines()[0]
    }
    const version = expect.stringMatching(/^\d+\.\d+\.\d+/)
    const first = await readyLineOf({})
    expect(first).toEqual({
      url,
      docsUrl: `${url}/docs`,
      version,
      setupLink: expect.stringMatching(new RegExp(`^${url}/setup#token=[\\w-]{43}$`)),
      setupCommand: null,
      outbox: join(DATA_DIR, 'outbox'),
    })
    expect(server?.output()).toContain('"msg":"embedded database started"')
    await server?.end('SIGTERM')
    const SMTP_URL = 'smtp://127.0.0.1:9'
    expect(await readyLineOf({ SMTP_URL })).toMatchObject({
      setupLink: null,
      setupCommand: expect.stringContaining(`curl -X POST ${url}/api/v1/onboard `),
      outbox: null,
    })
    const { hash } = new URL(first.setupLink)
    const setUp = { token: hash.replace('#token=', ''), adminEmail: 'me@example.com' }
    expect((await post(url, 'onboard/setup-link', setUp)).status).toBe(400)

    const inUse = await failToStart({ DATA_DIR, PORT: `${await freePort()}` }, ['start', '--json'])
    expect(inUse.code).toBe(3)
    expect(errorOf(inUse)).toMatchObject({
      code: 'database_unavailable',
      message: expect.stringContaining('is in use by process'),
    })
    const portInUse = await failToStart({ DATA_DIR: join(root, 'other'), PORT: port }, ['start', '--json'])
    expect(portInUse.code).toBe(1)
    expect(errorOf(portInUse)).toEqual({
      code: 'port_unavailable',
      message: `The port ${port} is in use. End the program that uses it, or set PORT to another port.`,
    })
  }, 120_000)

  it.each([
    ['invalid settings', { PORT: 'x' }, 'invalid_settings'],
    ['a damaged database', { DATA_DIR: join(root, 'damaged') }, 'database_unavailable'],
    [
      'an unreachable server',
      {
        DATABASE_URL: 'postgres://me:hunter2@localhost:1/db',
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        DATABASE_WAIT_SECONDS: '0',
      },
      'database_unavailable',
    ],
  ])('exits with 3 for %s, and prints no secret', async (what, env, code) => {
    mkdirSync(join(root, 'damaged/db'), { recursive: true })
    writeFileSync(join(root, 'damaged/db/unknown'), '')
    // One after the other: beside another start, a data folder is in use.
    const plain = await failToStart(env)
    const named = await failToStart(env, ['start'])
    const asJson = await failToStart(env, ['start', '--json'])
    expect([plain.code, named.code, asJson.code]).toEqual([3, 3, 3])
    expect(named.output).toBe(plain.output)
    expect(errorOf(asJson)).toEqual({ code, message: plain.output.trimEnd() })
    expect(plain.output).not.toMatch(/^\s+at |hunter2/m)
    // The program, once without a command, and once where an open database would prevent its end.
    if (what === 'invalid settings') expect(await run(env)).toEqual(plain)
    if (what === 'a damaged database')
      expect(await run({ LOG_LEVEL: 'silent', ...env }, 'start', '--json')).toEqual(asJson)
  })

  it('exits with 70 and prints the stack for an error in Keyward itself', async () => {
    const { code, out, error } = await runCommand(undefined, ['start', '--json'])
    expect([code, out]).toEqual([70, ''])
    expect(JSON.parse(error).error).toEqual({
      code: 'internal',
      message: expect.stringMatching(/The test must not start another service\n +at /),
    })
  })
})

describe('the program with an embedded database', () => {
  const keyFile = () => readFileSync(join(DATA_DIR, 'encryption.key'), 'utf8').trim().split('\n')

  it('administers the data of the service between two runs of it', async () => {
    const port = await freePort()
    // The service of the test above, which has no administrator.
    server ??= await startBuilt(port, { DATA_DIR })
    const used = await runCommand(undefined, ['admin', 'link'], { DATA_DIR })
    expect(used).toMatchObject({ code: 3, error: expect.stringContaining('is in use by process') })
    await server.end('SIGTERM')

    const created = await run({ DATA_DIR }, 'admin', 'create', 'me@example.com')
    expect(created).toMatchObject({
      code: 0,
      output: expect.stringContaining('me@example.com is the first administrator'),
    })
    const [, token] = /token=([\w-]+)/.exec(created.output) ?? []
    // As if the rotation had been killed after it had added the key: it is completed, without another key.
    const [first = ''] = keyFile()
    const second = randomBytes(32).toString('base64')
    writeFileSync(join(DATA_DIR, 'encryption.key'), `${second}\n${first}\n`, { mode: 0o600 })
    expect(await run({ DATA_DIR }, 'keys', 'rotate')).toMatchObject({ code: 0 })
    expect(keyFile()).toEqual([second, first])
    expect(await runCommand(undefined, ['keys', 'rotate'], { DATA_DIR })).toMatchObject({ code: 0 })
    expect(keyFile().slice(1)).toEqual([second, first])
    expect(statSync(join(DATA_DIR, 'encryption.key')).mode & 0o777).toBe(0o600)

    server = await startBuilt(port, { DATA_DIR })
    const signIn = await post(server.url, 'auth/verify', { token })
    expect(await signIn.json()).toMatchObject({ user: { email: 'me@example.com', role: 'SUPER_ADMIN' } })
    expect(server.output()).toContain('Keyward is ready.')
    expect(server.output()).not.toContain('Setup:')
  })
})
