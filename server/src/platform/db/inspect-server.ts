import { Socket } from 'node:net'
import type pg from 'pg'
import type { Clock } from '../clock.js'
import type { Logger } from '../log.js'
import { connectWhenAvailable } from './connect-when-available.js'
import { isNewerSchema, pendingMigrations } from './migrate.js'

interface ServerState {
  /** As in `server_version_num`: 150020 is 15.20. */
  version: number
  role: string
  database: string
  isStandby: boolean
  isReadOnly: boolean
  ownsDatabase: boolean
  /** The role can create schemas in the database, and tables in the schema `public`. */
  canCreate: boolean
  encoding: string
  fsync: boolean
  synchronousCommit: string
  maxConnections: number
  /** Connections that only superusers and privileged roles can use. */
  reserved: number
  /** The limits of the role and of the database; -1 = none. */
  roleLimit: number
  databaseLimit: number
  /** Connections except those of Keyward to this database. */
  usedByOthers: number
}

export interface ServerFacts extends ServerState {
  /** Milliseconds to connect. */
  connectMs: number
  /** Milliseconds by which the clock of the server is ahead of that of this machine; half of the round trip is subtracted. */
  clockAheadMs: number
  /** The names of the migrations of this build that the database lacks; an error if they cannot be read. */
  pending: string[] | Error
  /** Whether a later release has migrated the schema. */
  isNewer: boolean
  /**
   * Whether a pooler lets several connections share a session, as in transaction mode; undefined if there was no second connection.
   * A pooler with other clients at the same time can remain undetected.
   */
  sharesSessions: boolean | undefined
}

const STATE = `
  SELECT current_setting('server_version_num')::int AS version, current_user AS role, current_database() AS database,
    pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only')::bool AS "isReadOnly",
    pg_has_role(datdba, 'USAGE') AS "ownsDatabase",
    has_database_privilege(current_database(), 'CREATE')
      AND coalesce(has_schema_privilege(to_regnamespace('public'), 'CREATE'), false) AS "canCreate",
    pg_encoding_to_char(encoding) AS encoding,
    current_setting('fsync')::bool AS fsync, current_setting('synchronous_commit') AS "synchronousCommit",
    current_setting('max_connections')::int AS "maxConnections",
    current_setting('superuser_reserved_connections')::int
      + coalesce(current_setting('reserved_connections', true)::int, 0) AS reserved,
    (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS "roleLimit", datconnlimit AS "databaseLimit",
    (SELECT count(*)::int FROM pg_stat_activity
      WHERE usesysid IS NOT NULL AND datid IS NOT NULL AND coalesce(backend_type, 'client backend') = 'client backend'
      AND NOT (datname = current_database() AND application_name LIKE 'keyward%')) AS "usedByOthers"
  FROM pg_database WHERE datname = current_database()`

/**
 * Connects to a PostgreSQL server and returns what the service needs of it. Changes nothing.
 * @param signal closes the connections
 * @throws Error with one line that names the server and the cause, without the credentials of its URL
 */
export async function inspectServer(
  connectionString: string,
  { clock, log, signal }: { clock: Clock; log: Logger; signal: AbortSignal },
): Promise<ServerFacts> {
  const startedAt = performance.now()
  const connect = () => openConnection(connectionString, log, signal)
  const client = await connect()
  const connectMs = Math.round(performance.now() - startedAt)
  const clockAheadMs = await readClock(client, clock)
  const { rows } = await client.query<ServerState>(STATE)
  const [state] = rows
  if (!state) throw new Error('The server returned no state')
  const pending = await pendingMigrations(client).then(
    (migrations) => migrations.map(({ name }) => name),
    (error: Error) => error,
  )
  const isNewer = await isNewerSchema(client).catch(() => false)
  const second = await connect().catch(() => undefined)
  const sharesSessions = second && (await haveOneSession(client, second))
  for (const open of [client, second]) void open?.end().catch(() => {})
  return { ...state, connectMs, clockAheadMs, pending, isNewer, sharesSessions }
}

function openConnection(connectionString: string, log: Logger, signal: AbortSignal): Promise<pg.Client> {
  const socket = new Socket()
  signal.addEventListener('abort', () => socket.destroy(), { once: true })
  const settings = { connectionString, stream: () => socket, application_name: 'keyward-doctor' }
  return connectWhenAvailable(settings, 0, log)
}

async function readClock(client: pg.Client, clock: Clock): Promise<number> {
  const sentAt = clock.ms()
  const { rows } = await client.query<{ now: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
  )
  return (rows[0]?.now ?? Number.NaN) - (sentAt + clock.ms()) / 2
}

/** Each open connection has its own server process, unless a pooler assigns processes per transaction. */
async function haveOneSession(first: pg.Client, second: pg.Client): Promise<boolean> {
  const processes: number[] = []
  for (const client of [first, second, first, second])
    processes.push((await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0)
  const [one, other, oneAgain, otherAgain] = processes
  return one === other || one !== oneAgain || other !== otherAgain
}
