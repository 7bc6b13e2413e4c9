import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config/config.js'
import type { Database } from '../../platform/db/database.js'
import type { Audit } from '../audit/index.js'

export interface ApplicationDeps {
  db: Database
  clock: Clock
  audit: Audit
  config: Pick<Config, 'secure' | 'baseUrl'>
}
