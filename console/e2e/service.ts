import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The built service. */
export const entry = join(import.meta.dirname, '../../server/bundle/main.js')
/** The same with fast password hashing, for tests that are not about passwords. */
export const fastHashingEntry = join(import.meta.dirname, 'fast-hashing-service.mjs')
/** The headless shell, if installed: a page costs half of the processor time of the full browser. */
export const chromium =
  process.env.CHROMIUM ?? ['/usr/bin/chromium-headless-shell'].find(existsSync) ?? '/usr/bin/chromium'

export interface Service {
  url: string
  /** the folder of its mails */
  outbox: string
  /** Waits for the printed setup link. */
  setupLink: () => Promise<string>
  /** Sets how far the clock of the service is ahead of the real time. Only for `fastHashingEntry`. */
  setClock: (offsetMs: number) => void
  stop: () => Promise<void>
}

/** A free port. */
export async function freePort() {
  const [port = 0] = await freePorts(1)
  return port
}

/** Different free ports: each is held until all are found. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = await Promise.all(
    Array.from({ length: count }, async () => {
      const probe = createServer().listen(0, 'localhost')
      await once(probe, 'listening')
      return probe
    }),
  )
  return Promise.all(
    probes.map(async (probe) => {
      const address = probe.address()
      probe.close()
      await once(probe, 'close')
      return typeof address === 'object' && address ? address.port : 0
    }),
  )
}

function isReady(url: string) {
  return fetch(`${url}/readyz`).then(
    (answer) => answer.status === 200,
    () => false,
  )
}

/**
 * Starts the service on a free port with an empty data folder. E2E_LOG prints its output when it stops.
 * @param settings for example the BASE_URL of a proxy in front of it
 * @param program `entry` or `fastHashingEntry`
 */
export async function startService(
  settings: { PORT?: string; BASE_URL?: string; E2E_CLOCK_OFFSET?: string } = {},
  program = entry,
): Promise<Service> {
  const port = settings.PORT ?? String(await freePort())
  const own = `http://localhost:${port}`
  const url = settings.BASE_URL ?? own
  const data = mkdtempSync(join(tmpdir(), 'keyward-e2e-'))
  let output = ''
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...settings, PORT: port, BASE_URL: url, DATA_DIR: data, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk
    })
  }
  const ended = new Promise((resolve) => child.once('exit', resolve))

  async function stop() {
    child.kill()
    await ended
    rmSync(data, { recursive: true, force: true })
    if (process.env.E2E_LOG) process.stdout.write(output)
  }

  async function setupLink() {
    for (const end = Date.now() + 10_000; Date.now() < end; ) {
      const [link] = /http\S+\/setup#token=\S+/.exec(output) ?? []
      if (link) return link
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`The service printed no setup link:\n${output}`)
  }

  for (const end = Date.now() + 45_000; !(await isReady(own)); ) {
    if (child.exitCode !== null || Date.now() > end) {
      await stop()
      throw new Error(`The service did not become ready (exit code ${child.exitCode}):\n${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  return {
    url,
    outbox: join(data, 'outbox'),
    setupLink,
    setClock: (offsetMs) => void child.send(offsetMs),
    stop,
  }
}

/** Starts the service with fast password hashing and its first administrator. */
export async function startSetUp(settings: Parameters<typeof startService>[0] = {}): Promise<Service> {
  const service = await startService(settings, fastHashingEntry)
  const answer = await fetch(`${service.url}/api/v1/onboard`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ adminEmail: 'first-admin@example.com' }),
  })
  if (answer.ok) return service
  await service.stop()
  throw new Error(`The service could not be set up: ${answer.status} ${await answer.text()}`)
}
