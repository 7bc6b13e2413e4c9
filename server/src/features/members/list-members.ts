import type { Database } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { Actor } from '../../platform/http/actor.js'
import type { MembershipId, TeamId, UserId } from '../../platform/ids.js'
import { showsOwnProfile } from './confirmed.js'
import type { Membership } from './find-member.js'

/** A member as a list shows them: the team's values, with the own profile as fallback. */
export interface ListedMember {
  id: MembershipId
  userId: UserId
  organizationId: TeamId
  role: string
  status: Membership['status']
  email: string
  firstName: string | null
  lastName: string | null
  createdAt: Date
  updatedAt: Date
}

const membersPage = namedQuery<ListedMember, [TeamId, number, number]>(
  'members.page',
  `SELECT m.id, m.user_id AS "userId", m.organization_id AS "organizationId", m.role, m.status, u.email,
     coalesce(m.first_name, CASE WHEN ${showsOwnProfile('m', 'u')} THEN u.first_name END) AS "firstName", coalesce(m.last_name, CASE WHEN ${showsOwnProfile('m', 'u')} THEN u.last_name END) AS "lastName",
     m.created_at AS "createdAt", m.updated_at AS "updatedAt"
   FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1
   ORDER BY m.created_at DESC, m.id DESC LIMIT $2 OFFSET $3`,
)
const membersCount = namedQuery<{ count: number }, [TeamId]>(
  'members.count',
  'SELECT count(*)::int AS count FROM memberships WHERE organization_id = $1',
)

/** Returns one page of the team's members, newest first. */
export const listMembers = (
  { db }: { db: Database },
  { teamId }: Actor,
  { limit, page }: { limit: number; page: number },
): Promise<{ rows: ListedMember[]; total: number }> =>
  db.transaction(async (tx) => {
    const rows = await tx.run(membersPage, [teamId, limit, (page - 1) * limit])
    const [count] = await tx.run(membersCount, [teamId])
    return { rows, total: count?.count ?? 0 }
  })
