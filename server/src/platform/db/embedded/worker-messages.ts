/** The messages between the main thread and the worker of the database, besides the socket. */
export interface WorkerInput {
  folder: string
  /** Whether a new database is created in memory and written to the empty folder on close. */
  inMemory: boolean
  socketPath: string
  /** Milliseconds that a second connection waits for the first to end. */
  patience: number
  /** The compiled PostgreSQL. */
  program: WebAssembly.Module
}

export type FromWorker = { kind: 'ready' } | { kind: 'crashed'; reason: string }

/** Instructs the worker to close the database cleanly and exit. */
export const CLOSE = 'close'
