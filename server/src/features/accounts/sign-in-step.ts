import type { AppError } from '../../platform/app-error.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import type { User } from '../identities/index.js'
import type { OpenTeam } from '../members/index.js'
import type { IssuedSession } from '../sessions/index.js'
import type { AccountDeps, SignInRequest } from './deps.js'

/** A sign-in under way: what was proven, and what the steps have found out since. */
export interface SignIn {
  user: User
  /** How the first proof was made: password, magic_link, registration … */
  method: string
  /** Authentication methods used so far (RFC 8176). */
  amr: string[]
  /** The team whose provider, directory or administrator vouched; null for the user's own proof. */
  confinedTo: TeamId | null
  /** The team that the caller asks for, or that the link was made for. */
  wantedTeam: string | null
  passwordDue: 'temporary' | 'aged' | null
  /** Teams that are closed to passwords for a while, after failures; a proof of another kind knows none. */
  closedTeams?: ReadonlySet<TeamId>
  request: SignInRequest
  /** Found by `chooseTeam`. */
  team?: OpenTeam
}

/** A second factor is due: the sign-in waits for it under this token. */
export interface Challenge {
  mfaToken: string
}

export type SignInOutcome = { session: IssuedSession } | { challenge: Challenge } | { refused: AppError }

/** A step goes on with what it found, or ends the sign-in. It never calls another step. */
export type SignInStep = (
  tx: Transaction,
  deps: AccountDeps,
  signIn: SignIn,
) => Promise<SignIn | Exclude<SignInOutcome, { session: unknown }>>
