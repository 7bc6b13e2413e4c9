import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasAcknowledgedPosition } from '../../platform/db/embedded/acknowledged-position.js'
import { databaseFolder, isDatabase, VERSION_FILE } from '../../platform/db/embedded/data-folder.js'
import { startEmbeddedDatabase } from '../../platform/db/embedded/embedded-database.js'
import { holderOf } from '../../platform/db/embedded/folder-lock.js'
import { inspectEmbedded } from '../../platform/db/inspect-embedded.js'
import { type Context, type Finding, type Found, ok, problem, skipped, warning } from './check.js'
import { assessMigrations, assessVersion } from './server.js'

const MIB = 1_048_576
/** Without it, PostgreSQL does not start. */
const CONTROL_FILE = 'global/pg_control'
const RESTORE = 'Restore the data folder from a backup'

/**
 * Opens the embedded database if no process uses it, as the start of the service does, and closes it again. PostgreSQL completes a
 * recovery and writes a checkpoint; the schema and the data stay as they are, and missing writes are never accepted.
 */
export async function assessEmbedded(context: Context, signal: AbortSignal): Promise<Found[]> {
  const { dataDir } = context.config
  const folder = databaseFolder(dataDir)
  if (!isDatabase(folder)) return [skipped('The first start creates the embedded database')]
  const holder = await holderOf(dataDir)
  if (holder) return [inUse(holder)]
  if (!existsSync(join(folder, CONTROL_FILE)))
    return [problem(`${folder} is incomplete: it has no ${CONTROL_FILE}`, RESTORE)]
  const { uid } = await stat(join(folder, VERSION_FILE))
  if (process.getuid && process.getuid() !== uid)
    return [
      skipped(
        `The embedded database belongs to user ${uid}, and user ${process.getuid()} would leave files that it cannot read`,
        `Run keyward doctor as user ${uid}`,
      ),
    ]
  const hadPosition = hasAcknowledgedPosition(folder)
  try {
    return [...(await open(context, signal)), acknowledgedWrites(hadPosition)]
  } catch (error) {
    const since = await holderOf(dataDir)
    return [since ? inUse(since) : notOpened(folder, (error as Error).message)]
  }
}

/** The finding of a database that did not open within the time limit. */
export const notInTime = (milliseconds: number): Finding =>
  warning(
    `The embedded database did not open within ${milliseconds / 1_000} seconds`,
    'Run keyward doctor with a larger --timeout. A start of the service has no time limit',
  )

const inUse = (holder: string): Finding =>
  skipped(`The embedded database is in use by ${holder}, so the running service has opened it`)

async function open({ config, clock, log }: Context, signal: AbortSignal): Promise<Found[]> {
  const startedAt = performance.now()
  const database = await startEmbeddedDatabase({
    dataDir: config.dataDir,
    fsync: config.embedded.fsync,
    acceptLoss: false,
    log,
    signal,
  })
  try {
    const { version, bytes, pending, isNewer } = await inspectEmbedded(database.connection)
    const openMs = Math.round(performance.now() - startedAt)
    return [
      ok(`Opened the embedded database of ${Math.ceil(bytes / MIB)} MiB in ${openMs} ms`),
      { name: 'version', ...assessVersion({ version }, clock) },
      { name: 'migrations', ...assessMigrations({ pending, isNewer }) },
    ]
  } finally {
    await database.close()
  }
}

/** A database that lacks acknowledged writes does not open. */
function acknowledgedWrites(hadPosition: boolean): Found {
  const name = 'acknowledged writes'
  return hadPosition
    ? { name, ...ok('The write-ahead log contains the last acknowledged write') }
    : { name, ...skipped('The folder had no record of the last acknowledged write; from now on it has one') }
}

function notOpened(folder: string, reason: string): Finding {
  if (reason.includes('lacks acknowledged writes'))
    return problem(reason, 'Restore a backup, or set ACCEPT_LOSS=1 for one start')
  if (/incompatible with server/.test(reason))
    return problem(
      `${folder} is of another version of PostgreSQL: ${reason}`,
      'Start the version of Keyward that wrote it, or restore a backup',
    )
  return problem(reason, `Correct the cause. If the files are damaged: ${RESTORE.toLowerCase()}`)
}
