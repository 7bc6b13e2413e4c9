import { namedQuery } from '../../../platform/db/named-query.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SsoProviderId, TeamId } from '../../../platform/ids.js'
import { sourceOf, throttleKey } from '../../../platform/throttle/throttle.js'
import { teamNamed } from '../../teams/index.js'
import type { SsoDeps } from '../model/deps.js'
import { readDomain } from './domain-name.js'

export interface Discovered {
  id: SsoProviderId
  /** The name of the provider if the team has verified the domain; otherwise the same for every provider, as any team can list any domain. */
  name: string
  type: string
  protocol: string
  orgId: TeamId
  /** The team has verified the domain by DNS: a sign-in page may redirect there automatically. */
  automatic: boolean
}

/** The name shown for a provider whose team has not verified the domain. */
const UNVERIFIED_NAME = 'Single sign-on'

/** The maximum number of providers listed for a domain that no team has verified, so that a sign-in page can offer them. */
const MAX_UNVERIFIED = 5
const MAX_VERIFIED = 50

// Providers of the team that verified the domain are in the order of their names. All others have the same name: first those whose last
// editor has a verified email address in the domain, because a team cannot forge that, then the older ones. The endpoint is public, so the
// order must not depend on the email address of a user: it would reveal memberships.
const providersFor = namedQuery<Discovered, [string, string, TeamId | null]>(
  'sso.discover',
  `WITH candidates AS (
     SELECT p.id, CASE WHEN d.domain IS NULL THEN $2 ELSE p.name END AS name, p.type, p.protocol, p.organization_id AS "orgId",
       d.domain IS NOT NULL AS automatic,
       coalesce(e.email_verified_at IS NOT NULL AND split_part(e.email, '@', 2) = $1, false) AS from_domain
     FROM sso_providers p
     LEFT JOIN team_domains d ON d.organization_id = p.organization_id AND d.domain = $1 AND d.verified_at IS NOT NULL
     LEFT JOIN users e ON e.id = p.saved_by
     WHERE p.enabled AND p.allowed_domains @> ARRAY[$1]::text[] AND ($3::uuid IS NULL OR p.organization_id = $3)
       AND (d.domain IS NOT NULL OR NOT EXISTS (SELECT 1 FROM team_domains o WHERE o.domain = $1 AND o.verified_at IS NOT NULL)))
   SELECT id, name, type, protocol, "orgId", automatic FROM (
     SELECT *, row_number() OVER (PARTITION BY "orgId" ORDER BY from_domain DESC, id) AS place FROM candidates) ranked
   WHERE automatic OR place = 1 OR $3::uuid IS NOT NULL
   ORDER BY automatic DESC, name, from_domain DESC, id LIMIT ${MAX_VERIFIED}`,
)

/**
 * Returns the providers that list a domain. If a team has verified the domain: all of its providers, at most 50. Otherwise one of each team,
 * at most five. With `team`: only the providers of that team, without the limit of one. The caller sends a domain, never an email address, so the response reveals nothing about accounts.
 * @param wanted `team` is an ID or a slug
 * @throws invalid_request, rate_limited
 */
export async function discover(
  { db, accounts, config }: Pick<SsoDeps, 'db' | 'accounts' | 'config'>,
  wanted: { domain: string; team?: string | undefined },
  { ip }: RequestOrigin,
): Promise<Discovered[]> {
  const domain = readDomain(wanted.domain)
  if (!domain)
    throw platformError('invalid_request', {
      detail: wanted.domain.includes('@')
        ? 'Send the domain only, not an email address'
        : 'This is not an email domain',
      errors: [{ path: 'query/domain', message: 'must be an email domain, such as example.com' }],
    })
  await accounts.throttle.admitHourly(db, throttleKey('sso-discover', sourceOf(ip)), config.limits.discoveries)
  const team = wanted.team === undefined ? null : await teamNamed(db, wanted.team)
  const providers = await db.run(providersFor, [domain, UNVERIFIED_NAME, team])
  return providers[0]?.automatic ? providers : providers.slice(0, MAX_UNVERIFIED)
}
