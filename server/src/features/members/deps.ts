import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config/config.js'
import type { Database } from '../../platform/db/database.js'
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
}
