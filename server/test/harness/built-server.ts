import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const programIn = (folder: string): string => fileURLToPath(new URL(`../../${folder}/main.js`, import.meta.url))
/** A complete run has built the program with its packages, as in a release, which starts in two thirds of the processor time. */
const MAIN = programIn(process.env.KEYWARD_TEST_PACKAGED ? 'packaged' : 'bundle')

/** Optimizing PostgreSQL in WebAssembly takes two seconds of processor time, which does not pay off in a short test process. */
export const UNOPTIMIZED = '--liftoff-only'

export interface BuiltServer {
  url: string
  process: ChildProcess
  /** The output so far, of both streams. */
  output(): string
  /** Sends the signal and waits for the exit. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Returns a port that is currently free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Runs the built program as an operator does, without the environment of this process. */
export function runBuilt(env: Record<string, string>, ...args: string[]): Omit<BuiltServer, 'url'> {
  if (!existsSync(MAIN)) throw new Error('The server is not built: run node scripts/build-stale.mjs')
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [UNOPTIMIZED, MAIN, ...args], {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  const ended = once(child, 'close')
  return {
    process: child,
    output: () => output,
    async end(signal) {
      child.kill(signal)
      const [code, by] = await ended
      return { code, signal: by }
    },
  }
}

/** Starts the built program on `port` and waits until it is ready. @throws Error with its output if it exits */
export async function startBuilt(port: number, env: Record<string, string>): Promise<BuiltServer> {
  const server = runBuilt({ PORT: `${port}`, ...env })
  const url = `http://localhost:${port}`
  while (!server.output().includes('Keyward is ready.') || !(await isReady(url))) {
    if (server.process.exitCode !== null || server.process.signalCode !== null) throw new Error(server.output())
    await new Promise((resume) => setTimeout(resume, 20))
  }
  return { ...server, url }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Sends a body to a route of the API, given by its path below `/api/v1/`. */
export const post = (url: string, path: string, body: object): Promise<Response> =>
  fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
