import { inspectServer, type ServerFacts } from '../../platform/db/inspect-server.js'
import { causeOf, ok, type Part, problem } from './check.js'
import { assessClock } from './clock.js'
import { assessConnections } from './connections.js'
import { assessEmbedded, notInTime } from './embedded-database.js'
import { assessServer } from './server.js'

export const databasePart: Part = {
  area: 'database',
  name: 'connection',
  needs: ['DATABASE_URL'],
  timedOut: ({ config, timeLimit }) => (config.databaseUrl ? undefined : notInTime(timeLimit)),
  async run(context, signal) {
    const { config, clock, log } = context
    if (!config.databaseUrl) return assessEmbedded(context, signal)
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
