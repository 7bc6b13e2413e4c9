import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import { type ApplicationId, parseId, type TeamId, type UserId } from '../../../platform/ids.js'
import { teamLimitOf } from '../../permissions/index.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'
import { TOKEN_EXCHANGE } from '../model/grant-types.js'
import { mayUse } from '../model/grant-validity.js'

/** An agent whose grant the user withdrew: it cannot exchange the user's tokens until the user restores the grant. */
export interface WithdrawnGrant {
  applicationId: ApplicationId
  name: string
  logoUrl: string | null
  isAiAgent: boolean
  teamId: TeamId
  teamName: string
  withdrawnAt: Date
}

// An application with a sign-in requests consent again there. An agent that only exchanges tokens never does.
const WITHDRAWN = `FROM consents c JOIN applications a ON a.id = c.application_id JOIN organizations o ON o.id = a.organization_id
  JOIN users u ON u.id = c.user_id JOIN memberships m ON m.user_id = c.user_id AND m.organization_id = o.id
  WHERE c.user_id = $1 AND c.withdrawn_at IS NOT NULL AND ($2::uuid IS NULL OR (o.id = $2 AND c.restricted)) AND o.status = 'ACTIVE'
    AND a.is_ai_agent AND '${TOKEN_EXCHANGE}' = ANY(a.grant_types) AND a.stopped_at IS NULL AND ${mayUse('a', 'm', 'u')}`

const listed = namedQuery<WithdrawnGrant, [UserId, TeamId | null]>(
  'oidc_provider.withdrawn_consents_of_person',
  `SELECT a.id AS "applicationId", a.name, a.logo_url AS "logoUrl", a.is_ai_agent AS "isAiAgent", o.id AS "teamId", o.name AS "teamName",
     max(c.withdrawn_at) AS "withdrawnAt" ${WITHDRAWN} GROUP BY a.id, o.id ORDER BY lower(a.name), a.name, a.id`,
)

/** Returns the agents whose grants the caller can restore, by name; in a restricted session only those withdrawn in such a session. */
export const withdrawnGrants = ({ db }: Pick<OidcProviderDeps, 'db'>, actor: SessionActor): Promise<WithdrawnGrant[]> =>
  db.run(listed, [actor.userId, teamLimitOf(actor)])

interface Allowed {
  teamId: TeamId
  clientId: string
}

const allow = namedQuery<Allowed, [UserId, TeamId | null, ApplicationId, Date]>(
  'oidc_provider.allow_again',
  `WITH found AS (SELECT DISTINCT a.id, a.organization_id, a.client_id ${WITHDRAWN} AND a.id = $3)
   UPDATE consents c SET withdrawn_at = NULL, created_at = $4, updated_at = $4 FROM found
   WHERE c.user_id = $1 AND c.application_id = found.id AND c.withdrawn_at IS NOT NULL AND ($2::uuid IS NULL OR c.restricted)
   RETURNING found.organization_id AS "teamId", found.client_id AS "clientId"`,
)

/**
 * Restores the withdrawn grant of an agent, so that it can exchange the caller's tokens again. Revoked tokens stay revoked, and the grant
 * has no scopes.
 * @param id ID of the application
 * @throws withdrawn_grant_not_found
 */
export async function allowAgain(
  { db, clock, audit }: Pick<OidcProviderDeps, 'db' | 'clock' | 'audit'>,
  actor: SessionActor,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const application = parseId<ApplicationId>(id)
    const [allowed] = application
      ? await tx.run(allow, [actor.userId, teamLimitOf(actor), application, clock.now()])
      : []
    if (!application || !allowed) throw rejection('withdrawn_grant_not_found')
    await audit.record(tx, { ...actor, teamId: allowed.teamId }, 'application.allowed_again', {
      resource: `application:${application}`,
      metadata: { client: allowed.clientId },
    })
  })
}
