import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config/config.js'
import type { Database, Runner, Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { Mailer } from '../../platform/mail/mailer.js'
import type { Throttle } from '../../platform/throttle/throttle.js'
import type { LogoStatus, TeamLimits } from '../teams/index.js'
import type { RoleDeps } from './record-role.js'

/** Which team has verified which email domain by DNS. Both run in the caller's transaction. */
export interface VerifiedDomains {
  /** Returns a domain that the team has verified, that of the email address first; undefined if it has verified none. */
  ofTeam(tx: Transaction, teamId: TeamId, email: string): Promise<string | undefined>
  /** Returns the one team that has verified the domain. */
  teamOf(tx: Transaction, domain: string): Promise<TeamId | undefined>
}

export interface MemberDeps extends RoleDeps {
  db: Database
  clock: Clock
  mailer: Mailer
  throttle: Throttle
  config: Pick<Config, 'frontendUrl' | 'organizationLimits' | 'limits'>
  limits: TeamLimits
  verifiedDomains: VerifiedDomains
  /** Returns what became of the logo of a team; null if it has none. */
  logoStatusOf: (runner: Runner, teamId: TeamId) => Promise<LogoStatus | null>
  /** A step: whoever asks is not shut out meanwhile. @throws invalid_access_token */
  requireLiveActor: (tx: Transaction, clock: Clock, actor: Actor) => Promise<{ temporarySetBy: UserId | null }>
}
