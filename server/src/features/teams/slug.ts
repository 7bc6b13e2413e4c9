import { type Clock, DAY, fromNow } from '../../platform/clock.js'
import { randomKey } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { deletedAfter, type RetentionRule } from '../../platform/db/retention.js'
import type { TeamId } from '../../platform/ids.js'
import { releasedSlugs } from './tables.js'

/** Excludes the format of IDs: where either is accepted, they must be distinguishable. */
export const SLUG_PATTERN =
  '^(?![0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'

const MAX_LENGTH = 48

/** Derives a URL-safe slug from a name: removes diacritics and replaces other characters by hyphens; `team` if nothing remains. */
export function slugFrom(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
  if (!plain) return 'team'
  return new RegExp(SLUG_PATTERN).test(plain) ? plain : slugWithSuffix(plain)
}

/** Appends a random suffix, for a slug that is taken. */
export const slugWithSuffix = (slug: string): string => `${slug}-${randomKey(4).toString('hex')}`

/**
 * Slugs that no team can use: first segments of page and API URLs, so that a link to a team never looks like one of the product, and names
 * under which users expect the product itself.
 */
const RESERVED = new Set(
  `
  access account accounts admin administrator api api-tokens app applications assets audit auth billing blog callback
  config confirm-email consent console dashboard device directory docs domains download email error favicon
  forgot-password groups health help home instance internal invitations invite keyward livez logged-out login logos
  logout mail mails me metrics mfa new oauth onboard openapi org organization organizations password-due permissions
  policies postmaster privacy public readyz register reset-password root saml scim search security session sessions
  settings
  setup sign-in sign-up signin signup sso static stats status store support system t terms test token try user users
  verify-email webhooks well-known www
`
    .trim()
    .split(/\s+/),
)

export const isReservedSlug = (slug: string): boolean => RESERVED.has(slug)

/** Links and bookmarks of a team must not lead to another team soon afterwards. */
const RESERVED_FOR = 365 * DAY

export const TEAM_RETENTION: RetentionRule[] = [
  deletedAfter(releasedSlugs, releasedSlugs.releasedAt, RESERVED_FOR, 'a year after the team released them'),
]

const storeReleased = namedQuery<never, [string, TeamId, Date]>(
  'organizations.release_slug',
  `INSERT INTO released_slugs (slug, organization_id, released_at) VALUES ($1, $2, $3)
   ON CONFLICT (slug) DO UPDATE SET organization_id = excluded.organization_id, released_at = excluded.released_at`,
)
const findReserved = namedQuery<{ slug: string }, [string, TeamId, Date]>(
  'organizations.reserved_slug',
  'SELECT slug FROM released_slugs WHERE slug = $1 AND organization_id <> $2 AND released_at > $3',
)

/** Reserves a slug that the team released. Runs in the caller's transaction. */
export async function releaseSlug(tx: Transaction, clock: Clock, slug: string, teamId: TeamId): Promise<void> {
  await tx.run(storeReleased, [slug, teamId, clock.now()])
}

/**
 * Returns whether the team's new slug is reserved for another team. Call it after writing the slug: only then has a concurrent release been
 * waited for. Runs in the caller's transaction.
 */
export async function isReserved(tx: Transaction, clock: Clock, slug: string, teamId: TeamId): Promise<boolean> {
  return (await tx.run(findReserved, [slug, teamId, fromNow(clock, -RESERVED_FOR)])).length > 0
}
