/** What the main thread and the worker of the database say to each other besides the socket. */
export interface WorkerInput {
  folder: string
  /** Whether a new database is kept in memory and written to the empty folder when it is closed. */
  inMemory: boolean
  socketPath: string
  /** How long a second connection waits for the first to end, in ms. */
  patience: number
  /** PostgreSQL, compiled. */
  program: WebAssembly.Module
}

export type FromWorker = { kind: 'ready' } | { kind: 'crashed'; reason: string }

/** To the worker: close the database cleanly and end. */
export const CLOSE = 'close'
