import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionId } from '../../platform/ids.js'

const hold = namedQuery<{ id: SessionId }, [SessionId, Date]>(
  'sessions.hold',
  'SELECT id FROM sessions WHERE id = $1 AND ended_at IS NULL AND expires_at > $2 FOR SHARE',
)

/** A step: whether the session is alive; if so, whoever ends it waits until the transaction ends. */
export async function holdSession(tx: Transaction, clock: Clock, id: SessionId): Promise<boolean> {
  return (await tx.run(hold, [id, clock.now()])).length === 1
}
