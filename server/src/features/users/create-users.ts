import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { newUserId } from './new-user-id.js'

// Ordered by email address, so that two transactions that insert the same accounts do not deadlock.
const insertUsers = namedQuery<{ id: UserId; email: string }, [string, TeamId, Date]>(
  'identities.create_users',
  `INSERT INTO users (id, email, status, self_registered, made_by_team_id, created_at, updated_at)
   SELECT id, email, 'active', false, $2, $3, $3 FROM jsonb_to_recordset($1::jsonb) AS n (id uuid, email text)
   ORDER BY email ON CONFLICT (email) DO NOTHING RETURNING id, email`,
)

/**
 * Inserts accounts for a team in one statement: active, unverified, with an empty own profile. Email addresses that already have an account
 * are skipped. Runs in the caller's transaction.
 * @param emails normalized
 * @returns the IDs of the new accounts by email address
 */
export async function createUsers(
  tx: Transaction,
  clock: Clock,
  teamId: TeamId,
  emails: string[],
): Promise<Map<string, UserId>> {
  const rows = [...new Set(emails)].map((email) => ({ email, id: newUserId() }))
  const created = await tx.run(insertUsers, [JSON.stringify(rows), teamId, clock.now()])
  return new Map(created.map(({ id, email }) => [email, id]))
}
