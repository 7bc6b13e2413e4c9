import { migrateDatabase, pendingMigrations } from '../../platform/db/migrate.js'
import type { CommandGroup } from '../command.js'
import { withDatabase, withSource } from '../open.js'
import type { Terminal } from '../terminal.js'
import { counted } from '../text.js'

const readPending = (terminal: Terminal) =>
  withDatabase(terminal, ({ db }) => pendingMigrations(db.pool), { mayBePending: true })

const UP_TO_DATE = 'The schema is up to date.\n'

/** The schema of the database. The start of the service migrates it too. */
export const migrateCommands: CommandGroup = {
  name: 'migrate',
  summary: 'Show and apply changes of the database schema',
  commands: [
    {
      name: 'status',
      summary: 'List the pending migrations',
      failure: 'migrations are pending',
      async run(terminal) {
        const pending = (await readPending(terminal)).map(({ name }) => name)
        const text =
          pending.length === 0
            ? UP_TO_DATE
            : `${counted(pending.length, 'migration')} pending:\n${pending.map((name) => `  ${name}\n`).join('')}`
        return { data: { pending }, text, failed: pending.length > 0 }
      },
    },
    {
      name: 'plan',
      summary: 'Print the SQL statements of the pending migrations',
      description:
        'Changes nothing. Migrations remove nothing that the previous version needs, so its nodes keep working.',
      failure: 'the statements cannot be read',
      async run(terminal) {
        const pending = await readPending(terminal)
        const text =
          pending.length === 0
            ? UP_TO_DATE
            : pending.map(({ name, sql }) => `-- ${name}\n${sql.trimEnd()}\n`).join('\n')
        return { data: { pending }, text }
      },
    },
    {
      name: 'apply',
      summary: 'Apply the pending migrations in one transaction',
      description: 'One of several processes migrates, and the others wait for it.',
      failure: 'a migration failed, and none was applied',
      async run(terminal) {
        const applied = await withSource(terminal, ({ settings, log }) => migrateDatabase(settings, log))
        const text = applied === 0 ? UP_TO_DATE : `Applied ${counted(applied, 'migration')}.\n`
        return { data: { applied }, text }
      },
    },
  ],
}
