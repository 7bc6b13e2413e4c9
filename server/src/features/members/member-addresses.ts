import { and, eq, sql } from 'drizzle-orm'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { users } from '../users/index.js'
import { memberships } from './tables.js'

/** Returns the email addresses of those of `ids` that are members of the team, in any status. Runs in the caller's transaction. */
export async function memberAddresses(tx: Transaction, teamId: TeamId, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: users.id, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, teamId), anyOf(memberships.userId, ids as UserId[])))
  return new Map(rows.map(({ id, email }) => [id, email]))
}

/** Returns the members of the team whose email address contains the string, case-insensitively. Runs in the caller's transaction. */
export async function membersMatching(tx: Transaction, teamId: TeamId, text: string): Promise<UserId[]> {
  const rows = await tx
    .select({ id: users.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, teamId), sql`strpos(${users.email}, ${text.toLowerCase()}) > 0`))
  return rows.map(({ id }) => id)
}
