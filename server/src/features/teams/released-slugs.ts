import { type Clock, DAY, fromNow } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId } from '../../platform/ids.js'

/** Links and bookmarks of a team must not lead to another team soon afterwards. */
const RESERVED_FOR = 365 * DAY

const storeReleased = namedQuery<never, [string, TeamId, Date, Date]>(
  'organizations.release_slug',
  `WITH expired AS (DELETE FROM released_slugs WHERE released_at <= $4 AND slug <> $1)
   INSERT INTO released_slugs (slug, organization_id, released_at) VALUES ($1, $2, $3)
   ON CONFLICT (slug) DO UPDATE SET organization_id = excluded.organization_id, released_at = excluded.released_at`,
)
const findReserved = namedQuery<{ slug: string }, [string, TeamId, Date]>(
  'organizations.reserved_slug',
  'SELECT slug FROM released_slugs WHERE slug = $1 AND organization_id <> $2 AND released_at > $3',
)

/** Reserves a slug that the team released. Runs in the caller's transaction. */
export async function releaseSlug(tx: Transaction, clock: Clock, slug: string, teamId: TeamId): Promise<void> {
  await tx.run(storeReleased, [slug, teamId, clock.now(), fromNow(clock, -RESERVED_FOR)])
}

/**
 * Returns whether the team's new slug is reserved for another team. Call it after writing the slug: only then has a concurrent release been
 * waited for. Runs in the caller's transaction.
 */
export async function isReserved(tx: Transaction, clock: Clock, slug: string, teamId: TeamId): Promise<boolean> {
  return (await tx.run(findReserved, [slug, teamId, fromNow(clock, -RESERVED_FOR)])).length > 0
}
