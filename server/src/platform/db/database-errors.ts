import pg from 'pg'
import { retryLater } from '../errors.js'

/** The error of the driver beneath the query builder's wrapping. */
const rootOf = (error: unknown): unknown => {
  let root = error
  while (root instanceof Error && !(root instanceof pg.DatabaseError) && root.cause !== undefined) root = root.cause
  return root
}

const codeOf = (error: unknown): string => {
  const code = (rootOf(error) as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

/** A migration changed the type of a column that a prepared statement returns. On a new connection the statement is right again. */
export const isPreparedOutdated = (error: unknown): boolean =>
  codeOf(error) === '0A000' && (rootOf(error) as pg.DatabaseError).routine === 'RevalidateCachedQuery'

export const isDeadlock = (error: unknown): boolean => codeOf(error) === '40P01'

/**
 * Deadlock and serialization failure: PostgreSQL asks for another try (PostgreSQL manual, 13.5). A foreign key that names nothing:
 * what it names was there a moment ago and was deleted since, and another try finds it gone and says so.
 */
export const isRetryable = (error: unknown): boolean =>
  ['40P01', '40001', '23503'].includes(codeOf(error)) || isPreparedOutdated(error)

/** Whether a row of these values is there already: by the name of the unique index that says so. */
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
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end|Client was closed/

const isDown = (error: unknown): boolean => {
  const root = rootOf(error)
  if (!(root instanceof Error)) return false
  if (root instanceof AggregateError) return root.errors.every(isDown)
  const code = codeOf(root)
  return root instanceof pg.DatabaseError ? STATES.test(code) : NETWORK.has(code) || DRIVER_MESSAGES.test(root.message)
}

/** Whether an attempt to connect failed because nothing answers, or because the server is starting or shutting down. */
export const isUnreachable = (error: unknown): boolean =>
  !(rootOf(error) instanceof pg.DatabaseError) || codeOf(error).startsWith('57P0')

/** Whether a statement was given up because it took longer than any may. */
export const isOutOfTime = (error: unknown): boolean =>
  codeOf(error) === '57014' || /Query read timeout/.test(String(rootOf(error)))

/** A database that is away is 503 with Retry-After; any other error stays what it is. */
export const unavailableIfDown = (error: unknown): unknown =>
  isDown(error) ? retryLater('unavailable', 2, error) : error

/**
 * Whether what the driver believes of the connection may no longer be so: a prepared statement that the server does not know or that
 * is outdated, or an error from inside the server. Such a connection is thrown away.
 */
export const isConnectionDoubtful = (error: unknown): boolean =>
  rootOf(error) instanceof pg.DatabaseError &&
  (!/^(?!26|XX)[0-9A-Z]{5}$/.test(codeOf(error)) || isPreparedOutdated(error))

/** Whether the connection itself is lost or says nothing: then not even ROLLBACK is worth a try. */
export const isConnectionLost = (error: unknown): boolean =>
  isDown(error) && !(rootOf(error) instanceof pg.DatabaseError)
