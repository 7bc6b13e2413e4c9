import { type Command, CommandError } from '../command.js'

/** Starts the service, as `keyward` without a command does. */
export const startCommand: Command = {
  name: 'start',
  summary: 'Start the service',
  description:
    'Migrates the schema of the database, listens on PORT and runs until SIGTERM or SIGINT. The command is optional: keyward without arguments starts the service too. A failure of the service, also because of invalid settings, has exit code 1. The output is the log of the service, so the command has no --json.',
  options: [['--no-migrate', 'exit if the schema is older than this version, instead of migrating it']],
  failure: 'the service cannot start, or was ended by an error',
  hasNoResult: true,
  async run(terminal, { options }) {
    try {
      await terminal.start({ migrate: options.migrate !== false })
    } catch (error) {
      throw new CommandError('not_started', error instanceof Error ? error.message : String(error))
    }
    return undefined
  },
}
