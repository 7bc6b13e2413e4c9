import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config/config.js'
import type { Database } from '../../platform/db/database.js'
import type { Logger } from '../../platform/log.js'
import type { Mailer } from '../../platform/mail/mailer.js'
import type { Audit } from '../audit/index.js'

export interface ScimDeps {
  db: Database
  clock: Clock
  audit: Audit
  config: Pick<Config, 'baseUrl'>
  mailer: Mailer
  log: Logger
}
