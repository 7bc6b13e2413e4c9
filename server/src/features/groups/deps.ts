import type { Clock } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { Audit } from '../audit/index.js'

export interface GroupDeps {
  db: Database
  clock: Clock
  audit: Audit
}
