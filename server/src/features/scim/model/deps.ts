import type { Config } from '../../../platform/config/config.js'
import type { Database } from '../../../platform/db/database.js'
import type { ScimActor } from '../../../platform/http/actor.js'
import type { Logger } from '../../../platform/log.js'
import type { EndDeps } from '../../user-management/index.js'
import type { SearchQueue } from './search-queue.js'

export interface ScimDeps extends EndDeps {
  db: Database
  config: Pick<Config, 'baseUrl' | 'databasePool'>
  log: Logger
}

/** Dependencies of list requests. */
export interface ListDeps extends ScimDeps {
  searches: SearchQueue
}

/** Returns the URL of the team's SCIM service, with the name that the client uses for the team. */
export const serviceUrlOf = ({ config }: Pick<ScimDeps, 'config'>, { orgRef }: ScimActor): string =>
  `${config.baseUrl}/scim/v2/${orgRef}`
