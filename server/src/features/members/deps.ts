import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config/config.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { Mailer } from '../../platform/mail/mailer.js'
import type { Audit } from '../audit/index.js'
import type { TeamLimits } from '../organizations/index.js'

export interface MemberDeps {
  db: Database
  clock: Clock
  audit: Audit
  mailer: Mailer
  config: Pick<Config, 'frontendUrl' | 'organizationLimits'>
  limits: TeamLimits
  /** A step: whoever asks is not shut out meanwhile. @throws invalid_access_token */
  requireLiveActor: (tx: Transaction, clock: Clock, actor: Actor) => Promise<void>
}
