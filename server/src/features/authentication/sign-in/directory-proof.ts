import type { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { DirectoryId, TeamId, UserId } from '../../../platform/ids.js'

/**
 * Verifies a password at the directory of a team. Implemented by the module `ldap`. Slow: queries the team's server, outside of any
 * transaction.
 * @returns undefined if no directory lists the account, or it may not be queried
 */
export type VerifyByDirectory = (attempt: {
  email: string
  password: string
  /** The team of the sign-in; null for any team. */
  teamId: TeamId | null
  /** Called with the team of a directory that lists the account, before the directory is queried. */
  mayAsk(teamId: TeamId): Promise<boolean>
}) => Promise<DirectoryProof | undefined>

export type DirectoryProof =
  | { outcome: 'wrong' }
  /** The server could not be reached. */
  | { outcome: 'unavailable' }
  | {
      outcome: 'right'
      /** The team of the directory. The proof is valid in this team alone. */
      teamId: TeamId
      directoryId: DirectoryId
      /** Returns the error if the directory may no longer sign the user in. Runs in the caller's transaction. */
      rejection(tx: Transaction): Promise<AppError | undefined>
      /** The last editor of the directory, on whose permissions the session depends. */
      editor(tx: Transaction): Promise<UserId>
    }
