import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** null where these tests cannot run; the reason has been printed */
    service: { url: string; outbox: string; chromium: string } | null
  }
}

const entry = process.env.E2E_SERVICE ?? join(import.meta.dirname, '../../server/dist/main.js')
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium'

function freePort() {
  return new Promise<number>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, 'localhost', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

async function untilReady(url: string, service: ChildProcess, said: () => string) {
  for (const end = Date.now() + 45_000; Date.now() < end; ) {
    if (service.exitCode !== null) throw new Error(`The service ended with ${service.exitCode}:\n${said()}`)
    const ready = await fetch(`${url}/readyz`).then(
      (answer) => answer.status === 200,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  throw new Error(`The service was not ready after 45 seconds:\n${said()}`)
}

/** Starts the built service on a free port with an empty data folder, and ends it when all tests are done. */
export default async function service(project: TestProject) {
  const missing = existsSync(chromium) ? (existsSync(entry) ? null : entry) : chromium
  if (missing) {
    process.stdout.write(`Browser tests skipped: ${missing} does not exist.\n`)
    project.provide('service', null)
    return
  }
  const port = await freePort()
  const url = `http://localhost:${port}`
  const data = mkdtempSync(join(tmpdir(), 'keyward-e2e-'))
  let output = ''
  const child = spawn(process.execPath, [entry], {
    env: { ...process.env, PORT: String(port), BASE_URL: url, DATA_DIR: data, LOG_LEVEL: 'warn' },
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
  try {
    await untilReady(url, child, () => output)
  } catch (thrown) {
    await stop()
    throw thrown
  }
  project.provide('service', { url, outbox: join(data, 'outbox'), chromium })
  return stop
}
