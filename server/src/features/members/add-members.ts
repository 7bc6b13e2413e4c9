import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { MembershipId, TeamId, UserId } from '../../platform/ids.js'
import type { Role } from '../access/index.js'
import type { DirectoryProfile, Membership } from './repository.js'
import { seatsOf } from './seats-of.js'

export interface NewMember {
  userId: UserId
  /** Of their account. */
  email: string
  status: Membership['status']
  profile: DirectoryProfile
}

// Begun after the team was locked: no invitation of these addresses is made any more.
const insertMembers = namedQuery<{ count: number; invited: string[] }, [string, TeamId, Role, Date, string[]]>(
  'members.add_members',
  `WITH added AS (
   INSERT INTO memberships (id, user_id, organization_id, role, status, counts, first_name, last_name, department, title, phone, locale, external_id, tokens_since, created_at, updated_at)
   SELECT id, "userId", $2, $3, status, true, "firstName", "lastName", department, title, phone, locale, "externalId", $4, $4, $4
   FROM jsonb_to_recordset($1::jsonb) AS n (id uuid, "userId" uuid, status text, "firstName" text, "lastName" text, department text, title text, phone text, locale text, "externalId" text)
   ON CONFLICT DO NOTHING RETURNING id)
   SELECT (SELECT count(*)::int FROM added) AS count,
     ARRAY(SELECT email FROM invitations WHERE organization_id = $2 AND email = ANY($5::text[]) AND status = 'PENDING') AS invited`,
)

/**
 * A step: makes accounts that the team has just made its members, all of them in one statement, or answers undefined: then there are
 * too few seats, or an external id is another's, and nothing of the transaction may be kept. The team is locked as by `addMember`.
 * @returns the memberships, in the order of `members`, and the addresses among theirs whose invitation still waits
 */
export async function addMembers(
  tx: Transaction,
  clock: Clock,
  { teamId, role }: { teamId: TeamId; role: Role },
  members: NewMember[],
): Promise<{ ids: MembershipId[]; addedAt: Date; invited: string[] } | undefined> {
  const seats = await seatsOf(tx, teamId)
  if (!seats || seats.taken + members.length > seats.limit) return undefined
  const ids = members.map(() => uuidv7<MembershipId>(clock))
  const rows = members.map(({ userId, status, profile }, index) => ({ userId, status, ...profile, id: ids[index] }))
  const addedAt = clock.now()
  const emails = members.map(({ email }) => email)
  const [added] = await tx.run(insertMembers, [JSON.stringify(rows), teamId, role, addedAt, emails])
  return added?.count === members.length ? { ids, addedAt, invited: added.invited } : undefined
}
