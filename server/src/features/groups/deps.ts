import type { Clock } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { Audit } from '../audit/index.js'

export interface GroupDeps {
  db: Database
  clock: Clock
  audit: Audit
}

/** The author of a change: a user of the team, or its directory without a user. */
export interface GroupWriter {
  userId: UserId | null
  teamId: TeamId
  origin: RequestOrigin
}
