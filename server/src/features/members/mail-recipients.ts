import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { users } from '../users/index.js'
import { memberships } from './tables.js'

const MOST = 50

/** Returns active members of a team in one of the roles, at most 50, those who joined first in front. Runs in the caller's transaction. */
export const mailRecipients = (
  tx: Transaction,
  teamId: TeamId,
  roles: string[],
): Promise<{ userId: UserId; email: string }[]> =>
  tx
    .select({ userId: users.id, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.organizationId, teamId),
        eq(memberships.status, 'active'),
        eq(users.status, 'active'),
        inArray(memberships.role, roles),
      ),
    )
    .orderBy(asc(memberships.createdAt), asc(memberships.userId))
    .limit(MOST)
