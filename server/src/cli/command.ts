import type { Terminal } from './terminal.js'

/** The exit codes of every command. */
export const EXIT = {
  success: 0,
  /** The command was rejected, or found what it looks for: each command states which. */
  failure: 1,
  /** Unknown commands, missing arguments and invalid options. */
  usage: 2,
  /** Invalid settings, or a database that cannot be used. */
  unavailable: 3,
  /** An error in Keyward itself. */
  internal: 70,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** What a command prints: `data` with `--json`, otherwise `text`, which ends with a line break. */
export interface Result {
  data: object
  text: string
  /** Whether the exit code is 1. */
  failed?: boolean
}

/** The arguments in the order of `Command.arguments`, and the options by their names in camel case. */
export interface Input {
  arguments: (string | undefined)[]
  options: Record<string, string | boolean | undefined>
}

/** A command, from which the command line and its reference page are created. */
export interface Command {
  /** The last word, such as `show` of `keyward user show`. */
  name: string
  summary: string
  /** Further sentences for `--help` and the reference. */
  description?: string
  /** Each as `<required>` or `[optional]`, with its meaning. */
  arguments?: [syntax: string, meaning: string][]
  /** Each as `--name` or `--name <value>`, with its meaning. `--json` and `--help` are added. */
  options?: [flags: string, meaning: string][]
  /** The meaning of exit code 1. */
  failure: string
  /** @returns undefined if the command has printed its result and the process continues, as for `start` */
  run(terminal: Terminal, input: Input): Promise<Result | undefined>
}

/** Commands that begin with the same word. */
export interface CommandGroup {
  name: string
  summary: string
  commands: (Command | CommandGroup)[]
}

/** A rejected command. `message` is one sentence or several lines that state the cause and the solution. */
export class CommandError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly exitCode: ExitCode = EXIT.failure,
  ) {
    super(message)
    this.name = 'CommandError'
  }
}

/** Returns the value of an option that has one. */
export function textOption({ options }: Input, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}
