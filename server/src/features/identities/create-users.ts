import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import type { OwnProfile } from './repository.js'

export type TeamMadeUser = Partial<OwnProfile> & { email: string; status: 'active' | 'suspended' }

// In the order of the addresses, so that two who make the same people do not wait in a circle.
const insertUsers = namedQuery<{ id: UserId; email: string }, [string, TeamId, Date]>(
  'identities.create_users',
  `INSERT INTO users (id, email, first_name, last_name, department, title, phone, locale, status, self_registered, made_by_team_id, created_at, updated_at)
   SELECT id, email, "firstName", "lastName", department, title, phone, locale, status, false, $2, $3, $3
   FROM jsonb_to_recordset($1::jsonb) AS n (id uuid, email text, "firstName" text, "lastName" text, department text, title text, phone text, locale text, status text)
   ORDER BY email ON CONFLICT (email) DO NOTHING RETURNING id, email`,
)

/**
 * A step: makes the accounts of a team in one statement; of an address that has one already, or comes twice, no second.
 * @param users their addresses normalized
 * @returns the new accounts by address
 */
export async function createUsers(
  tx: Transaction,
  clock: Clock,
  teamId: TeamId,
  users: TeamMadeUser[],
): Promise<Map<string, UserId>> {
  const rows = users.map((user) => ({ ...user, id: uuidv7<UserId>(clock) }))
  const made = await tx.run(insertUsers, [JSON.stringify(rows), teamId, clock.now()])
  return new Map(made.map(({ id, email }) => [email, id]))
}
