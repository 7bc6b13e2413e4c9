import { spawn } from 'node:child_process'
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
  stop: () => Promise<void>
}

/** A free port. */
export function freePort() {
  return new Promise<number>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, 'localhost', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
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
  settings: { PORT?: string; BASE_URL?: string } = {},
  program = entry,
): Promise<Service> {
  const port = settings.PORT ?? String(await freePort())
  const own = `http://localhost:${port}`
  const url = settings.BASE_URL ?? own
  const data = mkdtempSync(join(tmpdir(), 'keyward-e2e-'))
  let output = ''
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...settings, PORT: port, BASE_URL: url, DATA_DIR: data, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
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
  return { url, outbox: join(data, 'outbox'), setupLink, stop }
}
