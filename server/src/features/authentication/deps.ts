import type { AppError } from '../../platform/app-error.js'
import type { Config } from '../../platform/config/config.js'
import type { Envelope } from '../../platform/crypto/envelope.js'
import type { KeyRing } from '../../platform/crypto/key-ring.js'
import type { PasswordHasher } from '../../platform/crypto/password-hash.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import type { Countries } from '../../platform/geo/countries.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { SessionId, SsoProviderId, TeamId, UserId } from '../../platform/ids.js'
import type { Jobs } from '../../platform/jobs/jobs.js'
import type { Throttle } from '../../platform/throttle/throttle.js'
import type { Audit } from '../audit/index.js'
import type { VerifiedDomains } from '../members/index.js'
import type { DecideSignOn } from '../policies/index.js'
import type { AccessTokens } from '../sessions/index.js'
import type { TeamLimits } from '../teams/index.js'
import type { EndDeps } from '../user-management/index.js'
import type { SignInTurns } from './limits/sign-in-queue.js'
import type { ProveByDirectory } from './sign-in/directory-proof.js'

export interface AccountDeps extends EndDeps {
  db: Database
  audit: Audit
  config: Config
  hasher: PasswordHasher
  commonPasswords: ReadonlySet<string>
  throttle: Throttle
  verifiedDomains: VerifiedDomains
  jobs: Jobs
  tokens: AccessTokens
  /** The server's own keys: of the tokens that follow one another. */
  keys: KeyRing
  limits: TeamLimits
  /** Opens the secrets of authenticator apps. */
  envelope: Envelope
  /** What the policies of a team say to a sign-in. */
  decideSignOn: DecideSignOn
  /** The turns of sign-ins to one account. */
  signInTurns: SignInTurns
  /** Which country an address is in. */
  countries: Countries
  /** Forgets what a user consented to. Returns for how many applications. Runs in the caller's transaction. */
  forgetConsents: (tx: Transaction, userId: UserId) => Promise<number>
  /**
   * Ends what a third party may hold of a team: tokens, client secrets, keys, providers, the directory and email domains. Returns how many of
   * each there were. Runs in the caller's transaction.
   */
  endSecretsOfTeam: (tx: Transaction, teamId: TeamId) => Promise<Record<string, number>>
  /** Asks the directory of a team whether a password is right. */
  proveByDirectory: ProveByDirectory
  /** Remembers by what name the provider knows a session that it vouched for. */
  recordAsserted: (tx: Transaction, session: SessionId, asserted: Asserted) => Promise<void>
  /** A step: what others know of a session that is over is known of the one in its place. */
  continueSession: (tx: Transaction, from: SessionId, to: SessionId) => Promise<void>
  /** Why a team's provider vouches for nobody of this role any more, of whom it did when the sign-in began to wait. */
  rejectAsserted: (tx: Transaction, asserted: Asserted, role: string) => Promise<AppError | undefined>
}

/** What a team's provider vouched for, as a sign-in that waits remembers it; by the names the provider ends the session later. */
export interface Asserted {
  providerId: SsoProviderId
  /** The provider as it was: one that has been changed since vouches for nobody. */
  providerVersion: number
  /** When the person proved to the provider who they are, in milliseconds. */
  authenticatedAt: number
  subject: string
  sessionIndex: string | null
  /** The name itself with what belongs to it, where the provider has to hear it again. */
  samlName?:
    | {
        value: string
        format?: string | undefined
        nameQualifier?: string | undefined
        spNameQualifier?: string | undefined
      }
    | undefined
}

/** What every door of sign-in knows of its request. */
export interface SignInRequest {
  origin: RequestOrigin
  /** Whether the cookies outlive the browser; on unless the page says otherwise. */
  remember: boolean
  /** The browser's device cookie. */
  deviceToken: string | undefined
}
