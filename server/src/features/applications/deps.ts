import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config/config.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { UserId } from '../../platform/ids.js'
import type { Audit } from '../audit/index.js'

export interface ApplicationDeps {
  db: Database
  clock: Clock
  audit: Audit
  config: Pick<Config, 'secure' | 'baseUrl'>
}

export interface UpdateDeps extends ApplicationDeps {
  /**
   * Locks the caller's session or API token until the transaction ends. Returns the member who set the temporary password with which the
   * session began, or null. Runs in the caller's transaction.
   * @throws invalid_access_token
   */
  requireActiveActor: (tx: Transaction, clock: Clock, actor: Actor) => Promise<{ temporarySetBy: UserId | null }>
}
