import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { users } from '../users/index.js'
import { memberships } from './tables.js'

const LIMIT = 50

/** Returns at most 50 active members of a team with one of the roles, in the order of joining. Runs in the caller's transaction. */
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
    .limit(LIMIT)
