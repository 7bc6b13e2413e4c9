import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Used so far by a measured process, all of its threads. */
export interface Usage {
  /** Processor time, user and system, in µs. */
  micros: number
  /** Of that the main thread; null where the system does not tell. */
  mainMicros: number | null
  /** Resident memory in bytes. */
  rss: number
  /** The most that it ever was. */
  peak: number
}

export interface Child {
  pid: number
  port: number
  usage(): Promise<Usage>
  ask<T>(question: string, input?: unknown): Promise<T>
  /** Lets it close what it has open, and ends it. */
  stop(): Promise<void>
}

type Answer = { id: number; answer: unknown; error?: undefined } | { id: number; error: string }

/** What the service prints goes where a production service's lines would cost the least: nowhere. */
const nowhere = openSync('/dev/null', 'w')

/**
 * Starts one of `bench/children` in a process of its own and waits until it is ready.
 * @param build the folder of the server whose built program or libraries it uses
 */
export async function startChild(program: URL, build: URL, env: Record<string, string> = {}): Promise<Child> {
  const child = fork(fileURLToPath(program), {
    env: { ...clean(process.env), ...env, BENCH_BUILD: build.href },
    execArgv: [],
    stdio: ['ignore', nowhere, 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${program.pathname} ended with ${code}`)
  })
  ended.catch(() => undefined)
  const [{ port }] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }]
  const ask = asking(child, ended)
  return {
    pid: child.pid as number,
    port,
    ask,
    usage: () => ask<Usage>('usage'),
    async stop() {
      await ask('close').catch(() => undefined)
      const gone = once(child, 'exit')
      if (child.exitCode === null && child.kill('SIGKILL')) await gone
    },
  }
}

function asking(child: ChildProcess, ended: Promise<never>): Child['ask'] {
  let last = 0
  const waiting = new Map<number, (answer: Answer) => void>()
  child.on('message', (message: Answer) => {
    waiting.get(message.id)?.(message)
    waiting.delete(message.id)
  })
  return async <T>(ask: string, input?: unknown) => {
    const id = ++last
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    child.send({ id, ask, input })
    const answer = await Promise.race([answered, ended])
    if (answer.error !== undefined) throw new Error(`${ask}: ${answer.error}`)
    return answer.answer as T
  }
}

/** The environment without what would configure the service: a benchmark states its own settings. */
export function clean(env: NodeJS.ProcessEnv): Record<string, string> {
  const stored = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR']
  return Object.fromEntries(Object.entries(env).filter(([name]) => stored.includes(name))) as Record<string, string>
}
