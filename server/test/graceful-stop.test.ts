import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort, runBuilt, startBuilt } from './built-server.js'
import { newEmail, PASSWORD } from './factories.js'
import { openConnection } from './raw-http.js'

const root = mkdtempSync(join(tmpdir(), 'keyward-stop-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('the built program', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'answers the requests in flight at %s, takes no new ones, and ends with 0',
    async (signal) => {
      const env = { DATA_DIR: join(root, signal) }
      const server = await startBuilt(await freePort(), env)
      const body = JSON.stringify({ email: newEmail(), password: PASSWORD })
      const open = Array.from({ length: 5 }, () => openConnection(server.url))
      for (const [index, { socket }] of open.entries()) {
        const head = `POST /api/v1/auth/${index ? 'magic-link' : 'register'} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
        socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`)
      }
      // The heads have arrived when a request that came after them is answered.
      await fetch(`${server.url}/livez`)
      const ended = once(server.process, 'close')
      server.process.kill(signal)
      await expect.poll(() => server.output(), { interval: 20, timeout: 20_000 }).toContain('"msg":"stopping"')
      for (const { socket } of open) socket.write(body.slice(10))
      const answers = await Promise.all(open.map(({ answer }) => answer))
      expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200])
      await expect(fetch(`${server.url}/livez`)).rejects.toThrow()
      expect(await ended).toEqual([0, null])

      const again = await startBuilt(await freePort(), env)
      const { status } = await fetch(`${again.url}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      expect(status).toBe(200)
      await again.end('SIGTERM')
    },
  )

  it('ends although a connection is kept open and idle', async () => {
    const server = await startBuilt(await freePort(), { DATA_DIR: join(root, 'idle') })
    const { socket, answer } = openConnection(server.url)
    socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(socket, 'data')
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
    await answer
  })

  it('refuses a data folder that another one works on, in one line that names it', async () => {
    const env = { DATA_DIR: join(root, 'shared') }
    const first = await startBuilt(await freePort(), env)
    const second = runBuilt({ ...env, PORT: `${await freePort()}` })
    const [code] = await once(second.process, 'close')
    expect(code).toBe(1)
    expect(second.output()).toMatch(
      new RegExp(
        `^The data folder ${env.DATA_DIR} is in use by process ${first.process.pid} on \\S+\\. Stop it first.*\n$`,
      ),
    )
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
    await first.end('SIGTERM')
  })

  it('says in one line that its port is taken', async () => {
    const port = await freePort()
    const first = await startBuilt(port, { DATA_DIR: join(root, 'port-1') })
    const second = runBuilt({ DATA_DIR: join(root, 'port-2'), PORT: `${port}` })
    const [code] = await once(second.process, 'close')
    expect(code).toBe(1)
    expect(
      second
        .output()
        .split('\n')
        .filter((line) => line && !line.startsWith('{')),
    ).toEqual([expect.stringMatching(new RegExp(`${port}`))])
    await first.end('SIGTERM')
  })

  it('tells the first administrator where the mails are, and writes the link nowhere else', async () => {
    const dataDir = join(root, 'welcome')
    const server = await startBuilt(await freePort(), { DATA_DIR: dataDir })
    await fetch(`${server.url}/api/v1/onboard`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ adminEmail: 'admin@example.com' }),
    })
    await expect
      .poll(() => server.output(), { interval: 20, timeout: 20_000 })
      .toContain('a mail was written to the outbox')
    const file = /"file":"([^"]+\.eml)"/.exec(server.output())?.[1] as string
    const token = /token=3D([\w-]+=?\r?\n?[\w-]+)/
      .exec(readFileSync(file, 'utf8'))?.[1]
      ?.replace(/=\r?\n/, '') as string
    expect(token).toHaveLength(43)
    expect(server.output()).toContain(`${dataDir}/outbox`)
    expect(server.output()).not.toContain(token.slice(0, 20))
    await server.end('SIGTERM')
  })

  it('starts again on a folder whose first start was killed at any moment', async () => {
    for (let round = 0; round < 4; round++) {
      const env = { DATA_DIR: join(root, `killed-${round}`) }
      const first = runBuilt({ ...env, PORT: `${await freePort()}` })
      await new Promise((resume) => setTimeout(resume, 150 + round * 250))
      await first.end('SIGKILL')
      const second = await startBuilt(await freePort(), env)
      const { status } = await fetch(`${second.url}/api/v1/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: newEmail(), password: PASSWORD }),
      })
      expect(status).toBe(201)
      expect(await second.end('SIGTERM')).toEqual({ code: 0, signal: null })
    }
  })
})
