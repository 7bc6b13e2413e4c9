import type { Clock } from '../platform/clock.js'
import type { Database } from '../platform/db/database.js'

/** The surroundings of a command. */
export interface Terminal {
  env: NodeJS.ProcessEnv
  clock: Clock
  /** Prints complete lines on standard output. */
  print(text: string): void
  /** Prints complete lines on standard error. */
  printError(text: string): void
  /** Runs the service until the process ends. With `asJson`, prints one line of JSON when it is ready. */
  start(options: { migrate: boolean; asJson: boolean }): Promise<void>
  /** The open database of a test; otherwise a command opens that of the settings. */
  database?: Database
}
