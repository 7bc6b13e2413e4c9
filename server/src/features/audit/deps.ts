import type { Clock } from '../../platform/clock.js'
import type { KeyRing } from '../../platform/crypto/key-ring.js'
import type { Database } from '../../platform/db/database.js'

/** What sealing and verifying need. */
export interface AuditDeps {
  db: Database
  clock: Clock
  keys: KeyRing
}
