import { retryLater } from '../../platform/errors.js'
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

interface Waiting {
  teamId: TeamId
  begin: () => void
}

/**
 * Turns of the searches that read a team through, on one node: so that they leave connections to everything else, and no team waits for
 * the searches of another alone. Whoever waits holds no connection.
 */
export function createSearchTurns({ ofTeam, ofAll, waiting: mostWaiting }: SearchLimits): SearchTurns {
  const queue: Waiting[] = []
  const running = new Map<TeamId, number>()
  let all = 0

  const runningOf = (teamId: TeamId): number => running.get(teamId) ?? 0
  const mayBegin = (teamId: TeamId): boolean => all < ofAll && runningOf(teamId) < ofTeam

  function count(teamId: TeamId, by: 1 | -1): void {
    all += by
    const now = runningOf(teamId) + by
    if (now > 0) running.set(teamId, now)
    else running.delete(teamId)
  }

  /** The first one who may begin does, before anybody who comes later. */
  function goOn(): void {
    const next = queue.findIndex(({ teamId }) => mayBegin(teamId))
    const [waiting] = next < 0 ? [] : queue.splice(next, 1)
    if (!waiting) return
    count(waiting.teamId, 1)
    waiting.begin()
  }

  async function turn(teamId: TeamId): Promise<void> {
    if (mayBegin(teamId)) return count(teamId, 1)
    if (queue.filter((one) => one.teamId === teamId).length >= mostWaiting) throw retryLater('rate_limited', 1)
    await new Promise<void>((begin) => queue.push({ teamId, begin }))
  }

  return {
    async take(teamId, search) {
      await turn(teamId)
      try {
        return await search()
      } finally {
        count(teamId, -1)
        goOn()
      }
    },
  }
}
