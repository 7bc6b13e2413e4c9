import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionId, UserId } from '../../platform/ids.js'

/** One session, all of a user, or all of a user but one. */
export type WhichSessions = { session: SessionId } | { user: UserId; except?: SessionId }

const endOne = namedQuery<{ id: SessionId }, [SessionId, Date, string]>(
  'sessions.end_one',
  'UPDATE sessions SET ended_at = $2, end_reason = $3 WHERE id = $1 AND ended_at IS NULL RETURNING id',
)
const endAll = namedQuery<{ id: SessionId }, [UserId, Date, string, SessionId | null]>(
  'sessions.end_all',
  `UPDATE sessions SET ended_at = $2, end_reason = $3
   WHERE user_id = $1 AND ended_at IS NULL AND expires_at > $2 AND id IS DISTINCT FROM $4 RETURNING id`,
)

/** A step: ends sessions at the commit, with everything that hangs on them, on every node. Answers how many lived. */
export async function endSessions(tx: Transaction, clock: Clock, which: WhichSessions, why: string): Promise<number> {
  const ended =
    'session' in which
      ? await tx.run(endOne, [which.session, clock.now(), why])
      : await tx.run(endAll, [which.user, clock.now(), why, which.except ?? null])
  return ended.length
}
