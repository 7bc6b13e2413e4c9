import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The resources that a measured process has used so far, in all of its threads. */
export interface Usage {
  /** Processor time, user and system, in µs. */
  micros: number
  /** Processor time of the main thread alone; null if the system does not report it. */
  mainMicros: number | null
  /** Resident memory in bytes. */
  rss: number
  /** Peak resident memory in bytes. */
  peak: number
}

export interface Child {
  pid: number
  port: number
  usage(): Promise<Usage>
  call<T>(command: string, input?: unknown): Promise<T>
  /** Closes the resources of the process and ends it. */
  stop(): Promise<void>
}

type Reply = { id: number; result: unknown; error?: undefined } | { id: number; error: string }

/** Discards the log lines, so that the cost of a destination is not measured. */
const devNull = openSync('/dev/null', 'w')

/**
 * Starts a program of `bench/children` in its own process and waits until it is ready.
 * @param build the `server` folder of the build whose program or libraries it uses
 */
export async function startChild(program: URL, build: URL, env: Record<string, string> = {}): Promise<Child> {
  const child = fork(fileURLToPath(program), {
    env: { ...clean(process.env), ...env, BENCH_BUILD: build.href },
    execArgv: [],
    stdio: ['ignore', devNull, 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${program.pathname} exited with ${code}`)
  })
  ended.catch(() => undefined)
  const [{ port }] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }]
  const call = caller(child, ended)
  return {
    pid: child.pid as number,
    port,
    call,
    usage: () => call<Usage>('usage'),
    async stop() {
      await call('close').catch(() => undefined)
      const gone = once(child, 'exit')
      if (child.exitCode === null && child.kill('SIGKILL')) await gone
    },
  }
}

function caller(child: ChildProcess, ended: Promise<never>): Child['call'] {
  let last = 0
  const waiting = new Map<number, (reply: Reply) => void>()
  child.on('message', (message: Reply) => {
    waiting.get(message.id)?.(message)
    waiting.delete(message.id)
  })
  return async <T>(command: string, input?: unknown) => {
    const id = ++last
    const replied = new Promise<Reply>((resolve) => waiting.set(id, resolve))
    child.send({ id, command, input })
    const reply = await Promise.race([replied, ended])
    if (reply.error !== undefined) throw new Error(`${command}: ${reply.error}`)
    return reply.result as T
  }
}

/** Returns the environment without the settings of the service: a benchmark sets its own. */
export function clean(env: NodeJS.ProcessEnv): Record<string, string> {
  const stored = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR']
  return Object.fromEntries(Object.entries(env).filter(([name]) => stored.includes(name))) as Record<string, string>
}
