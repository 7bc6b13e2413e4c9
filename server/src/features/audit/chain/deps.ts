import type { Clock } from '../../../platform/clock.js'
import type { KeyRing } from '../../../platform/crypto/key-ring.js'
import type { Database } from '../../../platform/db/database.js'

/** The dependencies of sealing and verification. */
export interface AuditDeps {
  db: Database
  clock: Clock
  keys: KeyRing
}
