import { type Logger as PinoLogger, pino } from 'pino'
import type { Config } from './config/config.js'

export type Logger = PinoLogger & {
  /** The line of a finished request: fixed fields, none of them from a body, and so many of them that nothing is searched in it. */
  request(fields: Record<string, string | number>): void
}

// Names under which a secret could travel into a line by accident; the rule stays that nothing logs a body or a query string.
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
 * One JSON object a line on standard output. Text that came from outside is escaped by JSON (CR, LF, ESC and quotes cannot
 * begin a line of their own); U+2028 and U+2029, which JSON leaves alone, are escaped too.
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

/** Type, message, code and stack of an error and its causes: not the values that a database driver hangs on its errors. */
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

/** The query builder repeats a failed statement with its parameters, and those may be secrets. */
const withoutParameters = (text: string): string =>
  text.replace(/\nparams: [\s\S]*?(?=\n {4}at |$)/g, '\nparams: [left out]')
