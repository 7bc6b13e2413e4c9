export type OperationalCode =
  | 'database_unavailable'
  | 'encryption_key'
  | 'migrations_pending'
  | 'migration_failed'
  | 'port_unavailable'

/** An error outside of Keyward that an operator can correct. The message is one line with the cause and, if known, the solution. */
export class OperationalError extends Error {
  constructor(
    readonly code: OperationalCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'OperationalError'
  }
}

/** Returns a handler for `catch` that throws the error as an operational one with this code. */
export const asOperational =
  (code: OperationalCode) =>
  (cause: unknown): never => {
    if (cause instanceof OperationalError) throw cause
    throw new OperationalError(code, cause instanceof Error ? cause.message : String(cause), { cause })
  }
