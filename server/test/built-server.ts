import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../bundle/main.js', import.meta.url))

/** Optimizing PostgreSQL in WebAssembly takes two seconds of processor time, which a process that lives shortly never gains. */
export const UNOPTIMIZED = '--liftoff-only'

export interface BuiltServer {
  url: string
  process: ChildProcess
  /** Everything printed so far, both streams. */
  output(): string
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Runs the built program (`server/bundle/main.js`) as an operator does; nothing of this process's settings reaches it. */
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

/** The built program on `port`, ready to serve. @throws Error with what it printed, when it ends instead */
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
