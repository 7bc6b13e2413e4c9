import { createFairQueue } from '../../platform/concurrency/fair-queue.js'
import { retryLater } from '../../platform/errors.js'
import type { ScimActor } from '../../platform/http/actor.js'

export interface SearchLimits {
  /** How many of one user's teams run at the same time. */
  ofUser: number
  /** How many run at the same time in total: fewer than there are connections to the database. */
  ofAll: number
  /** How many of one user's teams wait. */
  waiting: number
}

export interface SearchTurns {
  /** Runs a search when there is room for it. @throws rate_limited if too many of the user's teams wait */
  take<T>(actor: Pick<ScimActor, 'limitKey'>, search: () => Promise<T>): Promise<T>
}

/**
 * The concurrency limits of searches on one node. They leave connections to everything else. The teams of different users take fair turns,
 * and all teams of one user together have the turns of one: any user can create many. A search that waits holds no connection.
 */
export function createSearchTurns({ ofUser, ofAll, waiting }: SearchLimits): SearchTurns {
  const queue = createFairQueue(ofAll, ofUser)
  return {
    async take({ limitKey }, search) {
      if (queue.wouldWait(limitKey) && queue.waiting(limitKey) >= waiting) throw retryLater('rate_limited', 1)
      return queue.run(limitKey, search)
    },
  }
}
