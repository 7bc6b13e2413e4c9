import type { AppError } from '../../platform/app-error.js'
import type { BoundedQueue } from '../../platform/concurrency/fair-queue.js'
import type { Config } from '../../platform/config/config.js'
import type { PasswordHasher } from '../../platform/crypto/password-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import type { Countries } from '../../platform/geo/countries.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { OriginId, SessionId, SsoProviderId, TeamId, UserId } from '../../platform/ids.js'
import type { Jobs } from '../../platform/jobs/jobs.js'
import type { AccountData } from '../../platform/module.js'
import type { Throttle } from '../../platform/throttle/throttle.js'
import type { MoveMemberships } from '../members/index.js'
import type { FactorDeps } from '../mfa/index.js'
import type { DecideSignOn } from '../policies/index.js'
import type { AccessTokens } from '../sessions/index.js'
import type { TeamLimits } from '../teams/index.js'
import type { EndDeps } from '../user-management/index.js'

export interface AccountDeps extends EndDeps, FactorDeps {
  config: Config
  hasher: PasswordHasher
  commonPasswords: ReadonlySet<string>
  throttle: Throttle
  moveMemberships: MoveMemberships
  jobs: Jobs
  tokens: AccessTokens
  limits: TeamLimits
  /** Evaluates the sign-in policies of a team. */
  decideSignOn: DecideSignOn
  /** Limits the sign-ins that lock an account, by email address. */
  signInQueue: BoundedQueue
  /** The parts of an export of the own account, from all modules. */
  accountData: Record<string, AccountData>
  /** Maps IP addresses to countries. */
  countries: Countries
  /** Deletes the consents of a user. Returns the number of applications. Runs in the caller's transaction. */
  deleteConsents: (tx: Transaction, userId: UserId) => Promise<number>
  /**
   * Revokes everything in a team that a third party may hold a secret of: tokens, client secrets, keys, providers, the directory and email
   * domains. Returns the number of each. Runs in the caller's transaction.
   */
  endSecretsOfTeam: (tx: Transaction, teamId: TeamId) => Promise<Record<string, number>>
  /** Verifies a password at the directory of a team. */
  verifyByDirectory: VerifyByDirectory
  /** Stores the provider's identifiers of a session that it asserted. */
  recordAsserted: (tx: Transaction, session: SessionId, asserted: Asserted) => Promise<void>
  /** Moves the provider's and applications' references of a replaced session to its successor. Runs in the caller's transaction. */
  continueSession: (tx: Transaction, from: SessionId, to: SessionId) => Promise<void>
  /** Returns the error if the provider no longer asserts users of this role, although it did before the challenge. */
  rejectAsserted: (tx: Transaction, asserted: Asserted, role: string) => Promise<AppError | undefined>
}

/**
 * Verifies a password at the directory of a team. Implemented by the module `ldap`. Slow: queries the team's server, outside of any
 * transaction.
 * @returns undefined if no directory lists the account, it may not be queried, or it rejects the password; `unavailable` if it does not
 *   respond; `expiredIn` with the team of a directory that accepts the password only after the user has changed it there
 */
export type VerifyByDirectory = (attempt: {
  email: string
  password: string
  /** The team of the sign-in; null for any team. */
  teamId: TeamId | null
  /** Called with the team of a directory that lists the account, before the directory is queried. */
  mayQuery(teamId: TeamId): Promise<boolean>
}) => Promise<DirectoryProof | { expiredIn: TeamId } | 'unavailable' | undefined>

/** A password that the directory of a team accepted. */
export interface DirectoryProof {
  /** The only team in which it is valid. */
  teamId: TeamId
  /** Returns the error if the directory may no longer sign the user in. Runs in the caller's transaction. */
  rejection(tx: Transaction): Promise<AppError | undefined>
  /** Returns what the session depends on: the permissions of the directory's last editor. */
  origin(tx: Transaction, userId: UserId): Promise<OriginId>
}

/** The assertion of a team's provider, stored with a pending sign-in. Its identifiers are needed for the provider's logout. */
export interface Asserted {
  providerId: SsoProviderId
  /** The version of the provider at the assertion. A later change of the provider invalidates it. */
  providerVersion: number
  /** Time of the authentication at the provider, in milliseconds. */
  authenticatedAt: number
  subject: string
  sessionIndex: string | null
  /** The complete NameID, if a SAML logout request must repeat it. */
  samlName?:
    | {
        value: string
        format?: string | undefined
        nameQualifier?: string | undefined
        spNameQualifier?: string | undefined
      }
    | undefined
}

/** The request data that every sign-in method has. */
export interface SignInRequest {
  origin: RequestOrigin
  /** Whether the cookies outlive the browser; true by default. */
  remember: boolean
  /** The browser's device cookie. */
  deviceToken: string | undefined
}
