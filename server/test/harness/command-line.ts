import { vi } from 'vitest'
import { describeError, runCommandLine } from '../../src/cli/index.js'
import { systemClock } from '../../src/platform/clock.js'
import { SETTINGS } from '../../src/platform/config/settings.js'
import { start } from '../../src/start.js'
import type { TestService } from './service.js'

/** The exit code and the output of a command. */
export interface RanCommand {
  code: number | undefined
  out: string
  error: string
}

/**
 * Runs a command of the operator on the database of a running service, which is open in this process.
 * @param service undefined for a command without a database
 */
export async function runCommand(
  service: Pick<TestService, 'db' | 'env' | 'clock'> | undefined,
  args: string[],
  env: Record<string, string> = {},
): Promise<RanCommand> {
  let out = ''
  let error = ''
  const code = await runCommandLine(args, {
    env: { ...service?.env, ...env },
    clock: service?.clock ?? systemClock,
    print: (text) => {
      out += text
    },
    printError: (text) => {
      error += text
    },
    start: () => Promise.reject(new Error('The test must not start another service')),
    ...(service && { database: service.db }),
  })
  return { code, out, error }
}

const SHUTDOWN_EVENTS = ['SIGTERM', 'SIGINT', 'uncaughtException', 'unhandledRejection'] as const

/**
 * Starts the service in this process with these settings alone, and returns how the program reports that it cannot start. A program would
 * load for more than a second. Its log goes to the standard output of the tests.
 *
 * @param args of the program: none, or `start` with options
 */
export async function failToStart(
  env: Record<string, string>,
  args: string[] = [],
): Promise<{ code: number | undefined; output: string }> {
  const before = SHUTDOWN_EVENTS.map((event) => process.listeners(event as NodeJS.Signals))
  for (const name of Object.keys(SETTINGS)) vi.stubEnv(name, undefined)
  for (const [name, value] of Object.entries({ LOG_LEVEL: 'silent', ...env })) vi.stubEnv(name, value)
  let output = ''
  const print = (text: string) => {
    output += text
  }
  try {
    if (args.length > 0) {
      const code = await runCommandLine(args, { env, clock: systemClock, print, printError: print, start })
      return { code, output }
    }
    await start({ migrate: true, asJson: false })
    throw new Error('The service has started')
  } catch (error) {
    const { exitCode, message } = describeError(error)
    return { code: exitCode, output: `${message}\n` }
  } finally {
    vi.unstubAllEnvs()
    // The handlers of a service that did not listen would end the tests.
    for (const [index, event] of SHUTDOWN_EVENTS.entries())
      for (const listener of process.listeners(event as NodeJS.Signals))
        if (!before[index]?.includes(listener)) process.off(event, listener)
  }
}
