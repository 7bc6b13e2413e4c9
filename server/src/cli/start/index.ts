import type { Command } from '../command.js'

/** Starts the service, as `keyward` without a command does. */
export const startCommand: Command = {
  name: 'start',
  summary: 'Start the service',
  description:
    'Migrates the schema of the database, listens on PORT and runs until SIGTERM or SIGINT. The command is optional: keyward without arguments starts the service too.',
  options: [['--no-migrate', 'exit if the schema is older than this version, instead of migrating it']],
  failure: 'the service cannot start, or was ended by an error',
  async run(terminal, { options }) {
    await terminal.start({ migrate: options.migrate !== false })
    return undefined
  },
}
