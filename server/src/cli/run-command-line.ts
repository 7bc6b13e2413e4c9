import { CommanderError, Command as Program } from 'commander'
import { settingsText } from '../platform/config/help.js'
import { VERSION } from '../platform/version.js'
import { type Command, type CommandGroup, EXIT, type ExitCode, type Input } from './command.js'
import { COMMANDS } from './commands.js'
import { describeError } from './describe-error.js'
import type { Terminal } from './terminal.js'

/**
 * Runs one command.
 * @param args the arguments after `keyward`
 * @returns the exit code; undefined if the process continues, as the service does
 */
export async function runCommandLine(args: string[], given: Terminal): Promise<ExitCode | undefined> {
  let exitCode: ExitCode | undefined = EXIT.success
  const terminal: Terminal = {
    ...given,
    print: (text) => given.print(visible(text)),
    printError: (text) => given.printError(visible(text)),
  }
  const program = createProgram(terminal, args.includes('--json'), (code) => {
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

/**
 * Escapes control, bidirectional and other invisible characters, except line breaks: names, and responses of other servers, could change what
 * the terminal shows. JSON stays valid.
 */
const visible = (text: string): string =>
  text.replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (characters) =>
    Array.from({ length: characters.length }, (_, index) => characters.charCodeAt(index))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** Creates the parser of all commands, which prints help and errors on the terminal. */
function createProgram(terminal: Terminal, asJson: boolean, onExit: (code: ExitCode | undefined) => void): Program {
  const program = prepare(new Program('keyward'), terminal, asJson)
    .description('Keyward: multi-tenant identity and access management.')
    .version(VERSION, '-v, --version')
    .usage('[command] [options]')
    .addHelpText('after', () => `\nWithout a command, the service starts.\n\n${settingsText()}`)
  addAll(program, COMMANDS, { terminal, asJson, onExit })
  return program
}

interface Context {
  terminal: Terminal
  asJson: boolean
  onExit: (code: ExitCode | undefined) => void
}

function addAll(parent: Program, entries: (Command | CommandGroup)[], context: Context): void {
  for (const entry of entries) {
    if (!('commands' in entry)) add(parent, entry, context)
    else {
      const group = prepare(parent.command(entry.name), context.terminal, context.asJson).description(entry.summary)
      addAll(group, entry.commands, context)
    }
  }
}

function prepare(command: Program, terminal: Terminal, asJson: boolean): Program {
  command.exitOverride().configureOutput({
    writeOut: (text) => terminal.print(text),
    writeErr: (text) => terminal.printError(text),
    outputError: (text, write) =>
      write(asJson ? errorText('invalid_arguments', text.replace(/^error: /, '').trim()) : text),
  })
  return asJson ? command : command.showHelpAfterError('(add --help for the arguments and options)')
}

function add(parent: Program, command: Command, { terminal, asJson, onExit }: Context): void {
  const { name, summary, description, arguments: args = [], options = [], failure, run } = command
  const parsed = prepare(parent.command(name), terminal, asJson)
    .summary(summary)
    .description(description ? `${summary}.\n\n${description}` : `${summary}.`)
  for (const [syntax, meaning] of args) parsed.argument(syntax, meaning)
  for (const [flags, meaning] of options) parsed.option(flags, meaning)
  parsed.option('--json', 'print the result as JSON')
  parsed.addHelpText(
    'after',
    `\nExit codes: 0 success, 1 ${failure}, 2 invalid arguments, 3 invalid settings or unusable database, 70 an error in Keyward`,
  )
  parsed.action(async () => {
    const input: Input = { arguments: parsed.processedArgs, options: parsed.opts() }
    onExit(await execute(() => run(terminal, input), terminal, input.options.json === true))
  })
}

const errorText = (code: string, message: string): string =>
  `${JSON.stringify({ error: { code, message } }, null, 2)}\n`

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
    const { code, message, exitCode } = describeError(error)
    terminal.printError(asJson ? errorText(code, message) : `${message}\n`)
    return exitCode
  }
}
