import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { homeTeamOf } from '../teams/index.js'
import { users } from '../users/index.js'
import { memberships } from './tables.js'

/** Selects members, in any status, with their email addresses. */
const membersWithAddress = (tx: Transaction) =>
  tx
    .select({ userId: users.id, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))

/** Returns the email addresses of those of `ids` that are members of the team, in any status. Runs in the caller's transaction. */
export async function memberAddresses(tx: Transaction, teamId: TeamId, ids: string[]): Promise<Map<string, string>> {
  const rows = await membersWithAddress(tx).where(
    and(eq(memberships.organizationId, teamId), anyOf(memberships.userId, ids as UserId[])),
  )
  return new Map(rows.map(({ userId, email }) => [userId, email]))
}

/** Returns the members of the team whose email address contains the string, case-insensitively. Runs in the caller's transaction. */
export async function membersMatching(tx: Transaction, teamId: TeamId, text: string): Promise<UserId[]> {
  const rows = await membersWithAddress(tx).where(
    and(eq(memberships.organizationId, teamId), sql`strpos(${users.email}, ${text.toLowerCase()}) > 0`),
  )
  return rows.map(({ userId }) => userId)
}

/** Returns the member of the team with this email address, in any status. Runs in the caller's transaction. */
export async function memberByEmail(tx: Transaction, teamId: TeamId, email: string): Promise<UserId | undefined> {
  const [row] = await membersWithAddress(tx).where(and(eq(memberships.organizationId, teamId), eq(users.email, email)))
  return row?.userId
}

const MAX_RECIPIENTS = 50

/** Returns at most 50 active members of a team with one of the roles, in the order of joining. Runs in the caller's transaction. */
export const mailRecipients = (
  tx: Transaction,
  teamId: TeamId,
  roles: string[],
): Promise<{ userId: UserId; email: string }[]> =>
  membersWithAddress(tx)
    .where(
      and(
        eq(memberships.organizationId, teamId),
        eq(memberships.status, 'active'),
        eq(users.status, 'active'),
        inArray(memberships.role, roles),
      ),
    )
    .orderBy(asc(memberships.createdAt), asc(memberships.userId))
    .limit(MAX_RECIPIENTS)

/**
 * Returns the email address that mails of the team show as a member's; null if it is unverified, because anyone can register any email
 * address. In the home team it counts as verified. Runs in the caller's transaction.
 */
export async function verifiedSenderEmail(
  tx: Transaction,
  teamId: TeamId,
  { email, emailVerified }: { email: string; emailVerified: boolean },
): Promise<string | null> {
  return emailVerified || (await homeTeamOf(tx, email)) === teamId ? email : null
}
