import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { databaseFolder } from './data-folder.js'
import { connectionTo, type EmbeddedConnection } from './embedded-database.js'
import { SEGMENT_BYTES } from './log-position.js'
import { makeSocketFolder } from './socket-folder.js'
import { startWorker } from './worker-thread.js'

/**
 * Creates the database that first starts copy: created, migrated and closed at build time.
 *
 * Every installation begins as a copy of it, so migrations must not write anything that has to differ between installations:
 * no keys, no generated IDs that others rely on, no time of installation.
 *
 * @param targetDir replaced atomically if it exists
 * @param migrate receives the connection settings for its own pool or client, which it must close
 */
export async function makeTemplate(
  targetDir: string,
  migrate: (connection: EmbeddedConnection) => Promise<void>,
): Promise<void> {
  const target = resolve(targetDir)
  // Next to the target, because a rename cannot cross file systems.
  const temporaryFolder = await mkdtemp(join(dirname(target), '.template-'))
  try {
    const folder = databaseFolder(temporaryFolder)
    await mkdir(folder, { mode: 0o700 })
    await createDatabase(temporaryFolder, folder, async (connection) => {
      await migrate(connection)
      await shrink(connection)
    })
    await removeSpareLog(folder)
    await rm(target, { recursive: true, force: true })
    await rename(folder, target)
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true })
  }
}

/** Creates and fills a database in memory and writes it to the folder, which takes half of the time of files. */
async function createDatabase(
  temporaryFolder: string,
  folder: string,
  fill: (connection: EmbeddedConnection) => Promise<void>,
): Promise<void> {
  const socketFolder = await makeSocketFolder(temporaryFolder)
  try {
    const worker = await startWorker({ folder, socketFolder: socketFolder.path, patience: 5_000, inMemory: true })
    await fill(connectionTo(socketFolder.path)).finally(() => worker.close())
  } finally {
    await socketFolder.remove()
  }
}

/**
 * Halves the size and number of files. `template0` and `template1` are only for CREATE DATABASE, which an embedded database never
 * uses. They could not be vacuumed, which is required to prevent transaction ID wraparound.
 */
async function shrink(connection: EmbeddedConnection): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query("UPDATE pg_database SET datistemplate = false WHERE datname IN ('template0', 'template1')")
    await client.query('DROP DATABASE IF EXISTS template0')
    await client.query('DROP DATABASE IF EXISTS template1')
    await client.query('VACUUM (FREEZE, ANALYZE)')
  } finally {
    await client.end()
  }
}

const SHUT_DOWN = 1

/**
 * Removes the segments of the write-ahead log that a cleanly closed database does not read: all except the one with its
 * last checkpoint, according to `pg_control` (`ControlFileData`: state at 16, `checkPoint` at 32, `redo` at 40).
 *
 * @throws Error, without removing anything, if the database was not closed cleanly or its log is not as expected
 */
async function removeSpareLog(folder: string): Promise<void> {
  const control = await readFile(join(folder, 'global/pg_control'))
  const checkpoint = control.readBigUInt64LE(32)
  const redo = control.readBigUInt64LE(40)
  if (control.readInt32LE(16) !== SHUT_DOWN || checkpoint !== redo)
    throw new Error('The template was not closed cleanly.')

  const perLogId = 2n ** 32n / BigInt(SEGMENT_BYTES)
  const segment = checkpoint / BigInt(SEGMENT_BYTES)
  const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0')
  const needed = `00000001${hex(segment / perLogId)}${hex(segment % perLogId)}`
  const log = join(folder, 'pg_wal')
  const segments = (await readdir(log)).filter((name) => /^[0-9A-F]{24}$/.test(name))
  if (!segments.includes(needed)) throw new Error(`The template's log has no segment ${needed}.`)
  for (const name of segments) if (name !== needed) await rm(join(log, name))
}
