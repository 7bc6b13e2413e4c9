import { databaseFolder, isDatabase } from '../../platform/db/embedded/data-folder.js'
import { holderOf } from '../../platform/db/embedded/folder-lock.js'
import { inspectServer, type ServerFacts } from '../../platform/db/inspect-server.js'
import { type Context, causeOf, type Finding, ok, type Part, problem, skipped } from './check.js'
import { assessClock } from './clock.js'
import { assessConnections } from './connections.js'
import { assessServer } from './server.js'

export const databasePart: Part = {
  area: 'database',
  name: 'connection',
  needs: ['DATABASE_URL'],
  async run(context, signal) {
    const { config, clock, log } = context
    if (!config.databaseUrl) return [await embedded(context)]
    let facts: ServerFacts
    try {
      facts = await inspectServer(config.databaseUrl, { clock, log, signal })
    } catch (error) {
      return [
        problem(
          (error as Error).message ?? causeOf(error),
          'Verify the host, port, user, password and database of DATABASE_URL, and that no firewall blocks the connection',
        ),
      ]
    }
    return [
      ok(`Connected to the database ${facts.database} as ${facts.role} in ${facts.connectMs} ms`),
      ...assessServer(facts, clock),
      assessConnections(facts, context),
      assessClock('database', facts.clockAheadMs, 'the database server'),
    ]
  },
}

/** The embedded database is not opened, because that changes its files. */
async function embedded({ config }: Context): Promise<Finding> {
  const { dataDir } = config
  if (!isDatabase(databaseFolder(dataDir))) return skipped('The first start creates the embedded database')
  const holder = await holderOf(dataDir)
  return skipped(
    holder
      ? `The embedded database is in use by ${holder}, so the running service has opened it`
      : 'The embedded database is opened and migrated by the start of the service',
  )
}
