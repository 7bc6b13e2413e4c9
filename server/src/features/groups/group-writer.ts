import type { RequestOrigin } from '../../platform/http/actor.js'
import type { TeamId, UserId } from '../../platform/ids.js'

/** Who writes groups: a person of the team, or its directory, which is nobody. */
export interface GroupWriter {
  userId: UserId | null
  teamId: TeamId
  origin: RequestOrigin
}
