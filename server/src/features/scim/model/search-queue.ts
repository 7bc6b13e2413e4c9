import { createBoundedQueue } from '../../../platform/concurrency/fair-queue.js'
import type { ScimActor } from '../../../platform/http/actor.js'
import type { Filter } from '../../../protocols/scim/index.js'
import { type Columns, findsAtMostOne } from './compile-filter.js'

/** The maximum queue length of one user's teams. */
const MAX_WAITING = 32

export type SearchQueue = ReturnType<typeof createSearchQueue>

/**
 * Creates the concurrency limit of searches on one node, which leaves connections to other requests: searches use at most half of the
 * database connections, and those of one user's teams at most a fifth. The queue is fair among users: all teams of one user share its
 * slots, because any user can create many teams. A queued search holds no connection.
 */
export function createSearchQueue(connections: number) {
  const queue = createBoundedQueue({
    slots: Math.max(1, Math.floor(connections / 2)),
    perKey: Math.max(1, Math.floor(connections / 5)),
    waiting: MAX_WAITING,
  })
  return {
    /**
     * Runs a search when a slot is free; immediately if it finds at most one resource by an index.
     * @throws rate_limited if too many searches of the user's teams are queued
     */
    async run<T>(
      { limitKey }: ScimActor,
      { filter }: { filter: Filter | undefined },
      columns: Columns,
      search: () => Promise<T>,
    ): Promise<T> {
      if (filter && findsAtMostOne(filter, columns)) return search()
      return queue.take(limitKey, search)
    },
  }
}
