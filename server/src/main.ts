import { setFlagsFromString } from 'node:v8'
import { systemClock } from './platform/clock.js'
import { start } from './start.js'

// By default V8 optimizes most of PostgreSQL during startup, which delays it by a second. With this budget, frequently used code is
// still optimized, slightly later.
setFlagsFromString('--wasm-tiering-budget=20000000')

/** Starts the service, or runs the command of the arguments. */
async function main(args: string[]): Promise<void> {
  // Without the parser of commands, which the service does not need.
  if (args.length === 0) return start({ migrate: true, asJson: false })
  const { runCommandLine } = await import('./cli/index.js')
  // As `head` does, a reader may end before the output does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const exitCode = await runCommandLine(args, {
    env: process.env,
    clock: systemClock,
    print: (text) => void process.stdout.write(text),
    printError: (text) => void process.stderr.write(text),
    start,
  })
  if (exitCode !== undefined) process.exitCode = exitCode
}

main(process.argv.slice(2)).catch(async (error: unknown) => {
  const { describeError } = await import('./cli/index.js')
  const { message, exitCode } = describeError(error)
  process.stderr.write(`${message}\n`)
  process.exit(exitCode)
})
