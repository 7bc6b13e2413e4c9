import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../platform/ids.js'

/**
 * Moves the memberships of one account to another, unconfirmed, with their groups, applications, directory entries and external
 * identities. If the target account already has a membership in a team, that one stays. Team passwords are deleted; other credentials
 * stay with the old account. Runs in the caller's transaction, which has locked both accounts.
 * @returns the teams, with the role in each
 */
export type MoveMemberships = (
  tx: Transaction,
  clock: Clock,
  from: UserId,
  to: UserId,
) => Promise<{ teamId: TeamId; role: string }[]>

/**
 * Creates the function from the parts of other modules, whose tables reference memberships. It is one statement, because the references
 * must be valid at its end.
 * @param parts SQL, one statement for each table: it changes the rows of the user `:from` in the teams of `moved`, to the user `:to`
 */
export function createMoveMemberships(parts: readonly string[]): MoveMemberships {
  const move = namedQuery<{ teamId: TeamId; role: string }, { from: UserId; to: UserId; now: Date }>(
    'members.move',
    `WITH moved AS (
       UPDATE memberships m SET user_id = :to, counts = false, last_unrestricted_use_at = NULL, second_factor_at = NULL, tokens_since = :now, created_at = :now, updated_at = :now
       WHERE m.user_id = :from AND NOT EXISTS (SELECT FROM memberships own WHERE own.user_id = :to AND own.organization_id = m.organization_id)
       RETURNING m.organization_id, m.role),
     forgotten_setters AS (DELETE FROM temporary_setters t USING moved WHERE t.user_id = :from AND t.organization_id = moved.organization_id),
     ${parts.map((part, index) => `part_${index} AS (${part})`).join(', ')}
     SELECT organization_id AS "teamId", role FROM moved`,
  )
  return (tx, clock, from, to) => tx.run(move, { from, to, now: clock.now() })
}
