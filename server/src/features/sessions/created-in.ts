import { type Column, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionId, UserId } from '../../platform/ids.js'

/** A session of a user that verifies the email address and keeps what it created. */
export interface OwnSession {
  user: UserId
  session: SessionId
}

/**
 * SQL: whether an object of the user was created in the session: after its sign-in, while no other unrestricted session of the user was
 * active. Derived from the time, because few rows store the session in which they were created.
 * @param at the creation time of the object
 */
export const createdIn = (at: Column | SQL, { user, session }: OwnSession): SQL =>
  sql`(${at} >= (SELECT n.created_at FROM sessions n WHERE n.id = ${session}) AND NOT EXISTS (SELECT FROM sessions o
    WHERE o.user_id = ${user} AND o.id <> ${session} AND o.kind = 'session' AND o.confined_team_id IS NULL
      AND o.created_at <= ${at} AND least(o.ended_at, o.expires_at) >= ${at}))`

const others = namedQuery<{ id: SessionId }, [UserId, SessionId]>(
  'sessions.others',
  `SELECT id FROM sessions WHERE user_id = $1 AND id <> $2 AND kind = 'session' AND confined_team_id IS NULL LIMIT 1`,
)

/** Returns whether the user has had another unrestricted session. Runs in the caller's transaction. */
export const hadOtherSessions = async (tx: Transaction, { user, session }: OwnSession): Promise<boolean> =>
  (await tx.run(others, [user, session])).length > 0
