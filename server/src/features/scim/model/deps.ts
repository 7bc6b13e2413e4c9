import type { Config } from '../../../platform/config/config.js'
import type { Database } from '../../../platform/db/database.js'
import type { Logger } from '../../../platform/log.js'
import type { Audit } from '../../audit/index.js'
import type { EndDeps } from '../../user-management/index.js'
import type { SearchQueue } from './search-queue.js'

export interface ScimDeps extends EndDeps {
  db: Database
  audit: Audit
  config: Pick<Config, 'baseUrl' | 'databasePool'>
  log: Logger
}

/** Dependencies of list requests. */
export interface ListDeps extends Pick<ScimDeps, 'config' | 'db'> {
  searches: SearchQueue
}
