import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config/config.js'
import type { PasswordHasher } from '../../platform/crypto/password-hash.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { Jobs } from '../../platform/jobs/jobs.js'
import type { Logger } from '../../platform/log.js'
import type { Mailer } from '../../platform/mail/mailer.js'
import type { Throttle } from '../../platform/throttle/throttle.js'
import type { Audit } from '../audit/index.js'
import type { EndTemporaryOf, RoleDeps, VerifiedDomains } from '../members/index.js'
import type { DelegatedBy } from '../sessions/index.js'

export interface EndDeps {
  clock: Clock
  audit: Audit
  mailer: Mailer
  /**
   * Revokes the delegated permissions of a user: those of SCIM tokens, registration access tokens, providers and directories; in all teams, or
   * in those that `which` selects. They stay revoked when the user returns, until another member saves them. Returns the teams of each kind.
   * Runs in the caller's transaction.
   */
  revokeDelegated: (tx: Transaction, userId: UserId, which?: DelegatedBy) => Promise<Record<string, TeamId[]>>
  /** Ends the user's sessions at the SAML applications of a team. Runs in the caller's transaction. */
  endSamlSessions: (tx: Transaction, userId: UserId, teamId: TeamId) => Promise<void>
  endTemporaryOf: EndTemporaryOf
}

/** The caller of a change of a member; also the user who started a run that makes the change. */
export type MemberActor = Pick<Actor, 'userId' | 'teamId' | 'permissions' | 'origin'>

export interface UserDeps extends RoleDeps, EndDeps {
  db: Database
  config: Pick<Config, 'frontendUrl'>
  hasher: PasswordHasher
  commonPasswords: ReadonlySet<string>
  throttle: Throttle
  jobs: Jobs
  log: Logger
  verifiedDomains: VerifiedDomains
}
