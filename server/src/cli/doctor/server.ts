import type { Clock } from '../../platform/clock.js'
import type { ServerFacts } from '../../platform/db/inspect-server.js'
import { counted } from '../text.js'
import { type Finding, type Found, ok, problem, skipped, warning } from './check.js'

/** The end of support of the major versions (https://www.postgresql.org/support/versioning/). */
const END_OF_SUPPORT: Record<number, string> = {
  14: '2026-11-12',
  15: '2027-11-11',
  16: '2028-11-09',
  17: '2029-11-08',
  18: '2030-11-14',
}

/** Returns the findings about the state of a PostgreSQL server. */
export const assessServer = (facts: ServerFacts, clock: Clock): Found[] => [
  { name: 'version', ...assessVersion(facts, clock) },
  { name: 'writable', ...assessWritable(facts) },
  { name: 'rights', ...assessRights(facts) },
  { name: 'durability', ...assessDurability(facts) },
  { name: 'encoding', ...assessEncoding(facts) },
  { name: 'migrations', ...assessMigrations(facts) },
  { name: 'pooler', ...assessPooler(facts) },
]

export function assessVersion({ version }: Pick<ServerFacts, 'version'>, clock: Clock): Finding {
  const major = Math.floor(version / 10_000)
  const name = `PostgreSQL ${major}.${version % 10_000}`
  const oldest = Math.min(...Object.keys(END_OF_SUPPORT).map(Number))
  const end = END_OF_SUPPORT[major]
  if (major < oldest || (end && Date.parse(end) < clock.ms()))
    return warning(`${name} gets no security fixes${end ? ` since ${end}` : ''}`, 'Update to a supported major version')
  return ok(name)
}

function assessWritable({ isStandby, isReadOnly }: ServerFacts): Finding {
  if (isStandby)
    return problem('The server is a standby, which accepts no writes', 'Set DATABASE_URL to the primary server')
  if (isReadOnly)
    return problem(
      'Transactions are read-only (default_transaction_read_only)',
      'Set default_transaction_read_only = off for the role and the database',
    )
  return ok('The server is a primary and accepts writes')
}

function assessRights({ role, database, ownsDatabase, canCreate }: ServerFacts): Finding {
  const solution = `Run ALTER DATABASE "${database}" OWNER TO "${role}"`
  if (!canCreate)
    return problem(`${role} cannot create schemas in ${database} and tables in its schema public`, solution)
  if (!ownsDatabase) return warning(`${role} does not own the database ${database}`, solution)
  return ok(`${role} owns the database ${database}`)
}

function assessDurability({ fsync, synchronousCommit }: ServerFacts): Finding {
  if (!fsync)
    return problem(
      'fsync is off: a power failure can lose acknowledged writes and damage the database',
      'Set fsync = on in postgresql.conf',
    )
  if (synchronousCommit === 'off')
    return warning(
      'synchronous_commit is off: acknowledged writes can be lost if the server crashes',
      'Set synchronous_commit = on for the server, the database and the role',
    )
  return ok(`fsync is on, synchronous_commit is ${synchronousCommit}`)
}

function assessEncoding({ encoding, database }: ServerFacts): Finding {
  if (encoding === 'UTF8') return ok('UTF8')
  return problem(
    `The encoding of ${database} is ${encoding}, which cannot store all characters`,
    "Create the database with ENCODING 'UTF8' TEMPLATE template0, and move the data",
  )
}

export function assessMigrations({ pending, isNewer }: Pick<ServerFacts, 'pending' | 'isNewer'>): Finding {
  if (pending instanceof Error)
    return problem(`The migrations cannot be read: ${pending.message}`, 'Let the role of DATABASE_URL own all schemas')
  if (isNewer) return ok('The schema is of a later version of Keyward, which this version can use')
  if (pending.length === 0) return ok('The schema is up to date')
  return warning(
    `${counted(pending.length, 'migration')} pending`,
    'Run keyward migrate apply, or start the service, which migrates the schema',
  )
}

function assessPooler({ sharesSessions }: ServerFacts): Finding {
  if (sharesSessions === undefined)
    return skipped('The server accepted only one connection', 'Raise the connection limit of the role')
  if (sharesSessions)
    return problem(
      'A pooler in transaction mode shares sessions: prepared statements and advisory locks do not work',
      'Connect directly, or set the pooler to session mode',
    )
  return ok('Each connection has its own session')
}
