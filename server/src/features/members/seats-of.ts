import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId } from '../../platform/ids.js'

/** How many members a team has, and how many it may have. */
export interface Seats {
  taken: number
  limit: number
}

// Both rows are locked, and so both are read as they are when the lock is given, not as they were when the statement began.
const seats = namedQuery<Seats, [TeamId]>(
  'members.seats',
  `SELECT s.taken, o.max_members AS "limit" FROM organizations o JOIN team_seats s ON s.organization_id = o.id
   WHERE o.id = $1 FOR NO KEY UPDATE OF o, s`,
)

/** A team that nobody has joined yet has no row of seats. */
const emptyTeam = namedQuery<Seats, [TeamId]>(
  'members.seats_of_empty_team',
  'SELECT 0 AS taken, max_members AS "limit" FROM organizations WHERE id = $1 FOR NO KEY UPDATE',
)

/**
 * A step: the seats of the team; its row stays locked until the transaction ends, so that two who join at once do not both get the
 * last one. Undefined when the team is gone.
 */
export async function seatsOf(tx: Transaction, teamId: TeamId): Promise<Seats | undefined> {
  const [taken] = await tx.run(seats, [teamId])
  return taken ?? (await tx.run(emptyTeam, [teamId]))[0]
}
