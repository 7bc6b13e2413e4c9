import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { copyTemplate, databaseFolder, ensureDatabaseFolder, syncFolder } from './data-folder.js'
import { lockFolder } from './folder-lock.js'
import { makeSocketFolder, SOCKET_PORT } from './socket-folder.js'
import { startWorker } from './worker-thread.js'

/** For the `pg` driver; `host` is the folder of a unix socket. The pool must have a maximum of one connection. */
export interface EmbeddedConnection {
  host: string
  port: number
  user: string
  database: string
}

export const connectionTo = (socketFolder: string): EmbeddedConnection => ({
  host: socketFolder,
  port: SOCKET_PORT,
  user: 'postgres',
  database: 'postgres',
})

export interface EmbeddedDatabase {
  connection: EmbeddedConnection
  /** Whether this call created the database. */
  firstStart: boolean
  /** Resolves if the database crashes or its files are removed or replaced: the process must restart. Never rejects. */
  crashed: Promise<Error>
  /** Writes a checkpoint, ends the thread and releases the folder. Close the pool first. */
  close(): Promise<void>
}

export interface EmbeddedDatabaseOptions {
  /** Created with mode 0700 if it does not exist. */
  dataDir: string
  /** A folder of `makeTemplate`, which the first start copies instead of creating a database. */
  templateDir?: string
  log: { info(facts: object, message: string): void; warn?(facts: object, message: string): void }
  /** Whether a write is acknowledged only when it has reached the disk, so that it survives a power failure. */
  fsync?: boolean
  /** Whether to start although acknowledged writes are missing. */
  acceptLoss?: boolean
  /** Milliseconds that a second connection waits for the first to end before it is rejected. */
  patience?: number
  /** Ends the database without writing to its files, also while it starts. Afterwards `close` releases the folder. */
  signal?: AbortSignal
}

/**
 * Starts PostgreSQL inside this process (PGlite, in a worker thread), for an installation without a database server.
 *
 * Guarantees: only this process uses the folder, and an acknowledged write survives a crash of the process (`kill -9`, out of
 * memory), also during the first start. A start on files that lack acknowledged writes fails (`acknowledged-position.ts`).
 * Limitations: without the option `fsync`, a power failure or a crash of the operating system can lose or damage data.
 * `statement_timeout` and query cancellation have no effect, and `COPY … FROM STDIN` over the connection crashes the database.
 *
 * @throws Error with a one-line reason: the folder is in use or not writable, or PostgreSQL did not start
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { templateDir, log, patience = 5_000, fsync = false, acceptLoss = false, signal } = options
  const dataDir = resolve(options.dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = await lockFolder(dataDir)
  let cleanUp: (() => Promise<void>)[] = [lock.release]
  try {
    const socketFolder = await makeSocketFolder(dataDir)
    cleanUp.unshift(socketFolder.remove)
    const start = (folder: string) =>
      startWorker({ folder, socketFolder: socketFolder.path, patience, fsync, acceptLoss, ...(signal && { signal }) })

    const firstStart = await ensureDatabaseFolder(dataDir, async (folder) => {
      if (templateDir !== undefined) await copyTemplate(templateDir, folder)
      else {
        log.info({ folder }, 'creating the embedded database without a template, which takes several seconds')
        // A separate thread, because creation allocates 500 MB that only the end of the thread releases.
        await (await start(folder)).close()
      }
      // PostgreSQL syncs only what it writes, not the copied files.
      if (fsync) await syncFolder(folder)
      await lock.lockNewDatabase(folder)
    })
    const worker = await start(databaseFolder(dataDir))
    void lock.lost.then((error) => {
      // The folder can belong to another process by now.
      cleanUp = [lock.release]
      worker.abort(error)
    })
    if (worker.loss !== undefined)
      log.warn?.({ dataDir, loss: worker.loss }, 'the embedded database continues without acknowledged writes')
    log.info({ dataDir, firstStart }, 'embedded database started')

    return {
      connection: connectionTo(socketFolder.path),
      firstStart,
      crashed: worker.crashed,
      async close() {
        await worker.close()
        for (const step of cleanUp) await step()
      },
    }
  } catch (error) {
    for (const step of cleanUp) await step()
    throw error
  }
}
