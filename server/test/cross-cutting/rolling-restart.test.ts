import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail, PASSWORD } from '../factories/factories.js'
import { type BuiltServer, freePort, startBuilt } from '../harness/built-server.js'
import { LONG } from '../harness/some-of.js'
import { createTestDatabase, SERVER_URL } from '../harness/test-database.js'

const isRun = LONG && SERVER_URL !== undefined
if (!isRun) process.stdout.write('skipped: a rolling restart, which needs DATABASE_URL and npm run test:long\n')

const REQUESTS_PER_SECOND = 200
const PROBE_MS = 250
/** More than one, because the changes of an account wait for each other. */
const ACCOUNTS = 20
/** One of so many requests changes an account; the others read one. */
const READS_PER_WRITE = 10
const BODY = JSON.stringify({ name: 'Rolling' })

/** A node as a load balancer sees it: connections that it reuses, and the result of the last probe of `/readyz`. */
interface Node {
  server: BuiltServer
  agent: Agent
  isReady: boolean
}

describe.runIf(isRun)('a rolling restart of two nodes behind a load balancer', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyward-rolling-'))
  const nodes: Node[] = []
  /** The number of failed requests by reason. */
  const failures: Record<string, number> = {}
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  const tokens: string[] = []
  let sent = 0
  let ended = false

  const startNode = async (port: number): Promise<BuiltServer> =>
    startBuilt(port, {
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: key,
      BASE_URL: 'http://localhost:3000',
      DRAIN_SECONDS: '2',
    })
  const key = randomBytes(32).toString('base64')

  beforeAll(async () => {
    database = await createTestDatabase()
    for (let index = 0; index < 2; index++) {
      const server = await startNode(await freePort())
      nodes.push({ server, agent: new Agent({ keepAlive: true }), isReady: true })
    }
    for (let account = 0; account < ACCOUNTS; account++) tokens.push(await register())
  })
  afterAll(async () => {
    for (const { server, agent } of nodes) {
      agent.destroy()
      if (server.process.exitCode === null) await server.end('SIGKILL')
    }
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function register(): Promise<string> {
    const response = await fetch(`${nodes[0]?.server.url}/api/v1/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: newEmail(), password: PASSWORD }),
    })
    expect(response.status).toBe(201)
    return ((await response.json()) as { accessToken: string }).accessToken
  }

  const count = (reason: string) => {
    failures[reason] = (failures[reason] ?? 0) + 1
  }

  /** Sends one request on a reused connection and records a failure. */
  const send = ({ server, agent }: Node): Promise<void> =>
    new Promise((resolve) => {
      const fail = (reason: string) => {
        count(reason)
        resolve()
      }
      const isWrite = sent % READS_PER_WRITE === 0
      const sending = request(`${server.url}/api/v1/auth/me`, {
        method: isWrite ? 'PATCH' : 'GET',
        agent,
        headers: {
          authorization: `Bearer ${tokens[Math.trunc(sent / READS_PER_WRITE) % ACCOUNTS]}`,
          ...(isWrite && { 'content-type': 'application/json', 'content-length': BODY.length }),
        },
        timeout: 20_000,
      })
      sending.on('timeout', () => sending.destroy(new Error('no response')))
      sending.on('error', (error) => fail(error.message))
      sending.on('response', (response) => {
        response.resume()
        response.on('error', (error) => fail(error.message))
        response.on('end', () => (response.statusCode === 200 ? resolve() : fail(`status ${response.statusCode}`)))
      })
      sending.end(isWrite ? BODY : undefined)
    })

  async function probe(node: Node): Promise<void> {
    while (!ended) {
      node.isReady = await fetch(`${node.server.url}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      )
      await sleep(PROBE_MS)
    }
  }

  /** Sends requests to the ready nodes alternately, at the given rate. */
  async function sendAll(): Promise<void> {
    const start = performance.now()
    const open: Promise<void>[] = []
    for (; !ended; await sleep(5)) {
      while (sent < ((performance.now() - start) * REQUESTS_PER_SECOND) / 1_000) {
        const ready = nodes.filter(({ isReady }) => isReady)
        const node = ready[sent % ready.length]
        if (node) open.push(send(node))
        else count('no node is ready')
        sent++
      }
    }
    await Promise.all(open)
  }

  it(`fails none of ${REQUESTS_PER_SECOND} requests per second`, async () => {
    const probes = nodes.map(probe)
    const load = sendAll()
    for (const node of nodes) {
      await sleep(1_000)
      expect(await node.server.end('SIGTERM')).toEqual({ code: 0, signal: null })
      node.server = await startNode(Number(new URL(node.server.url).port))
      await expect.poll(() => node.isReady, { timeout: 20_000 }).toBe(true)
    }
    await sleep(1_000)
    ended = true
    await Promise.all([load, ...probes])
    expect(failures).toEqual({})
    expect(sent).toBeGreaterThan(5 * REQUESTS_PER_SECOND)
  })
})
