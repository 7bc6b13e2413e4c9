import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { App, AppParts } from './app.js'
import type { Clock } from './platform/clock.js'
import type { Config } from './platform/config/config.js'
import { encryptionKeyFromFile } from './platform/crypto/encryption-key-file.js'
import { type Database, openDatabase, type PoolSettings } from './platform/db/database.js'
import { operationalIfDown } from './platform/db/database-errors.js'
import { databaseFolder, isDatabase } from './platform/db/embedded/data-folder.js'
import { startEmbeddedDatabase } from './platform/db/embedded/embedded-database.js'
import { migrateDatabase } from './platform/db/migrate.js'
import type { Logger } from './platform/log.js'
import { asOperational, OperationalError } from './platform/operational-error.js'

/** Created by the build: a database with the schema, which the first start copies. */
const TEMPLATE_FOLDER = fileURLToPath(new URL('../dist/database-template', import.meta.url))

export interface Service extends App {
  /** @param port overrides the configured one (0 = a free one) @returns the port in use */
  listen(port?: number): Promise<number>
  /** Stops accepting requests, completes those in flight and running jobs, and closes the database. */
  close(): Promise<void>
  /** Resolves if the embedded database crashes or its files are removed. */
  crashed: Promise<Error>
  database: Database
}

interface ServiceParts {
  config: Config
  log: Logger
  clock: Clock
  createApp: (parts: AppParts) => Promise<App>
  /** Opens the database of a service without DATABASE_URL. Tests reuse one for successive services. */
  openEmbedded?: (config: Config, log: Logger) => Promise<DatabaseSource>
  /** Whether to migrate an older schema; otherwise it is an error. Default: true. */
  migrate?: boolean
}

/**
 * Creates a service that is ready to listen: opens and migrates the database and assembles the app.
 * @throws OperationalError or ConfigError for what an operator can correct
 */
export async function openService({
  config,
  log,
  clock,
  createApp,
  openEmbedded = embedded,
  migrate = true,
}: ServiceParts): Promise<Service> {
  const folder = databaseFolder(config.dataDir)
  const encryptionKeys =
    config.encryptionKeys ??
    (await encryptionKeyFromFile(config.dataDir, isDatabase(folder) ? folder : undefined).catch(
      asOperational('encryption_key'),
    ))
  const source = await openSource(config, log, openEmbedded)
  try {
    await migrateDatabase(source.settings, log, {
      waitSeconds: config.databaseUrl ? config.databaseWaitSeconds : 0,
      ...(!migrate && { onlyVerify: true }),
    })
    const db = openDatabase(source.settings, log)
    const app = await createApp({ config: { ...config, encryptionKeys }, db, clock, log }).catch(async (error) => {
      await db.close()
      throw operationalIfDown(error)
    })
    return {
      ...app,
      crashed: source.crashed,
      database: db,
      async listen(port = config.port) {
        await app.http.listen({ port, host: config.host }).catch((error: NodeJS.ErrnoException) => {
          throw new OperationalError('port_unavailable', listenProblem(error, config.host, port), { cause: error })
        })
        await app.jobs.start()
        const address = app.http.server.address()
        return typeof address === 'object' && address ? address.port : port
      },
      async close() {
        await app.http.close()
        await app.jobs.stop()
        app.closeConnections()
        await db.close()
        await source.close()
      },
    }
  } catch (error) {
    await source.close()
    throw error
  }
}

const listenProblem = ({ code, message }: NodeJS.ErrnoException, host: string, port: number): string =>
  code === 'EADDRINUSE'
    ? `The port ${port} is in use. End the program that uses it, or set PORT to another port.`
    : `The service cannot listen on ${host}, port ${port} (${code ?? message}). Set HOST or PORT to another value.`

export interface DatabaseSource {
  settings: PoolSettings
  crashed: Promise<Error>
  close(): Promise<void>
}

/**
 * Opens the embedded database, or selects the server of DATABASE_URL, to which it does not connect yet.
 * @throws OperationalError if the embedded database cannot be used
 */
export const openSource = async (
  config: Config,
  log: Logger,
  openEmbedded: typeof embedded = embedded,
): Promise<DatabaseSource> =>
  config.databaseUrl ? postgres(config.databaseUrl, config.databasePool) : openEmbedded(config, log)

const postgres = (connectionString: string, max: number): DatabaseSource => ({
  settings: { connectionString, max },
  crashed: new Promise(() => {}),
  close: async () => {},
})

async function embedded({ dataDir, embedded }: Config, log: Logger): Promise<DatabaseSource> {
  const templateDir = existsSync(TEMPLATE_FOLDER) ? TEMPLATE_FOLDER : undefined
  const { connection, crashed, close } = await startEmbeddedDatabase({
    dataDir,
    ...(templateDir && { templateDir }),
    ...embedded,
    log,
  }).catch(asOperational('database_unavailable'))
  return { settings: { ...connection, max: 1 }, crashed, close }
}
