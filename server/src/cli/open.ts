import { createDeps, type Deps } from '../deps.js'
import { type Config, readConfig } from '../platform/config/config.js'
import { encryptionKeyFromFile } from '../platform/crypto/encryption-key-file.js'
import { type Database, openDatabase, type PoolSettings } from '../platform/db/database.js'
import { databaseFolder, isDatabase } from '../platform/db/embedded/data-folder.js'
import { connectionProblem, pendingMigrations } from '../platform/db/migrate.js'
import { createLogger, type Logger } from '../platform/log.js'
import { openSource } from '../service.js'
import { CommandError, EXIT } from './command.js'
import type { Terminal } from './terminal.js'
import { counted } from './text.js'

/** Returns the logger of a command: warnings and errors, on standard error. */
export const commandLog = (terminal: Pick<Terminal, 'printError'>): Logger =>
  createLogger({ logLevel: 'warn' }, { write: (line) => terminal.printError(line) })

/** The configured database server, or the embedded database, which no other process can use meanwhile. */
export interface OpenSource {
  config: Config
  log: Logger
  settings: PoolSettings
}

/**
 * Runs `act` with the database of the settings, before a connection is opened.
 * @throws CommandError with exit code 3 if there is no database, another process uses it, or it does not respond
 */
export async function withSource<T>(terminal: Terminal, act: (opened: OpenSource) => Promise<T>): Promise<T> {
  const config = readConfig(terminal.env)
  const folder = databaseFolder(config.dataDir)
  if (!config.databaseUrl && !isDatabase(folder))
    throw new CommandError(
      'no_database',
      `There is no database in ${folder}. The first start of the service creates it; DATA_DIR and DATABASE_URL select another.`,
      EXIT.unavailable,
    )
  const log = commandLog(terminal)
  const source = await openSource(config, log).catch((error: unknown) => {
    throw unavailable(error)
  })
  try {
    const problem = await connectionProblem(source.settings, log)
    if (problem) throw unavailable(problem)
    return await act({ config, log, settings: source.settings })
  } finally {
    await source.close()
  }
}

const unavailable = (error: unknown): CommandError =>
  new CommandError('database_unavailable', error instanceof Error ? error.message : String(error), EXIT.unavailable)

/** An open database, with the settings of the service. */
export interface OpenDatabase {
  config: Config
  log: Logger
  db: Database
}

/**
 * Runs `act` with the open database.
 * @param mayBePending whether the schema may be older than this build
 * @throws CommandError with exit code 3, like `withSource`, and if migrations are pending
 */
export async function withDatabase<T>(
  terminal: Terminal,
  act: (opened: OpenDatabase) => Promise<T>,
  { mayBePending = false } = {},
): Promise<T> {
  if (terminal.database)
    return act({ config: readConfig(terminal.env), log: commandLog(terminal), db: terminal.database })
  return withSource(terminal, async ({ config, log, settings }) => {
    const db = openDatabase(settings, log)
    try {
      const pending = mayBePending ? [] : await pendingMigrations(db.pool)
      if (pending.length > 0)
        throw new CommandError(
          'migrations_pending',
          `The schema of the database lacks ${counted(pending.length, 'migration')} of this version. Run keyward migrate apply, or start the service.`,
          EXIT.unavailable,
        )
      return await act({ config, log, db })
    } finally {
      await db.close()
    }
  })
}

/**
 * Returns the encryption keys of the settings, or of the file in the data folder.
 * @throws CommandError with exit code 3 if the file is missing or damaged
 */
export async function encryptionKeysOf({ encryptionKeys, dataDir }: Config): Promise<Buffer[]> {
  try {
    return encryptionKeys ?? (await encryptionKeyFromFile(dataDir, databaseFolder(dataDir)))
  } catch (error) {
    throw new CommandError('encryption_key', error instanceof Error ? error.message : String(error), EXIT.unavailable)
  }
}

/**
 * Runs `act` with what the modules of the service depend on.
 * @param keysOf returns the encryption keys; by default those of the settings
 * @throws CommandError like `withDatabase` and `encryptionKeysOf`
 */
export const withDeps = <T>(
  terminal: Terminal,
  act: (deps: Deps) => Promise<T>,
  keysOf: (opened: OpenDatabase) => Promise<Buffer[]> = ({ config }) => encryptionKeysOf(config),
): Promise<T> =>
  withDatabase(terminal, async (opened) => {
    const { config, log, db } = opened
    const encryptionKeys = await keysOf(opened)
    const deps = await createDeps({ config: { ...config, encryptionKeys }, db, clock: terminal.clock, log })
    try {
      return await act(deps)
    } finally {
      deps.closeConnections()
    }
  })
