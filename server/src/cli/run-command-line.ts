import { CommanderError, Command as Program } from 'commander'
import { AppError } from '../platform/app-error.js'
import { ConfigError } from '../platform/config/config.js'
import { settingsText } from '../platform/config/help.js'
import { VERSION } from '../platform/version.js'
import { type Command, CommandError, type CommandGroup, EXIT, type ExitCode, type Input } from './command.js'
import { COMMANDS } from './commands.js'
import type { Terminal } from './terminal.js'

/**
 * Runs one command.
 * @param args the arguments after `keyward`
 * @returns the exit code; undefined if the process continues, as the service does
 */
export async function runCommandLine(args: string[], terminal: Terminal): Promise<ExitCode | undefined> {
  let exitCode: ExitCode | undefined = EXIT.success
  const program = createProgram(terminal, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage
    throw error
  }
}

/** Creates the parser of all commands, which prints help and errors on the terminal. */
export function createProgram(terminal: Terminal, onExit: (code: ExitCode | undefined) => void): Program {
  const program = prepare(new Program('keyward'), terminal)
    .description('Keyward: multi-tenant identity and access management.')
    .version(VERSION, '-v, --version')
    .usage('[command] [options]')
    .addHelpText('after', () => `\nWithout a command, the service starts.\n\n${settingsText()}`)
  addAll(program, COMMANDS, terminal, onExit)
  return program
}

function addAll(
  parent: Program,
  entries: (Command | CommandGroup)[],
  terminal: Terminal,
  onExit: (code: ExitCode | undefined) => void,
): void {
  for (const entry of entries) {
    if (!('commands' in entry)) add(parent, entry, terminal, onExit)
    else {
      const group = prepare(parent.command(entry.name), terminal).description(entry.summary)
      addAll(group, entry.commands, terminal, onExit)
    }
  }
}

const prepare = (command: Program, terminal: Terminal): Program =>
  command
    .exitOverride()
    .showHelpAfterError('(add --help for the arguments and options)')
    .configureOutput({ writeOut: (text) => terminal.print(text), writeErr: (text) => terminal.printError(text) })

function add(
  parent: Program,
  command: Command,
  terminal: Terminal,
  onExit: (code: ExitCode | undefined) => void,
): void {
  const { name, summary, description, arguments: args = [], options = [], failure, run } = command
  const parsed = prepare(parent.command(name), terminal)
    .summary(summary)
    .description(description ? `${summary}.\n\n${description}` : `${summary}.`)
  for (const [syntax, meaning] of args) parsed.argument(syntax, meaning)
  for (const [flags, meaning] of options) parsed.option(flags, meaning)
  parsed.option('--json', 'print the result as JSON')
  parsed.addHelpText(
    'after',
    `\nExit codes: 0 success, 1 ${failure}, 2 invalid arguments, 3 invalid settings or unusable database`,
  )
  parsed.action(async () => {
    const input: Input = { arguments: parsed.processedArgs, options: parsed.opts() }
    onExit(await execute(() => run(terminal, input), terminal, input.options.json === true))
  })
}

/** Runs a command and prints its result or its error. @returns the exit code; undefined if the process continues */
async function execute(
  run: () => ReturnType<Command['run']>,
  terminal: Terminal,
  asJson: boolean,
): Promise<ExitCode | undefined> {
  try {
    const result = await run()
    if (!result) return undefined
    terminal.print(asJson ? `${JSON.stringify(result.data, null, 2)}\n` : result.text)
    return result.failed ? EXIT.failure : EXIT.success
  } catch (error) {
    const { code, message, exitCode } = describe(error)
    terminal.printError(asJson ? `${JSON.stringify({ error: { code, message } }, null, 2)}\n` : `${message}\n`)
    return exitCode
  }
}

/** @throws an unexpected error as it is */
function describe(error: unknown): Pick<CommandError, 'code' | 'message' | 'exitCode'> {
  if (error instanceof CommandError) return error
  if (error instanceof ConfigError)
    return { code: 'invalid_settings', message: error.message, exitCode: EXIT.unavailable }
  if (error instanceof AppError) {
    const details = error.errors?.map(({ message }) => message) ?? []
    return { code: error.code, message: [error.message, ...details].join(': '), exitCode: EXIT.failure }
  }
  throw error
}
