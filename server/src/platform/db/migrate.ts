import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type pg from 'pg'
import type { Logger } from '../log.js'
import { OperationalError } from '../operational-error.js'
import { connectWhenAvailable } from './connect-when-available.js'
import type { PoolSettings } from './database.js'

/** Next to `src` and `dist`. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url))

/** The advisory lock of migrations: an arbitrary number, unique in this service. */
const MIGRATION_LOCK = 7_239_001

interface Migration {
  /** The name of its file without the extension. */
  tag: string
  /** Its recorded time in milliseconds. */
  when: number
}

/** Returns the migrations of this build, oldest first. */
async function journal(): Promise<Migration[]> {
  return JSON.parse(await readFile(`${MIGRATIONS_FOLDER}/meta/_journal.json`, 'utf8')).entries
}

const newestBundled = async (): Promise<number> => Math.max(...(await journal()).map(({ when }) => when))

/** Returns the number of migrations of this build. */
export const bundledMigrations = async (): Promise<number> => (await journal()).length

/**
 * Migrates the schema to this build, under an advisory lock, so that one of several nodes migrates and the others wait.
 * All pending migrations are one transaction: a kill in the middle leaves the schema unchanged. A newer schema of a later release is
 * accepted, because migrations only add.
 *
 * @param waitSeconds the most to wait for an unavailable server
 * @param onlyVerify whether an older schema is an error instead
 * @returns the number of applied migrations
 * @throws OperationalError if the server is unavailable, the schema is older with `onlyVerify`, or a migration fails
 */
export async function migrateDatabase(
  settings: PoolSettings,
  log: Logger,
  { waitSeconds = 0, onlyVerify = false } = {},
): Promise<number> {
  const client = await connectWhenAvailable({ ...settings, application_name: 'keyward-migrate' }, waitSeconds, log)
  try {
    if (await hasNewest(client)) return 0
    if (onlyVerify)
      throw new OperationalError(
        'migrations_pending',
        'The schema of the database is older than this version: run keyward migrate apply',
      )
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    const before = await appliedMigrations(client)
    await migrate(drizzle({ client }), { migrationsFolder: MIGRATIONS_FOLDER }).catch(failed)
    const after = await appliedMigrations(client)
    if (after > before) log.info({ applied: after - before }, 'the database schema was migrated')
    await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK])
    return after - before
  } finally {
    await client.end()
  }
}

/** @throws OperationalError with the error of PostgreSQL, without the statement that the query builder adds */
function failed(error: unknown): never {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const message = cause instanceof Error ? cause.message : String(cause)
  throw new OperationalError('migration_failed', `A migration failed, and none was applied: ${message}`, {
    cause: error,
  })
}

/** Returns the error with which a single attempt to connect fails; undefined if it succeeds. */
export async function connectionProblem(settings: PoolSettings, log: Logger): Promise<Error | undefined> {
  try {
    const client = await connectWhenAvailable({ ...settings, application_name: 'keyward-command' }, 0, log)
    await client.end()
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Returns the migrations of this build that the database lacks, oldest first, with their statements. */
export async function pendingMigrations(client: pg.Client | pg.Pool): Promise<{ name: string; sql: string }[]> {
  const last = (await hasTable(client)) ? await newestApplied(client) : 0
  const pending = (await journal()).filter(({ when }) => when > last)
  return Promise.all(
    pending.map(async ({ tag }) => ({ name: tag, sql: await readFile(`${MIGRATIONS_FOLDER}/${tag}.sql`, 'utf8') })),
  )
}

async function hasTable(client: pg.Client | pg.Pool): Promise<boolean> {
  const table = await client.query("SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS present")
  return table.rows[0]?.present
}

/** Returns whether the newest migration of this build, or a later one, is recorded: the migrator uses the same rule. */
async function hasNewest(client: pg.Client): Promise<boolean> {
  if (!(await hasTable(client))) return false
  return (await newestApplied(client)) >= (await newestBundled())
}

/** Returns whether a later release has migrated the schema. This build can use it, because migrations only add. */
export const isNewerSchema = async (client: pg.Client): Promise<boolean> =>
  (await hasTable(client)) && (await newestApplied(client)) > (await newestBundled())

async function newestApplied(client: pg.Client | pg.Pool): Promise<number> {
  const newest = await client.query('SELECT max(created_at) AS newest FROM drizzle.__drizzle_migrations')
  return Number(newest.rows[0]?.newest ?? 0)
}

async function appliedMigrations(client: pg.Client): Promise<number> {
  if (!(await hasTable(client))) return 0
  return Number((await client.query('SELECT count(*) AS n FROM drizzle.__drizzle_migrations')).rows[0]?.n)
}

/** Returns whether every migration of this build is applied. */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query('SELECT count(*)::int AS n FROM drizzle.__drizzle_migrations')
  return Number(rows[0]?.n) >= (await bundledMigrations())
}
