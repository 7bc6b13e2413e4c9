import { retryLater } from '../../platform/errors.js'
import { createFairQueue } from '../../platform/fair-queue.js'
import type { TeamId } from '../../platform/ids.js'

export interface SearchLimits {
  /** How many of one team are under way at once. */
  ofTeam: number
  /** How many of all teams: fewer than there are connections to the database. */
  ofAll: number
  /** How many of one team wait for their turn. */
  waiting: number
}

export interface SearchTurns {
  /** Does a search when it is its turn. @throws rate_limited where too many of the team wait already */
  take<T>(teamId: TeamId, search: () => Promise<T>): Promise<T>
}

/**
 * Turns of the searches that read a team through, on one node: so that they leave connections to everything else, and no team waits for
 * the searches of another alone. Whoever waits holds no connection.
 */
export function createSearchTurns({ ofTeam, ofAll, waiting }: SearchLimits): SearchTurns {
  const queue = createFairQueue(ofAll, ofTeam)
  return {
    async take(teamId, search) {
      if (queue.wouldWait(teamId) && queue.waiting(teamId) >= waiting) throw retryLater('rate_limited', 1)
      return queue.run(teamId, search)
    },
  }
}
