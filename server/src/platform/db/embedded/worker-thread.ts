import { Worker } from 'node:worker_threads'
import { compileProgram } from './compiled-program.js'
import { socketPath } from './socket-folder.js'
import { CLOSE, type FromWorker, type WorkerInput } from './worker-messages.js'

/**
 * The JavaScript stack of the thread in MiB of address space; memory is allocated as it is used. With Node's default of 4, deeply
 * nested input (a JSON document of about 100 kB) overflows it inside PostgreSQL and leaves an undefined state. With this size,
 * PostgreSQL reaches its own limit (`max_stack_depth`) or the end of an input of 1 MiB first.
 */
const STACK_MIB = 256

export interface WorkerThread {
  /** The accepted loss of acknowledged writes. */
  loss: string | undefined
  /** Resolves if the thread ends without `close`; never otherwise. */
  crashed: Promise<Error>
  /** Closes the database cleanly and ends the thread. Waits for a running query. */
  close(): Promise<void>
  /** Ends the thread without writing to the files of the database. `crashed` resolves with the reason. */
  abort(reason: Error): void
}

/** Starts the thread of the database and waits until it accepts connections. */
export async function startWorker(options: {
  folder: string
  socketFolder: string
  patience: number
  inMemory?: boolean
  fsync?: boolean
  acceptLoss?: boolean
  /** Ends the thread as `abort` does. */
  signal?: AbortSignal
}): Promise<WorkerThread> {
  const { folder, socketFolder, patience, inMemory = false, fsync = false, acceptLoss = false, signal } = options
  const program = await compileProgram()
  signal?.throwIfAborted()
  const fromSource = import.meta.url.endsWith('.ts')
  const worker = new Worker(new URL(fromSource ? './worker-from-source.mjs' : './worker.js', import.meta.url), {
    name: 'embedded-database',
    workerData: {
      folder,
      inMemory,
      socketPath: socketPath(socketFolder),
      patience,
      fsync,
      acceptLoss,
      program,
    } satisfies WorkerInput,
    // Flags of the main thread (a loader, a debugger's port) must not apply to this one.
    execArgv: [],
    resourceLimits: { stackSizeMb: STACK_MIB },
  })

  let failure: Error | undefined
  let rejection: Error | undefined
  const exited = new Promise<number>((resolve) => worker.once('exit', resolve))
  worker.once('error', (error) => {
    failure ??= error instanceof Error ? error : new Error(String(error))
  })
  const ready = new Promise<string | undefined>((resolve) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') resolve(message.loss)
      else if (message.kind === 'rejected') rejection = new Error(message.reason)
      else failure ??= new Error(message.reason)
    })
  })

  function abort(reason: Error): void {
    failure ??= reason
    void worker.terminate()
  }
  signal?.addEventListener('abort', () => abort(new Error('it was stopped')), { once: true })

  let closing = false
  const ended = exited.then((code) => failure ?? new Error(`its thread ended with code ${code}`))
  const failedEarly = ended.then((cause) => {
    throw rejection ?? new Error(`The embedded database in ${folder} failed to start: ${cause.message}`, { cause })
  })
  const loss = await Promise.race([ready, failedEarly])
  failedEarly.catch(() => {}) // From here on `crashed` reports it.

  return {
    loss,
    crashed: new Promise((resolve) => {
      void ended.then((cause) => {
        if (closing && !failure) return
        resolve(new Error(`The embedded database in ${folder} stopped: ${cause.message}`, { cause }))
      })
    }),
    async close() {
      if (!closing) worker.postMessage(CLOSE)
      closing = true
      const code = await exited
      if (inMemory && (failure || code !== 0))
        throw new Error(`The database in memory was not written to ${folder}: ${(await ended).message}`, {
          cause: failure,
        })
    },
    abort,
  }
}
