import type { Clock } from '../../platform/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import type { Audit } from '../audit/index.js'

export interface GroupDeps {
  db: Database
  clock: Clock
  audit: Audit
}

/** Who writes a group of a team: somebody, or a directory of the team, which is nobody in person. */
export type GroupWriter = Pick<Actor, 'teamId' | 'origin'> & { userId: Actor['userId'] | null }
