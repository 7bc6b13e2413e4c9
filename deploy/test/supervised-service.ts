import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** The restart policy of a systemd unit (systemd.service 5, systemd.unit 5). */
interface RestartPolicy {
  /** The value of `Restart=`. */
  on: string
  /** The value of `RestartSec=`, in milliseconds. */
  afterMs: number
  /** The value of `RestartPreventExitStatus=`: exit codes after which it does not restart. */
  exceptAfter: number[]
  /** The value of `StartLimitIntervalSec=`, in seconds; 0: any number of restarts. */
  limitInterval: number
}

export function restartPolicyOf(unit: string): RestartPolicy {
  const text = readFileSync(unit, 'utf8')
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? ''
  return {
    on: value('Restart'),
    afterMs: Number(value('RestartSec')) * 1_000,
    exceptAfter: (value('RestartPreventExitStatus').match(/\d+/g) ?? []).map(Number),
    limitInterval: Number(value('StartLimitIntervalSec')),
  }
}

export interface SupervisedService {
  starts(): number
  /** The output of all processes so far. */
  output(): string
  /** Kills the running process; the policy decides whether another one starts. */
  kill(): void
  /** Ends the process and the supervision. */
  end(): Promise<void>
}

/** Runs a program as systemd does with this policy. Without systemd, whose manager does not run in most containers. */
export function superviseService(
  program: string[],
  env: Record<string, string>,
  { on, afterMs, exceptAfter, limitInterval }: RestartPolicy,
): SupervisedService {
  if (on !== 'on-failure' || limitInterval !== 0) throw new Error('The test knows only on-failure without a limit')
  const ended = new AbortController()
  let child: ChildProcess
  let output = ''
  let starts = 0
  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      starts++
      child = spawn(process.execPath, program, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text) => {
          output += text
        })
      const [code, signal] = await once(child, 'close')
      const isClean = code === 0 || ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGPIPE'].includes(signal)
      if (isClean || exceptAfter.includes(code)) return
      await delay(afterMs, undefined, { signal: ended.signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    starts: () => starts,
    output: () => output,
    kill: () => void child.kill('SIGKILL'),
    async end() {
      ended.abort()
      child.kill('SIGKILL')
      await running
    },
  }
}
