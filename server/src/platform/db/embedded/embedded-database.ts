import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { copyTemplate, databaseFolder, ensureDatabaseFolder } from './data-folder.js'
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
  /** Whether this call made the database. */
  firstStart: boolean
  /** Resolves if the database ends by itself; nothing is lost, but this process cannot go on. Never rejects. */
  crashed: Promise<Error>
  /** Writes a checkpoint, ends the thread, gives the folder free. End the pool before. */
  close(): Promise<void>
}

export interface EmbeddedDatabaseOptions {
  /** Created with mode 0700 if it does not exist. */
  dataDir: string
  /** A folder made by `makeTemplate`; the first start then copies it instead of creating a database from nothing. */
  templateDir?: string
  log: { info(facts: object, message: string): void }
  /** How long a second connection waits for the first to end before it is refused, in ms. */
  patience?: number
}

/**
 * Starts PostgreSQL inside this process (PGlite, in a worker thread), for an installation without a database server.
 *
 * What it promises: this process alone works on the folder; an acknowledged write survives the death of the process
 * (`kill -9`, out of memory), at any moment of the first start too. What it does not: PGlite never calls `fsync`, so a
 * power cut or a crash of the operating system can lose or damage data. `statement_timeout` and the cancelling of a
 * query have no effect, and `COPY … FROM STDIN` over the connection ends the database.
 *
 * @throws Error with one line that tells why: the folder is in use, cannot be written to, or PostgreSQL did not start
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { templateDir, log, patience = 5_000 } = options
  const dataDir = resolve(options.dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = await lockFolder(dataDir)
  const cleanUp: (() => Promise<void>)[] = [lock.release]
  try {
    const socketFolder = await makeSocketFolder(dataDir)
    cleanUp.unshift(socketFolder.remove)
    const start = (folder: string) => startWorker({ folder, socketFolder: socketFolder.path, patience })

    const firstStart = await ensureDatabaseFolder(dataDir, async (folder) => {
      if (templateDir !== undefined) return copyTemplate(templateDir, folder)
      log.info({ folder }, 'creating the embedded database without a template, which takes some seconds')
      // a thread of its own: creating needs 500 MB that only its end gives back
      await (await start(folder)).close()
    })
    const worker = await start(databaseFolder(dataDir))
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
