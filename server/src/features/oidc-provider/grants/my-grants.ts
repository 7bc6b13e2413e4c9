import { eq } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import { type ApplicationId, parseId, type TeamId, type UserId } from '../../../platform/ids.js'
import { grantsUnrestricted } from '../../members/index.js'
import { describedScopes } from '../../oidc-config/index.js'
import { teamLimitOf } from '../../permissions/index.js'
import { revokeGrantsOf } from '../../sessions/index.js'
import { lockUser } from '../../users/index.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'
import { consents } from '../tables.js'

/** The grant of a user to an application. */
export interface MyGrant {
  applicationId: ApplicationId
  name: string
  logoUrl: string | null
  isAiAgent: boolean
  teamId: TeamId
  teamName: string
  scopes: string[]
  /** The scopes with the team's descriptions. */
  scopeDetails: { name: string; description: string | null }[]
  createdAt: Date
  updatedAt: Date
  /** The last use by the application. */
  lastUsedAt: Date | null
}

// Excludes teams that the user has left: their grants are no longer valid.
const listed = namedQuery<MyGrant, [UserId, TeamId | null]>(
  'oidc_provider.consents_of_person',
  `SELECT a.id AS "applicationId", a.name, a.logo_url AS "logoUrl", a.is_ai_agent AS "isAiAgent", o.id AS "teamId", o.name AS "teamName",
     coalesce(c.scopes, '{}') AS scopes, ${describedScopes('a.id', 'c.scopes')} AS "scopeDetails", c.created_at AS "createdAt", c.updated_at AS "updatedAt",
     (SELECT max(g.last_seen_at) FROM sessions g WHERE g.user_id = c.user_id AND g.application_id = c.application_id AND g.kind = 'grant' AND ($2::uuid IS NULL OR g.confined_team_id = $2)) AS "lastUsedAt"
   FROM (
     SELECT user_id, application_id, min(created_at) AS created_at, max(updated_at) AS updated_at,
       (SELECT array_agg(DISTINCT scope) FROM consents one, unnest(one.scopes || one.delegated_scopes) scope
        WHERE one.user_id = $1 AND one.application_id = c.application_id AND one.withdrawn_at IS NULL AND ($2::uuid IS NULL OR one.restricted)) AS scopes
     FROM consents c WHERE user_id = $1 AND withdrawn_at IS NULL AND ($2::uuid IS NULL OR restricted) GROUP BY user_id, application_id) c
   JOIN applications a ON a.id = c.application_id JOIN organizations o ON o.id = a.organization_id
   JOIN memberships m ON m.user_id = c.user_id AND m.organization_id = o.id JOIN users u ON u.id = c.user_id
   WHERE CASE WHEN $2::uuid IS NULL THEN ${grantsUnrestricted('m', 'u')} ELSE o.id = $2 END
   ORDER BY lower(a.name), a.name, a.id`,
)

/** Returns the caller's grants by application name; in a restricted session only the grants from such sessions. */
export const myGrants = ({ db }: Pick<OidcProviderDeps, 'db'>, actor: SessionActor): Promise<MyGrant[]> =>
  db.run(listed, [actor.userId, teamLimitOf(actor)])

interface Withdrawn {
  teamId: TeamId
  clientId: string
}

const withdraw = namedQuery<Withdrawn, [UserId, ApplicationId, TeamId | null, Date]>(
  'oidc_provider.withdraw_consent',
  `UPDATE consents c SET scopes = '{}', claims = '{}', delegated_scopes = '{}', withdrawn_at = $4, updated_at = $4
   FROM applications a JOIN memberships m ON m.organization_id = a.organization_id JOIN users u ON u.id = m.user_id
   WHERE c.user_id = $1 AND c.application_id = $2 AND c.withdrawn_at IS NULL AND a.id = c.application_id AND m.user_id = c.user_id
     AND CASE WHEN $3::uuid IS NULL THEN ${grantsUnrestricted('m', 'u')} ELSE a.organization_id = $3 AND c.restricted END
   RETURNING a.organization_id AS "teamId", a.client_id AS "clientId"`,
)

/**
 * Withdraws the caller's consent to an application: its codes and tokens for the caller are invalid on the next request, and it must request
 * consent again. A restricted session withdraws only consents from such sessions. Updating the consent waits for concurrent `createGrant`
 * calls, so their grants are revoked too.
 * @param id ID of the application
 * @throws grant_not_found
 */
export async function withdrawGrant(
  { db, clock, audit }: Pick<OidcProviderDeps, 'db' | 'clock' | 'audit'>,
  actor: SessionActor,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockUser(tx, actor.userId)
    const application = parseId<ApplicationId>(id)
    const [withdrawn] = application
      ? await tx.run(withdraw, [actor.userId, application, teamLimitOf(actor), clock.now()])
      : []
    if (!application || !withdrawn) throw rejection('grant_not_found')
    const ended = await revokeGrantsOf(
      tx,
      clock,
      { user: actor.userId, application, restrictedTo: actor.restrictedToTeam },
      'consent_withdrawn',
    )
    await audit.record(tx, { ...actor, teamId: withdrawn.teamId }, 'application.consent_withdrawn', {
      resource: `application:${application}`,
      metadata: { client: withdrawn.clientId, grants: ended },
    })
  })
}

/** Deletes the user's consents, so that each application requires consent again. Runs in the caller's transaction. @returns their number */
export async function deleteConsents(tx: Transaction, userId: UserId): Promise<number> {
  const removed = await tx.delete(consents).where(eq(consents.userId, userId)).returning({ id: consents.applicationId })
  return removed.length
}
