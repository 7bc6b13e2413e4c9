import type { Clock } from '../../../platform/clock.js'
import type { Config } from '../../../platform/config/config.js'
import type { Database } from '../../../platform/db/database.js'
import type { Audit } from '../../audit/index.js'

export interface PasswordPolicyDeps {
  db: Database
  clock: Clock
  audit: Audit
  /** The instance's defaults, for teams without values. */
  config: Pick<Config, 'limits'>
}
