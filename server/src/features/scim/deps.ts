import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config/config.js'
import type { Database } from '../../platform/db/database.js'
import type { Logger } from '../../platform/log.js'
import type { Mailer } from '../../platform/mail/mailer.js'
import type { Audit } from '../audit/index.js'
import type { SearchTurns } from './search-turns.js'

export interface ScimDeps {
  db: Database
  clock: Clock
  audit: Audit
  config: Pick<Config, 'baseUrl' | 'databasePool'>
  mailer: Mailer
  log: Logger
}

/** What lists need beside the rest. */
export interface ListDeps extends Pick<ScimDeps, 'config' | 'db'> {
  searches: SearchTurns
}
