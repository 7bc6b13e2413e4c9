import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface InstalledService {
  url: string
  /** the output so far, of both streams */
  output: () => string
  /** Ends the process group with the signal and waits. */
  end: (signal: NodeJS.Signals) => Promise<void>
}

/** With the installation of the packages by npx. */
const READY_MS = 120_000

/** How npm reaches its registry, besides what every program needs. Settings of the service stay behind. */
const KEPT = /^(PATH|HOME|NODE_EXTRA_CA_CERTS|npm_config_(cafile|registry|.*proxy)|(https?|no)_proxy)$/i
const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT.test(name)))

/**
 * Runs the command in `folder` and waits until the service is ready. The settings of the tests do not apply.
 * @throws Error with the output if the process exits first
 */
export async function startInstalled(
  folder: string,
  [command = '', ...options]: string[],
  env: Record<string, string> & { PORT: string },
): Promise<InstalledService> {
  const child = spawn(command, options, {
    cwd: folder,
    env: { ...kept, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, because npx runs the service in another process.
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  const closed = once(child, 'close')
  const url = `http://localhost:${env.PORT}`
  // A command that cannot be started emits an error.
  closed.catch(() => {})
  const deadline = Date.now() + READY_MS
  while (!output.includes('Keyward is ready.')) {
    if (Date.now() > deadline) killGroup(child, 'SIGKILL')
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) throw new Error(output)
    await new Promise((resume) => setTimeout(resume, 50))
  }
  return {
    url,
    output: () => output,
    async end(signal) {
      killGroup(child, signal)
      await closed
    },
  }
}

const killGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals) => pid !== undefined && process.kill(-pid, signal)
