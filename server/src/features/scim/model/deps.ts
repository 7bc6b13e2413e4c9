import type { BoundedQueue } from '../../../platform/concurrency/fair-queue.js'
import type { Config } from '../../../platform/config/config.js'
import type { Database } from '../../../platform/db/database.js'
import type { Logger } from '../../../platform/log.js'
import type { Audit } from '../../audit/index.js'
import type { EndDeps } from '../../user-management/index.js'

export interface ScimDeps extends EndDeps {
  db: Database
  audit: Audit
  config: Pick<Config, 'baseUrl' | 'databasePool'>
  log: Logger
}

/** Dependencies of list requests. */
export interface ListDeps extends Pick<ScimDeps, 'config' | 'db'> {
  /** Limits concurrent searches, by `limitKey` of the actor: any user can create many teams. A waiting search holds no connection. */
  searches: BoundedQueue
}
