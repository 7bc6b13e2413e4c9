import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { permissionsOf, ROLES } from '../access/index.js'
import { users } from '../identities/index.js'
import { memberships } from '../members/index.js'

const WRITERS = ROLES.filter((role) => permissionsOf(role).has('sso:write'))
/** A team with more has somebody among them. */
const MOST = 50

/** A step: the addresses of those who may write providers of the team and can sign in, those who joined first in front. */
export async function administratorsOf(tx: Transaction, teamId: TeamId): Promise<string[]> {
  const rows = await tx
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.organizationId, teamId),
        eq(memberships.status, 'active'),
        eq(users.status, 'active'),
        inArray(memberships.role, WRITERS),
      ),
    )
    .orderBy(asc(memberships.createdAt), asc(memberships.userId))
    .limit(MOST)
  return rows.map(({ email }) => email)
}
