import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type MemoryFS, PGlite, type Results } from '@electric-sql/pglite'
import type { NodeFS } from '@electric-sql/pglite/nodefs'
import { SEGMENT_BYTES } from './log-position.js'
import type { WorkerInput } from './worker-messages.js'

/** The status in ReadyForQuery (PostgreSQL protocol, "Message Formats"): idle, in a transaction, in a failed transaction. */
export type TransactionStatus = 'I' | 'T' | 'E'

export interface Engine {
  /**
   * Sends complete protocol messages to PostgreSQL and passes copies of the chunks of its response to `onBytes`.
   * Returns the final status; undefined if the response does not end with ReadyForQuery.
   */
  exchange(messages: Uint8Array, onBytes?: (bytes: Buffer) => void): Promise<TransactionStatus | undefined>
  /** Runs one statement over the simple protocol, for maintenance between two requests of an idle session. */
  run<Row>(sql: string): Promise<Row[]>
  /** Writes a checkpoint and closes the files, so that the next start requires no recovery. */
  close(): Promise<void>
}

const INITDB_ARGUMENTS = [`--wal-segsize=${SEGMENT_BYTES / 2 ** 20}`]

/**
 * For one session and small data: the defaults for 100 connections and 128 MB of buffers would waste 120 MB of memory.
 * Durability is not weakened: `synchronous_commit` and `full_page_writes` remain on, and an acknowledged write has reached the
 * operating system. PGlite disables `fsync`, so that a power failure is only covered with `SYNCED`.
 */
const SETTINGS = {
  shared_buffers: '16MB',
  max_connections: '10',
  wal_buffers: '256kB',
  min_wal_size: '2MB',
  max_wal_size: '32MB',
  max_stack_depth: '1MB',
}

/**
 * Settings with which an acknowledged write has reached the disk. The files must support it (`DatabaseFiles`). PGlite ignores
 * `fdatasync`, the default method.
 */
export const SYNCED = { fsync: 'on', wal_sync_method: 'fsync' }

/** The path of the database in PGlite's virtual file system. */
export const DATA_FOLDER = '/pglite/data'

/** The exit status of PostgreSQL's error handling: the only exception that is passed to JavaScript by design. */
const LONGJMP_STATUS = 100

/**
 * Opens the database in this thread, or creates it in an empty folder.
 *
 * @param onCrash called when PostgreSQL traps or exits; must end the thread and not return, because PGlite swallows most traps and
 * continues in a broken state or hangs. The files are safe; the next start recovers them.
 * @param options the file system of the database, if it is not in `folder`, and more settings of PostgreSQL
 */
export async function openEngine(
  { folder, inMemory, program }: Pick<WorkerInput, 'folder' | 'inMemory' | 'program'>,
  onCrash: (reason: string) => never,
  { files, settings }: { files?: MemoryFS | NodeFS; settings?: Record<string, string> } = {},
): Promise<Engine> {
  let lastFatal = ''
  const db = new PGlite(inMemory ? 'memory://' : folder, {
    ...(files && { fs: files }),
    pgliteWasmModule: program,
    relaxedDurability: false,
    initDbStartParams: INITDB_ARGUMENTS,
    startParams: [
      ...PGlite.defaultStartParams,
      ...Object.entries({ ...SETTINGS, ...settings }).flatMap(([k, v]) => ['-c', `${k}=${v}`]),
    ],
    // Other lines contain statements and values of clients, which must not be logged.
    onStderr: (line) => {
      if (/ (FATAL|PANIC): /.test(line)) lastFatal = line.replace(/^.*? (FATAL|PANIC): +/, '')
      return true
    },
  })
  try {
    await db.waitReady
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${lastFatal || describe(error)}`, { cause: error })
  }
  reportTraps(db, (error) => onCrash(lastFatal || describe(error)))

  return {
    async exchange(messages, onBytes) {
      let tail: Buffer = Buffer.alloc(0)
      const onRawData = (view: Uint8Array) => {
        const bytes = Buffer.from(view)
        tail = bytes.length >= 6 ? bytes.subarray(-6) : Buffer.concat([tail, bytes]).subarray(-6)
        onBytes?.(bytes)
      }
      try {
        await db.execProtocolRawStream(messages, { onRawData })
      } catch (error) {
        return onCrash(lastFatal || describe(error))
      }
      const isReady = tail.length === 6 && tail[0] === 0x5a && tail.readInt32BE(1) === 5
      return isReady ? (tail.toString('latin1', 5) as TransactionStatus) : undefined
    },
    async run<Row>(sql: string) {
      const results = (await db.exec(sql)) as Results<Row>[]
      return results.at(-1)?.rows ?? []
    },
    async close() {
      const files = db.Module.FS
      await db.close()
      if (inMemory) await writeFolder(files, DATA_FOLDER, folder)
    },
  }
}

function reportTraps(db: PGlite, onTrap: (error: unknown) => never): void {
  const engine = db.Module as unknown as Record<'_PostgresMainLoopOnce', () => void>
  const step = engine._PostgresMainLoopOnce
  engine._PostgresMainLoopOnce = () => {
    try {
      step()
    } catch (error) {
      if ((error as { status?: unknown } | undefined)?.status !== LONGJMP_STATUS) onTrap(error)
      throw error
    }
  }
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Writes a folder of the engine's file system, including empty folders, into an existing folder. */
async function writeFolder(files: PGlite['Module']['FS'], source: string, target: string): Promise<void> {
  for (const name of files.readdir(source)) {
    if (name === '.' || name === '..') continue
    const from = `${source}/${name}`
    const to = join(target, name)
    if (files.isDir(files.stat(from).mode)) {
      await mkdir(to, { mode: 0o700 })
      await writeFolder(files, from, to)
    } else await writeFile(to, files.readFile(from), { mode: 0o600 })
  }
}
