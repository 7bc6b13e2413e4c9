import type { Clock } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { Audit } from '../audit/index.js'
import type { PolicySets } from './policy-sets.js'

export interface PolicyDeps {
  db: Database
  clock: Clock
  audit: Audit
  policySets: PolicySets
}
