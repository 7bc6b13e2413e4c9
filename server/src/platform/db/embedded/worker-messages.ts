/** The messages between the main thread and the worker of the database, besides the socket. */
export interface WorkerInput {
  folder: string
  /** Whether a new database is created in memory and written to the empty folder on close. */
  inMemory: boolean
  socketPath: string
  /** Milliseconds that a second connection waits for the first to end. */
  patience: number
  /** Whether a write is acknowledged only when it has reached the disk. */
  fsync: boolean
  /** Whether to start although acknowledged writes are missing. */
  acceptLoss: boolean
  /** The compiled PostgreSQL. */
  program: WebAssembly.Module
}

/**
 * `loss`: the accepted loss of acknowledged writes. `rejected`: the database could start, but must not; the reason is a whole
 * message.
 */
export type FromWorker = { kind: 'ready'; loss?: string } | { kind: 'crashed' | 'rejected'; reason: string }

/** Instructs the worker to close the database cleanly and exit. */
export const CLOSE = 'close'
