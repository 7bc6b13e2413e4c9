import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommandLine } from '../../src/cli/index.js'
import { systemClock } from '../../src/platform/clock.js'

export interface Diagnosis {
  code: number | undefined
  checks: { area: string; name: string; status: string; finding: string; solution?: string }[]
  problems: number
  warnings: number
  output: string
}

/**
 * Runs `keyward doctor --json`.
 * @param env all settings; by default an empty data folder and a free port
 * @param aheadMs milliseconds by which the clock of this machine is ahead
 */
export async function diagnose(env: Record<string, string>, args: string[] = [], aheadMs = 0): Promise<Diagnosis> {
  let output = ''
  const print = (text: string) => {
    output += text
  }
  // A busy machine must not make a check fail, unless the test is about the limit.
  const limit = args.includes('--timeout') ? [] : ['--timeout', '60']
  const code = await runCommandLine(['doctor', '--json', ...limit, ...args], {
    env: { DATA_DIR: newFolder(), PORT: String(await freePort()), ...env },
    clock: { ms: () => systemClock.ms() + aheadMs, now: () => new Date(systemClock.ms() + aheadMs) },
    print,
    printError: print,
    start: () => Promise.reject(new Error('doctor must not start the service')),
  })
  return { ...JSON.parse(output), code, output }
}

/** Returns the check with this name. @throws Error with all names if there is none */
export function checkOf({ checks }: Diagnosis, area: string, name: string) {
  const found = checks.find((check) => check.area === area && check.name === name)
  if (!found) throw new Error(`No ${area}/${name}: ${checks.map((check) => `${check.area}/${check.name}`).join(', ')}`)
  return found
}

export const newFolder = (): string => mkdtempSync(join(process.env.KEYWARD_TEST_FOLDER ?? tmpdir(), 'doctor-'))

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
