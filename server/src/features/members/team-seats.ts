import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId } from '../../platform/ids.js'
import { teamError } from '../teams/index.js'

/** The number of members of a team and its limit. */
export interface Seats {
  taken: number
  limit: number
}

// Both rows are locked, so both are read in their state at the time of the lock, not at the start of the statement.
const seats = namedQuery<Seats, [TeamId]>(
  'members.seats',
  `SELECT s.taken, o.max_members AS "limit" FROM organizations o JOIN team_seats s ON s.organization_id = o.id
   WHERE o.id = $1 FOR NO KEY UPDATE OF o, s`,
)

/** A team without any member yet has no row in `team_seats`. */
const emptyTeam = namedQuery<Seats, [TeamId]>(
  'members.seats_of_empty_team',
  'SELECT 0 AS taken, max_members AS "limit" FROM organizations WHERE id = $1 FOR NO KEY UPDATE',
)

/**
 * Returns the seats of the team; undefined if it was deleted. Locks them until the transaction ends, so concurrent additions cannot exceed
 * the limit. Runs in the caller's transaction.
 */
export async function seatsOf(tx: Transaction, teamId: TeamId): Promise<Seats | undefined> {
  const [taken] = await tx.run(seats, [teamId])
  return taken ?? (await tx.run(emptyTeam, [teamId]))[0]
}

/** @throws limit_reached with the number of members and the limit */
export function rejectFull({ taken, limit }: Seats, more = 1): void {
  if (taken + more > limit)
    throw teamError('limit_reached', { detail: `The team has ${taken} members; its limit is ${limit}` })
}
