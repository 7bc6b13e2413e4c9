import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { ApplicationId, TeamId, UserId } from '../../../platform/ids.js'
import { assigned } from '../../applications/index.js'
import { grantsUnrestricted, isConfirmed } from '../../members/index.js'
import { teamLimitOf } from '../../permissions/index.js'
import type { OidcProviderDeps } from '../model/deps.js'

export interface MyApplication {
  id: ApplicationId
  name: string
  description: string | null
  logoUrl: string | null
  type: 'OIDC' | 'SAML'
  launchUrl: string | null
  /** IdP-initiated SAML sign-in is allowed. */
  idpInitiated: boolean
  isAiAgent: boolean
  teamId: TeamId
  teamName: string
  /** The user's last activity, as long as ended sessions are stored. */
  lastUsedAt: Date | null
}

// The rules of `grantIsValid` without a grant.
const usable = namedQuery<MyApplication, [UserId, TeamId | null]>(
  'oidc_provider.applications_of_person',
  `SELECT a.id, a.name, a.description, a.logo_url AS "logoUrl", a.type, a.launch_url AS "launchUrl",
     a.type = 'SAML' AND a.saml_allow_idp_initiated AND a.saml_sp_acs_url IS NOT NULL AS "idpInitiated", a.is_ai_agent AS "isAiAgent",
     o.id AS "teamId", o.name AS "teamName", used.at AS "lastUsedAt"
   FROM users u JOIN memberships m ON m.user_id = u.id JOIN organizations o ON o.id = m.organization_id
   JOIN applications a ON a.organization_id = o.id
   LEFT JOIN (SELECT application_id, max(last_seen_at) AS at FROM sessions WHERE user_id = $1 AND kind = 'grant' GROUP BY application_id) used
     ON used.application_id = a.id
   WHERE u.id = $1 AND u.status = 'active' AND m.status = 'active' AND (o.id = $2 OR (${isConfirmed('m', 'u')} AND ${grantsUnrestricted('m', 'u')})) AND o.status = 'ACTIVE'
     AND ($2::uuid IS NULL OR o.id = $2) AND a.stopped_at IS NULL
     AND (a.type = 'SAML' OR a.grant_types && ARRAY['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'])
     AND (NOT a.assignment_required OR ${assigned('a.id', 'u.id')})
   ORDER BY lower(a.name), a.name, a.id`,
)

/**
 * Returns the applications that the caller may use in their confirmed teams, by name; in a restricted session only those of its team.
 * Excludes applications without users (client_credentials only) and stopped applications.
 */
export async function myApplications(
  { db, samlUses }: OidcProviderDeps,
  actor: SessionActor,
): Promise<MyApplication[]> {
  const found = await db.run(usable, [actor.userId, teamLimitOf(actor)])
  if (!found.some(({ type }) => type === 'SAML')) return found
  const uses = await samlUses(actor.userId)
  return found.map((one) => ({ ...one, lastUsedAt: uses.get(one.id) ?? one.lastUsedAt }))
}
