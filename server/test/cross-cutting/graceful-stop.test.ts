import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { newEmail, PASSWORD } from '../factories/factories.js'
import { type BuiltServer, freePort, post, runBuilt, startBuilt } from '../harness/built-server.js'
import { failToStart } from '../harness/command-line.js'
import { openConnection, sendRaw } from '../harness/raw-http.js'
import { LONG, someOf } from '../harness/some-of.js'

const root = mkdtempSync(join(tmpdir(), 'keyward-stop-'))
const env = { DATA_DIR: join(root, 'data') }

/** The program on the shared folder. A test that stops it sets it to undefined. */
let current: BuiltServer | undefined
const started: BuiltServer[] = []
const running = async (more: Record<string, string> = {}): Promise<BuiltServer> => {
  if (!current) started.push(await startBuilt(await freePort(), { ...env, ...more }))
  current ??= started.at(-1) as BuiltServer
  return current
}
const isRunning = ({ process }: BuiltServer): boolean => process.exitCode === null && process.signalCode === null
/** Stops the program, after a start if there was none. */
const stopped = async (): Promise<void> => {
  if (started.length === 0) await running()
  current = undefined
  for (const server of started.filter(isRunning)) await server.end('SIGTERM')
}
afterAll(async () => {
  for (const server of started.filter(isRunning)) await server.end('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

/** Conditions on folder and output for points of the first start. */
type Timestamp = (folder: string, output: string) => boolean

const MOMENTS: Timestamp[] = [
  (folder) => existsSync(join(folder, 'encryption.key')),
  (folder) => existsSync(join(folder, 'db.new')) || existsSync(join(folder, 'db')),
  (folder) => existsSync(join(folder, 'db')),
  (_, output) => output.includes('embedded database started'),
]

/** Starts the program on the folder and kills it at the given point, or after some milliseconds. */
async function killAt(timestamp: Timestamp | number, folder: string): Promise<void> {
  const server = runBuilt({ DATA_DIR: folder, PORT: `${await freePort()}` })
  if (typeof timestamp === 'number') await sleep(timestamp)
  else while (!timestamp(folder, server.output()) && server.process.exitCode === null) await sleep(2)
  expect(await server.end('SIGKILL'), server.output()).toEqual({ code: null, signal: 'SIGKILL' })
}

async function expectUsable({ url }: BuiltServer): Promise<void> {
  expect((await post(url, 'auth/register', { email: newEmail(), password: PASSWORD })).status).toBe(201)
}

describe('the built program', () => {
  it('starts again on a folder whose first start was killed at any point', async () => {
    for (const timestamp of someOf(MOMENTS, 0)) await killAt(timestamp, env.DATA_DIR)
    await expectUsable(await running())
  })

  it.runIf(LONG)('starts again on each of many folders whose first start was killed once', async () => {
    for (const [index, timestamp] of [...MOMENTS, 150, 400, 650, 900].entries()) {
      const folder = join(root, `killed-${index}`)
      await killAt(timestamp, folder)
      const server = await startBuilt(await freePort(), { DATA_DIR: folder })
      await expectUsable(server)
      expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
    }
  })

  it('prints the location of the mails for the first administrator and writes the link nowhere else', async () => {
    const server = await running()
    await post(server.url, 'onboard', { adminEmail: 'admin@example.com' })
    const toAdmin = () =>
      [...server.output().matchAll(/"file":"([^"]+\.eml)"/g)]
        .map(([, file]) => readFileSync(file as string, 'utf8'))
        .find((mail) => /^To: .*admin@example\.com/m.test(mail))
    await expect.poll(toAdmin, { interval: 20, timeout: 20_000 }).toBeDefined()
    const token = /token=3D([\w-]+=?\r?\n?[\w-]+)/.exec(toAdmin() ?? '')?.[1]?.replace(/=\r?\n/, '') as string
    expect(token).toHaveLength(43)
    expect(server.output()).toContain(`${env.DATA_DIR}/outbox`)
    expect(server.output()).not.toContain(token.slice(0, 20))
  })

  it('rejects a data folder in use by another process with one line that names it', async () => {
    const first = await running()
    const second = runBuilt({ ...env, PORT: `${await freePort()}` })
    const [code] = await once(second.process, 'close')
    expect(code).toBe(3)
    expect(second.output()).toMatch(
      new RegExp(
        `^The data folder ${env.DATA_DIR} is in use by process ${first.process.pid} on \\S+\\. Stop it first.*\n$`,
      ),
    )
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  })

  it('reports in one line that its port is in use', async () => {
    const { port } = new URL((await running()).url)
    // With a command, the program ends only when nothing is open.
    const second = runBuilt({ DATA_DIR: join(root, 'port-2'), PORT: port }, 'start')
    const [code] = await once(second.process, 'close')
    expect(code).toBe(1)
    expect(
      second
        .output()
        .split('\n')
        .filter((line) => line && !line.startsWith('{')),
    ).toEqual([expect.stringMatching(new RegExp(port))])
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'completes the requests in flight at %s, accepts no new ones, and exits with 0',
    async (signal) => {
      const server = await running()
      const account = { email: newEmail(), password: PASSWORD }
      const body = JSON.stringify(account)
      const open = Array.from({ length: 5 }, () => openConnection(server.url))
      for (const [index, { socket }] of open.entries()) {
        const head = `POST /api/v1/auth/${index ? 'magic-link' : 'register'} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
        socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`)
      }
      // The headers have arrived when a request on a later connection gets its response.
      await sendRaw(server.url, 'GET /livez', { Host: 'localhost' })
      current = undefined
      const ended = once(server.process, 'close')
      server.process.kill(signal)
      await expect.poll(() => server.output(), { interval: 20, timeout: 20_000 }).toContain('"msg":"stopping"')
      for (const { socket } of open) socket.write(body.slice(10))
      const answers = await Promise.all(open.map(({ answer }) => answer))
      expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200])
      await expect(fetch(`${server.url}/livez`)).rejects.toThrow()
      expect(await ended).toEqual([0, null])

      // After SIGINT with the setting of the next test.
      const again = await running(signal === 'SIGINT' ? { DRAIN_SECONDS: '3' } : {})
      expect((await post(again.url, 'auth/login', account)).status).toBe(200)
    },
  )

  it('accepts requests for DRAIN_SECONDS after SIGTERM while /readyz returns 503, then exits although an idle connection is open', async () => {
    const server = await running({ DRAIN_SECONDS: '3' })
    current = undefined
    const { socket, answer } = openConnection(server.url)
    const get = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    get('/livez')
    await once(socket, 'data')
    const { socket: idle, answer: idleAnswer } = openConnection(server.url)
    idle.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(idle, 'data')

    const ended = server.end('SIGTERM')
    await expect.poll(() => server.output(), { interval: 20, timeout: 20_000 }).toContain('"msg":"stopping"')
    const probe = await fetch(`${server.url}/readyz`)
    expect([probe.status, probe.headers.get('retry-after')]).toEqual([503, '2'])
    await expectUsable(server)
    // An open connection closes with its next response.
    get('/livez')
    expect((await answer).text).toMatch(/HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*connection: close\r\n/i)
    expect(server.process.exitCode).toBeNull()
    expect(await ended).toEqual({ code: 0, signal: null })
    await idleAnswer
  })

  it('exits with 3 without the encryption key of an existing database, and creates no new one', async () => {
    await stopped()
    const key = join(env.DATA_DIR, 'encryption.key')
    renameSync(key, `${key}.away`)
    const { code, output } = await failToStart({ ...env, PORT: `${await freePort()}` })
    expect(code).toBe(3)
    expect(output).toMatch(
      new RegExp(`^${key} is missing, but ${env.DATA_DIR}/db contains a database encrypted with it\\. .*backup.*\n$`),
    )
    expect(existsSync(key)).toBe(false)
    renameSync(`${key}.away`, key)
  })

  it('exits with 3 if acknowledged writes are missing, and starts once with ACCEPT_LOSS=1', async () => {
    await stopped()
    writeFileSync(join(env.DATA_DIR, 'db/acknowledged-position'), 'acknowledged 000000FF/00000000\n')
    const { code, output } = await failToStart({ ...env, PORT: `${await freePort()}` })
    expect(code).toBe(3)
    expect(output).toMatch(/^The database in \S+ lacks acknowledged writes: .*ACCEPT_LOSS=1 .*\n$/)

    current = await startBuilt(await freePort(), { ...env, ACCEPT_LOSS: '1' })
    started.push(current)
    await expectUsable(current)
    expect(current.output()).toContain('the embedded database continues without acknowledged writes')
  })
})
