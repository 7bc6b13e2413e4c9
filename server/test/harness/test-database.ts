import { createHash, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { PoolSettings } from '../../src/platform/db/database.js'
import { openInProcessDatabase } from './in-process-database.js'

/** The PostgreSQL server of the tests; unset = the embedded database. */
export const SERVER_URL = process.env.DATABASE_URL

/** The database that the global setup creates once per run. Every database of the run is a copy of it. Workers inherit its name. */
process.env.KEYWARD_TEST_TEMPLATE ??= `keyward_test_template_${process.pid}`
export const TEMPLATE_DATABASE = process.env.KEYWARD_TEST_TEMPLATE

/** The template of the embedded database, created by the build. */
export const EMBEDDED_TEMPLATE = fileURLToPath(new URL('../../dist/database-template', import.meta.url))

const withDatabase = (name: string): string => {
  const url = new URL(SERVER_URL as string)
  url.pathname = `/${name}`
  return url.href
}

export async function onServer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase('postgres') })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

export const templateUrl = (): string => withDatabase(TEMPLATE_DATABASE)

/** Creates a database on the server of DATABASE_URL with the complete schema and without rows. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `keyward_test_${randomBytes(6).toString('hex')}`
  // The copy waits while another worker copies.
  for (let attempt = 1; ; attempt++) {
    try {
      await onServer(
        `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE}`,
        // The setting matters only after a server crash, and these databases exist only during the run.
        `ALTER DATABASE ${name} SET synchronous_commit = off`,
      )
      break
    } catch (error) {
      if (attempt === 50 || (error as { code?: string }).code !== '55006') throw error
      await new Promise((resume) => setTimeout(resume, 50))
    }
  }
  return { url: withDatabase(name), drop: () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** A database that services use one after another. Each finds the schema without rows. */
export interface PooledDatabase {
  settings: PoolSettings
  /** The URL of a database on a server; undefined for the embedded one. */
  url: string | undefined
  /** Resolves if the database stops unexpectedly. */
  crashed: Promise<Error>
  /** Empties the database for the next service. Closes it if it cannot be emptied. */
  release(): Promise<void>
}

interface Engine {
  settings: PooledDatabase['settings']
  url: string | undefined
  crashed: Promise<Error>
  end(): Promise<void>
  /** The hash of the original schema. A database with a changed schema is not reused. */
  schema?: string
  /** The state of the catalogs at the last schema comparison. */
  catalogs?: string
}

const idle: Engine[] = []
/** The unused databases: more than one only after a file with several concurrent services. */
const MAX_IDLE = 2

let preparing: Promise<Engine> | undefined

/** Starts a database in the background unless one is idle, so that it starts while a test file loads. */
export function prepareDatabase(): void {
  if (idle.length > 0 || preparing) return
  preparing = startEngine()
  // The test that takes the database handles the failure.
  preparing.catch(() => {})
}

/** Takes an idle database, or starts one. Starting takes a second of processor time, emptying a few hundredths. */
export async function takeDatabase(): Promise<PooledDatabase> {
  const prepared = idle.length === 0 ? preparing : undefined
  if (prepared) preparing = undefined
  const engine = idle.pop() ?? (await (prepared ?? startEngine()))
  const { settings, url, crashed } = engine
  return {
    settings,
    url,
    crashed,
    async release() {
      if (idle.length < MAX_IDLE && (await empty(engine))) idle.push(engine)
      else await engine.end()
    },
  }
}

async function startEngine(): Promise<Engine> {
  const engine = SERVER_URL ? await startOnServer() : await startEmbedded()
  await asClient(engine, async (client) => {
    engine.schema = await schemaHash(client)
    engine.catalogs = await catalogsOf(client)
  })
  return engine
}

async function startOnServer(): Promise<Engine> {
  const { url, drop } = await createTestDatabase()
  return { settings: { connectionString: url }, url, crashed: new Promise(() => {}), end: drop }
}

async function startEmbedded(): Promise<Engine> {
  const { close: end, ...database } = await openInProcessDatabase(EMBEDDED_TEMPLATE)
  return { ...database, url: undefined, end }
}

async function asClient<T>({ settings }: Engine, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(settings)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/**
 * Removes all rows without triggers and foreign key checks, and frees the space.
 * @returns false if the database cannot be reused: a test changed its schema, or it does not respond
 */
async function empty(engine: Engine): Promise<boolean> {
  try {
    return await asClient(engine, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
      )
      await client.query('SET session_replication_role = replica; SET statement_timeout = 30000')
      // A connection of a killed node may still hold locks.
      const deleted = (await client.query(
        rows.map(({ name }) => `DELETE FROM ${name}`).join(';'),
      )) as unknown as pg.QueryResult[]
      const written = rows.filter((_, index) => deleted[index]?.rowCount).map(({ name }) => name)
      if (written.length > 0) await client.query(`VACUUM (ANALYZE) ${written.join(', ')}`)
      return await hasSameSchema(engine, client)
    })
  } catch {
    return false
  }
}

/** Reading the whole schema takes ten times as long as checking for writes to the catalogs. */
async function hasSameSchema(engine: Engine, client: pg.Client): Promise<boolean> {
  const catalogs = await catalogsOf(client)
  if (catalogs === engine.catalogs) return true
  if ((await schemaHash(client)) !== engine.schema) return false
  engine.catalogs = catalogs
  return true
}

/** Returns the row counts and transaction sums of the schema catalogs, which change with every schema change. */
async function catalogsOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query(`
    WITH relations AS (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
    SELECT 'class', count(*), sum(xmin::text::bigint) FROM pg_class WHERE oid IN (SELECT oid FROM relations)
    UNION ALL SELECT 'attribute', count(*), sum(xmin::text::bigint) FROM pg_attribute WHERE attrelid IN (SELECT oid FROM relations)
    UNION ALL SELECT 'default', count(*), sum(xmin::text::bigint) FROM pg_attrdef
    UNION ALL SELECT 'index', count(*), sum(xmin::text::bigint) FROM pg_index WHERE indrelid IN (SELECT oid FROM relations)
    UNION ALL SELECT 'constraint', count(*), sum(xmin::text::bigint) FROM pg_constraint
    UNION ALL SELECT 'trigger', count(*), sum(xmin::text::bigint) FROM pg_trigger
    UNION ALL SELECT 'function', count(*), sum(xmin::text::bigint) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT 'setting', count(*), sum(xmin::text::bigint) FROM pg_db_role_setting`)
  return JSON.stringify(rows)
}

/** Replaces the database by another one. It is not reused afterwards, unless it is migrated to the same schema. */
export async function replaceDatabase(settings: PoolSettings, statements: string): Promise<void> {
  const client = new pg.Client(settings)
  await client.connect()
  try {
    await client.query('DROP SCHEMA public CASCADE; DROP SCHEMA IF EXISTS drizzle CASCADE')
    await client.query(`CREATE SCHEMA public; ${statements}`)
  } finally {
    await client.end()
  }
}

/** Returns a hash of the complete schema. */
const schemaHash = async (client: pg.Client): Promise<string> =>
  createHash('sha256')
    .update((await schemaOf(client)).join('\n'))
    .digest('hex')

/** Returns the definitions of the complete schema. */
export async function schemaOf(client: pg.Client | pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ part: string }>(`
    SELECT 'c ' || table_name || column_name || data_type || is_nullable || coalesce(column_default, '') AS part
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT 'i ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT 'k ' || conrelid::regclass::text || conname || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT 't ' || pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'f ' || pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
    UNION ALL SELECT 's ' || setdatabase::text || setrole::text || setconfig::text FROM pg_db_role_setting
      WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    ORDER BY 1`)
  return rows.map(({ part }) => part)
}
