import { namedQuery } from '../../platform/db/named-query.js'
import { refusal as platformRefusal } from '../../platform/errors.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { SsoProviderId, TeamId } from '../../platform/ids.js'
import { sourceOf, throttleKey } from '../../platform/throttle/throttle.js'
import type { SsoDeps } from './deps.js'
import { readDomain } from './domain-name.js'

export interface Discovered {
  id: SsoProviderId
  /** Of the provider, if the team has verified the domain; else the same for every provider: any team can list any domain. */
  name: string
  type: string
  protocol: string
  orgId: TeamId
  /** The team has verified the domain by DNS: a sign-in page may redirect there automatically. */
  automatic: boolean
}

/** What a provider is called while its team has not verified the domain. */
const UNVERIFIED_NAME = 'Single sign-on'

const providersFor = namedQuery<Discovered, [string, string]>(
  'sso.discover',
  `SELECT p.id, CASE WHEN d.domain IS NULL THEN $2 ELSE p.name END AS name, p.type, p.protocol, p.organization_id AS "orgId", d.domain IS NOT NULL AS automatic FROM sso_providers p
   LEFT JOIN team_domains d ON d.organization_id = p.organization_id AND d.domain = $1 AND d.verified_at IS NOT NULL
   WHERE p.enabled AND p.allowed_domains @> ARRAY[$1]::text[]
     AND (d.domain IS NOT NULL OR NOT EXISTS (SELECT 1 FROM team_domains o WHERE o.domain = $1 AND o.verified_at IS NOT NULL))
   ORDER BY automatic DESC, 2, p.id LIMIT 50`,
)

/**
 * The providers that list a domain; where a team has proven it, those of that team alone, so that no other can put itself beside them.
 * It asks for a domain and never for an address, so that
 * nobody learns who has an account.
 * @throws invalid_request, rate_limited
 */
export async function discover(
  { db, accounts, config }: Pick<SsoDeps, 'db' | 'accounts' | 'config'>,
  text: string,
  { ip }: RequestOrigin,
): Promise<Discovered[]> {
  const domain = readDomain(text)
  if (!domain)
    throw platformRefusal('invalid_request', {
      detail: text.includes('@') ? 'Ask for the domain alone, not for an address' : 'That is no e-mail domain',
      errors: [{ path: 'query/domain', message: 'must be an e-mail domain, such as example.com' }],
    })
  await accounts.throttle.admitHourly(db, throttleKey('sso-discover', sourceOf(ip)), config.limits.discoveries)
  return db.run(providersFor, [domain, UNVERIFIED_NAME])
}
