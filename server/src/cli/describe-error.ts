import { AppError } from '../platform/app-error.js'
import { ConfigError } from '../platform/config/config.js'
import { OperationalError } from '../platform/operational-error.js'
import { CommandError, EXIT, type ExitCode } from './command.js'

/** Returns how a command, or the start of the service, reports an error. The message of an error in Keyward itself is its stack. */
export function describeError(error: unknown): Pick<CommandError, 'code' | 'message' | 'exitCode'> {
  if (error instanceof CommandError) return error
  if (error instanceof ConfigError)
    return { code: 'invalid_settings', message: error.message, exitCode: EXIT.unavailable }
  if (error instanceof OperationalError)
    return { code: error.code, message: error.message, exitCode: exitCodeOfOperational(error) }
  if (error instanceof AppError) {
    const details = error.errors?.map(({ message }) => message) ?? []
    return { code: error.code, message: [error.message, ...details].join(': '), exitCode: exitCodeOf(error) }
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: 'internal', message, exitCode: EXIT.internal }
}

const exitCodeOfOperational = ({ code }: OperationalError): ExitCode =>
  code === 'migration_failed' || code === 'port_unavailable' ? EXIT.failure : EXIT.unavailable

function exitCodeOf({ status }: AppError): ExitCode {
  if (status === 400) return EXIT.usage
  return status === 503 ? EXIT.unavailable : EXIT.failure
}
