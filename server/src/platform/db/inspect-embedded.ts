import pg from 'pg'
import type { EmbeddedConnection } from './embedded/embedded-database.js'
import { isNewerSchema, pendingMigrations } from './migrate.js'

export interface EmbeddedFacts {
  /** As in `server_version_num`: 170005 is 17.5. */
  version: number
  /** The size of the database without its log. */
  bytes: number
  /** The names of the migrations of this build that the database lacks. */
  pending: string[]
  /** Whether a later release has migrated the schema. */
  isNewer: boolean
}

/** Connects to the embedded database and returns its state. Changes nothing. */
export async function inspectEmbedded(connection: EmbeddedConnection): Promise<EmbeddedFacts> {
  const client = new pg.Client({ ...connection, application_name: 'keyward-doctor' })
  // The next query reports it.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<Pick<EmbeddedFacts, 'version' | 'bytes'>>(
      `SELECT current_setting('server_version_num')::int AS version, pg_database_size(current_database())::float8 AS bytes`,
    )
    const [state] = rows
    if (!state) throw new Error('The embedded database returned no state')
    const pending = (await pendingMigrations(client)).map(({ name }) => name)
    return { ...state, pending, isNewer: await isNewerSchema(client) }
  } finally {
    await client.end()
  }
}
