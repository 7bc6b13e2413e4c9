import type { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { DirectoryId, TeamId, UserId } from '../../../platform/ids.js'

/**
 * Whether a team's directory takes a password for that of an account. The room of directories fills it in. Slow: it asks a server of
 * somebody else, outside of any transaction.
 * @returns undefined where no directory knows the account, or it may not be asked
 */
export type ProveByDirectory = (asked: {
  email: string
  password: string
  /** The team that is to be opened; null for whichever. */
  teamId: TeamId | null
  /** Called with the team of a directory that lists the account, before the directory is asked. */
  mayAsk(teamId: TeamId): Promise<boolean>
}) => Promise<DirectoryProof | undefined>

export type DirectoryProof =
  | { outcome: 'wrong' }
  /** The server could not be asked. */
  | { outcome: 'unavailable' }
  | {
      outcome: 'right'
      /** Whom it is proven to, and nobody else. */
      teamId: TeamId
      directoryId: DirectoryId
      /** A step: why it may not let them in after all, by what is so now; undefined where it may. */
      rejection(tx: Transaction): Promise<AppError | undefined>
      /** The last editor of the directory, on whose permissions the session depends. */
      editor(tx: Transaction): Promise<UserId>
    }
