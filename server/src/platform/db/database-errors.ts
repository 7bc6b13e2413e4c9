import pg from 'pg'
import { retryLater } from '../errors.js'
import { OperationalError } from '../operational-error.js'

/** Returns the driver's error, which the query builder wraps. */
const rootOf = (error: unknown): unknown => {
  let root = error
  while (root instanceof Error && !(root instanceof pg.DatabaseError) && root.cause !== undefined) root = root.cause
  return root
}

const codeOf = (error: unknown): string => {
  const code = (rootOf(error) as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

/** Returns whether a migration has invalidated a prepared statement by changing the type of a returned column. A new connection works. */
export const isPreparedOutdated = (error: unknown): boolean =>
  codeOf(error) === '0A000' && (rootOf(error) as pg.DatabaseError).routine === 'RevalidateCachedQuery'

export const isDeadlock = (error: unknown): boolean => codeOf(error) === '40P01'

/**
 * Returns whether the transaction is worth a retry: after a deadlock or serialization failure (PostgreSQL manual, 13.5), or a foreign key
 * violation, where the referenced row was deleted concurrently and the retry finds it missing.
 */
export const isRetryable = (error: unknown): boolean =>
  ['40P01', '40001', '23503'].includes(codeOf(error)) || isPreparedOutdated(error)

/** Returns whether the error is a violation of the named unique index. */
export const isUniqueViolation = (error: unknown, index: string): boolean =>
  codeOf(error) === '23505' && (rootOf(error) as pg.DatabaseError).constraint === index

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOENT',
])
// Connection exceptions, shut-down, too many connections, cancelled by a timeout, lock not available, disk full, read only.
const STATES = /^(08|57P0|53|57014|55P03|25006)/

const DRIVER_MESSAGES =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end|Client was closed/

/** Returns whether the database is unavailable: a network error, or a state of the server that ends without a change of the configuration. */
export const isDown = (error: unknown): boolean => {
  const root = rootOf(error)
  if (!(root instanceof Error)) return false
  if (root instanceof AggregateError) return root.errors.every(isDown)
  const code = codeOf(root)
  return root instanceof pg.DatabaseError ? STATES.test(code) : NETWORK.has(code) || DRIVER_MESSAGES.test(root.message)
}

/** Returns whether a connection attempt failed because no server responds, or it is starting or shutting down. */
export const isUnreachable = (error: unknown): boolean =>
  !(rootOf(error) instanceof pg.DatabaseError) || codeOf(error).startsWith('57P0')

/** Returns whether a statement exceeded its time limit. */
export const isOutOfTime = (error: unknown): boolean =>
  codeOf(error) === '57014' || /Query read timeout/.test(String(rootOf(error)))

/**
 * Converts the error of an unavailable database, or of a transaction that lost every attempt to concurrent ones, to 503 with Retry-After;
 * returns any other error unchanged.
 */
export const unavailableIfDown = (error: unknown): unknown =>
  isDown(error) || isDeadlock(error) || codeOf(error) === '40001' ? retryLater('unavailable', 2, error) : error

/** Converts the error of an unavailable database to one without the statement and its values; returns any other error unchanged. */
export const operationalIfDown = (error: unknown): unknown =>
  isDown(error)
    ? new OperationalError('database_unavailable', `The database is unavailable: ${(rootOf(error) as Error).message}`, {
        cause: error,
      })
    : error

/**
 * Returns whether the driver's view of the connection can be wrong: a prepared statement is unknown to the server or outdated, or the
 * server had an internal error. Such a connection is closed.
 */
export const isConnectionDoubtful = (error: unknown): boolean =>
  rootOf(error) instanceof pg.DatabaseError &&
  (!/^(?!26|XX)[0-9A-Z]{5}$/.test(codeOf(error)) || isPreparedOutdated(error))

/** Returns whether the connection is lost or unresponsive, so that not even ROLLBACK is worth a try. */
export const isConnectionLost = (error: unknown): boolean =>
  isDown(error) && !(rootOf(error) instanceof pg.DatabaseError)
