import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { MembershipId, TeamId, UserId } from '../../platform/ids.js'
import type { Role } from '../permissions/index.js'
import { teamError } from '../teams/index.js'
import { rejection } from './errors.js'
import type { Membership } from './find-member.js'
import type { DirectoryProfile } from './repository.js'
import type { MemberSource } from './tables.js'
import { rejectFull, type Seats, seatsOf } from './team-seats.js'

export interface NewMember {
  userId: UserId
  /** Email address of the account. Without it the result contains no pending invitation of this user. */
  email?: string
  role: Role
  status: Membership['status']
  /** Whether the user adds the membership by an explicit act. */
  confirmed: boolean
  source: MemberSource
  profile?: DirectoryProfile
}

// Runs after the team was locked, so no invitation for these addresses can be added concurrently.
const insertMembers = namedQuery<{ count: number; invited: string[] }, [string, TeamId, Date, string[]]>(
  'members.add_members',
  `WITH added AS (
   INSERT INTO memberships (id, user_id, organization_id, role, status, counts, first_name, last_name, department, title, phone, locale, external_id, source, tokens_since, created_at, updated_at)
   SELECT id, "userId", $2, role, status, confirmed, "firstName", "lastName", department, title, phone, locale, "externalId", source, $3, $3, $3
   FROM jsonb_to_recordset($1::jsonb) AS n (id uuid, "userId" uuid, role text, status text, confirmed boolean, "firstName" text, "lastName" text, department text, title text, phone text, locale text, "externalId" text, source text)
   ON CONFLICT DO NOTHING RETURNING id)
   SELECT (SELECT count(*)::int FROM added) AS count,
     ARRAY(SELECT email FROM invitations WHERE organization_id = $2 AND email = ANY($4::text[]) AND status = 'PENDING') AS invited`,
)

/**
 * Adds accounts to a team as members in one statement. Locks the team while its members are counted, so concurrent additions cannot exceed
 * the limit. Runs in the caller's transaction, which has locked the accounts.
 * @param counted result of `seatsOf` in this transaction, plus the members added since
 * @returns the memberships in the order of `members`, and those of the email addresses that have a pending invitation
 * @throws limit_reached, external_id_taken, organization_not_found: the transaction must not commit
 */
export async function addMembers(
  tx: Transaction,
  clock: Clock,
  teamId: TeamId,
  members: NewMember[],
  counted?: Seats,
): Promise<{ ids: MembershipId[]; addedAt: Date; invited: string[] }> {
  const seats = counted ?? (await seatsOf(tx, teamId))
  if (!seats) throw teamError('organization_not_found')
  rejectFull(seats, members.length)
  const ids = members.map(() => uuidv7<MembershipId>(clock))
  const rows = members.map(({ profile, ...member }, index) => ({ ...member, ...profile, id: ids[index] }))
  const addedAt = clock.now()
  const emails = members.flatMap(({ email }) => email ?? [])
  const [added] = await tx.run(insertMembers, [JSON.stringify(rows), teamId, addedAt, emails])
  // The accounts are locked and not in the team, so the violated unique key is that of the external ID.
  if (added?.count !== members.length) throw rejection('external_id_taken')
  return { ids, addedAt, invited: added.invited }
}

/**
 * Adds the user as an active, confirmed member by an explicit act of theirs. Runs in the caller's transaction, which has locked the
 * account.
 * @throws limit_reached, organization_not_found: the transaction must not commit
 */
export async function addMember(
  tx: Transaction,
  clock: Clock,
  { userId, teamId, role, source = 'local' }: { userId: UserId; teamId: TeamId; role: Role; source?: MemberSource },
): Promise<void> {
  await addMembers(tx, clock, teamId, [{ userId, role, status: 'active', confirmed: true, source }])
}
