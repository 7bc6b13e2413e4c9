import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { SECOND } from '../clock.js'
import type { Logger } from '../log.js'
import { OperationalError } from '../operational-error.js'
import type { PoolSettings } from './database.js'
import { isDown } from './database-errors.js'

/** Milliseconds of one attempt to connect. */
const CONNECTION_TIMEOUT = 10 * SECOND
const RETRY_MS = 500

/**
 * Connects to the database and waits for a server that is unavailable or still starting. An error that waiting does not resolve, such as
 * a wrong password, is thrown at once.
 *
 * @param settings those of the pool, with the name of the application
 * @param seconds after which no further attempt begins; 0 = a single attempt
 * @throws OperationalError with one line that names the server and the cause, without the credentials of its URL
 */
export async function connectWhenAvailable(
  settings: PoolSettings & { application_name: string },
  seconds: number,
  log: Logger,
): Promise<pg.Client> {
  const deadline = performance.now() + seconds * SECOND
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ ...settings, connectionTimeoutMillis: CONNECTION_TIMEOUT })
    const database = `${client.host}:${client.port}`
    client.on('error', () => {}) // The failed attempt or the next query reports it.
    try {
      await client.connect()
      return client
    } catch (error) {
      void client.end().catch(() => {})
      const cause = describeCause(error)
      if (!isDown(error))
        throw new OperationalError(
          'database_unavailable',
          `The database at ${database} rejected the connection: ${cause}`,
          { cause: error },
        )
      if (attempt === 1 && seconds > 0) log.warn({ database, cause, waitSeconds: seconds }, 'waiting for the database')
      if (performance.now() + RETRY_MS >= deadline) {
        const waited = seconds === 0 ? '' : ` within ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
        throw new OperationalError(
          'database_unavailable',
          `The database at ${database} was not available${waited} (${cause}). Start the server, or correct DATABASE_URL.`,
          { cause: error },
        )
      }
    }
    await delay(RETRY_MS)
  }
}

/** Returns the code of a network error, otherwise the message, in one line. */
function describeCause(error: unknown): string {
  if (error instanceof AggregateError) return describeCause(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  return error instanceof pg.DatabaseError || !code ? error.message.replace(/\s+/g, ' ') : code
}
