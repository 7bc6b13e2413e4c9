import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { UserId } from '../../platform/ids.js'

const signedIn = namedQuery<{ found: number }, [UserId, Date]>(
  'sessions.signed_in_since',
  `SELECT 1 AS found FROM sessions WHERE user_id = $1 AND kind = 'session' AND confined_team_id IS NULL AND signed_in_at > $2 LIMIT 1`,
)

/** Returns whether an unrestricted session of the user began after a time, at most 30 days ago. Runs in the caller's transaction. */
export const hasSignedInSince = async (tx: Transaction, userId: UserId, since: Date): Promise<boolean> =>
  (await tx.run(signedIn, [userId, since])).length > 0
