import { type Logger as PinoLogger, pino } from 'pino'
import type { Config } from './config/config.js'

export type Logger = PinoLogger & {
  /** Logs a finished request. The fields are fixed and none comes from a body, so no redaction is necessary. */
  request(fields: Record<string, string | number>): void
}

// Keys whose values are redacted in case a secret is logged by accident. Bodies and query strings are never logged.
const SECRET_KEYS = [
  'password',
  'newPassword',
  'currentPassword',
  'temporaryPassword',
  'token',
  'accessToken',
  'refreshToken',
  'mfaToken',
  'clientSecret',
  'secret',
  'authorization',
  'cookie',
  'code',
]

/**
 * Creates the logger: one JSON object per line on standard output. JSON escapes untrusted strings (CR, LF, ESC and quotes cannot
 * begin a new line); U+2028 and U+2029, which JSON does not escape, are escaped too.
 */
export function createLogger(config: Pick<Config, 'logLevel'>, destination?: { write(line: string): void }): Logger {
  const target = destination ?? pino.destination({ dest: 1, sync: true })
  const stream = {
    write: (line: string) => void target.write(SEPARATOR.test(line) ? line.replace(SEPARATORS, escapeSeparator) : line),
  }
  const options = { level: config.logLevel, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }
  const plain = pino(options, stream)
  const redacting = pino(
    {
      ...options,
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
      serializers: { err: describeError },
    },
    stream,
  )
  return Object.assign(redacting, {
    request: (fields: Record<string, string | number>) => plain.info(fields, 'request'),
  })
}

const SEPARATOR = /[\u2028\u2029]/
const SEPARATORS = /[\u2028\u2029]/g
const escapeSeparator = (mark: string): string => (mark === '\u2028' ? '\\u2028' : '\\u2029')

/** Returns type, message, code and stack of an error and its causes, without the values that a database driver attaches to errors. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint, table } = error as Error & { code?: unknown; constraint?: unknown; table?: unknown }
  return {
    type: error.name,
    message: withoutParameters(error.message),
    // Not `code`, which is redacted.
    ...(typeof code === 'string' && { errorCode: code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(typeof table === 'string' && { table }),
    stack: error.stack ? withoutParameters(error.stack) : undefined,
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  }
}

/** Removes the parameters of a failed statement, which the query builder repeats in its message: they can be secrets. */
const withoutParameters = (text: string): string =>
  text.replace(/\nparams: [\s\S]*?(?=\n {4}at |$)/g, '\nparams: [left out]')
