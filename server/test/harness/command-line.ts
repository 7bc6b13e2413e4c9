import { runCommandLine } from '../../src/cli/index.js'
import { systemClock } from '../../src/platform/clock.js'
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
