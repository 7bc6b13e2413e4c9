import { type Clock, DAY, fromNow } from '../../../platform/clock.js'
import type { Database } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { TeamId } from '../../../platform/ids.js'

const activeUsers = namedQuery<{ count: number }, [TeamId, Date]>(
  'accounts.active_users',
  'SELECT count(*)::int AS count FROM memberships WHERE organization_id = $1 AND last_used_at > $2',
)

/** Returns the number of members who signed in or switched to the team within the last 24 hours. */
export async function countActiveUsers({ db, clock }: { db: Database; clock: Clock }, teamId: TeamId): Promise<number> {
  return (await db.run(activeUsers, [teamId, fromNow(clock, -DAY)]))[0]?.count ?? 0
}
