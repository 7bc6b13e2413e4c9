import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config/config.js'
import type { Database, Runner, Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { OriginId, TeamId } from '../../platform/ids.js'
import type { Mailer } from '../../platform/mail/mailer.js'
import type { Throttle } from '../../platform/throttle/throttle.js'
import type { LogoStatus, TeamLimits } from '../teams/index.js'
import type { RoleDeps } from './roles/record-role.js'

/** Finds the email domains that teams have verified by DNS. Both functions run in the caller's transaction. */
export interface VerifiedDomains {
  /** Returns a domain that the team has verified, preferably the domain of the email address; undefined if the team has verified none. */
  domainOfTeam(tx: Transaction, teamId: TeamId, email: string): Promise<string | undefined>
  /** Returns the team that has verified the domain; undefined if no team has. */
  teamOfDomain(tx: Transaction, domain: string): Promise<TeamId | undefined>
}

export interface MemberDeps extends RoleDeps {
  db: Database
  clock: Clock
  mailer: Mailer
  throttle: Throttle
  config: Pick<Config, 'frontendUrl' | 'organizationLimits' | 'limits'>
  limits: TeamLimits
  verifiedDomains: VerifiedDomains
  /** Returns the status of a team's logo; null if the team has no logo. */
  logoStatusOf: (runner: Runner, teamId: TeamId) => Promise<LogoStatus | null>
  /**
   * Locks the caller's session or API token until the transaction ends. Returns the member who set the temporary password with which the
   * session began, or null. Runs in the caller's transaction.
   * @throws invalid_access_token
   */
  requireActiveActor: (tx: Transaction, clock: Clock, actor: Actor) => Promise<{ temporarySetBy: OriginId | null }>
}
