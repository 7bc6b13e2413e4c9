import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { clean } from './child.js'

/** The built program as an operator starts it, `node bundle/main.js`. */
export interface BuiltProgram {
  /** The loopback URL at which it serves. */
  url: string
  /** From the start of the process to the first 200 of /readyz, in ms. */
  readyAfter: number
  memory(): Memory
  /** Processor time used so far, in ms; null if the system does not report it. */
  cpu(): number | null
  stop(): Promise<void>
}

export interface Memory {
  /** Current resident memory, in MiB. */
  now: number | null
  /** Peak resident memory, in MiB. */
  peak: number | null
}

/** The interval between two readiness requests, which is the precision of `readyAfter`. */
const POLL_INTERVAL_MS = 10
const START_TIMEOUT_MS = 60_000

export async function startBuiltProgram(build: URL, env: Record<string, string>): Promise<BuiltProgram> {
  const port = await freePort()
  const start = performance.now()
  const child = spawn(process.execPath, [fileURLToPath(new URL('bundle/main.js', build))], {
    env: { ...clean(process.env), PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const proc = `/proc/${child.pid}`
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`the built program exited with ${child.exitCode}`)
      if (performance.now() - start > START_TIMEOUT_MS) throw new Error('the built program did not become ready')
      await new Promise((resume) => setTimeout(resume, POLL_INTERVAL_MS))
    }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return {
    url: `http://localhost:${port}`,
    readyAfter: performance.now() - start,
    memory: () => ({ now: statusMiB(proc, 'VmRSS'), peak: statusMiB(proc, 'VmHWM') }),
    cpu: () => cpuMs(proc),
    async stop() {
      const gone = once(child, 'exit')
      if (child.exitCode === null && child.kill('SIGTERM')) await gone
    },
  }
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || !address) throw new Error('no free port')
  return address.port
}

function statusMiB(proc: string, field: string): number | null {
  try {
    const kib = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`${proc}/status`, 'utf8'))?.[1]
    return kib ? Number(kib) / 1_024 : null
  } catch {
    return null
  }
}

/** Fields 14 and 15 of /proc/<pid>/stat, user and system, in ticks of 10 ms. The process name before them may contain spaces. */
function cpuMs(proc: string): number | null {
  try {
    const fields = readFileSync(`${proc}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return 10 * (Number(fields[11]) + Number(fields[12]))
  } catch {
    return null
  }
}
