import type { Command } from '../command.js'

/** Starts the service, as `keyward` without a command does. */
export const startCommand: Command = {
  name: 'start',
  summary: 'Start the service',
  description:
    'Migrates the schema of the database, listens on PORT and runs until SIGTERM or SIGINT. The command is optional: keyward without arguments starts the service too, with the same exit codes. The log is on standard output; each line is JSON and has a level. With --json, the service prints one more line when it is ready, which has no level. Its members are url, docsUrl, version, setupLink, setupCommand and outbox, the folder of mails without SMTP_URL. The link or the command appoints the first administrator. Members without a value are null.',
  options: [['--no-migrate', 'exit if the schema is older than this version, instead of migrating it']],
  failure: 'the service cannot listen on PORT, a migration failed, or the service was ended by an error',
  async run(terminal, { options }) {
    await terminal.start({ migrate: options.migrate !== false, asJson: options.json === true })
    return undefined
  },
}
