import { createFairQueue } from '../../../platform/concurrency/fair-queue.js'
import { retryLater } from '../../../platform/errors.js'
import type { ScimActor } from '../../../platform/http/actor.js'

export interface SearchLimits {
  /** The maximum number of concurrent searches of one user's teams. */
  ofUser: number
  /** The maximum number of concurrent searches in total: fewer than there are database connections. */
  ofAll: number
  /** The maximum queue length of one user's teams. */
  waiting: number
}

export interface SearchQueue {
  /** Runs a search when a slot is free. @throws rate_limited if too many searches of the user's teams are queued */
  take<T>(actor: Pick<ScimActor, 'limitKey'>, search: () => Promise<T>): Promise<T>
}

/**
 * Creates the concurrency limit of searches on one node, which leaves connections to other requests. The queue is fair among users: all
 * teams of one user share its slots, because any user can create many teams. A queued search holds no connection.
 */
export function createSearchQueue({ ofUser, ofAll, waiting }: SearchLimits): SearchQueue {
  const queue = createFairQueue(ofAll, ofUser)
  return {
    async take({ limitKey }, search) {
      if (queue.wouldWait(limitKey) && queue.waiting(limitKey) >= waiting) throw retryLater('rate_limited', 1)
      return queue.run(limitKey, search)
    },
  }
}
