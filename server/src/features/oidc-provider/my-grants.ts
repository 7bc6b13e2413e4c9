import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionActor } from '../../platform/http/actor.js'
import { type ApplicationId, parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { lockUser } from '../identities/index.js'
import { opensUnrestricted } from '../members/index.js'
import { describedScopes } from '../oidc-config/index.js'
import { endGrantsOf } from '../sessions/index.js'
import type { OidcProviderDeps } from './deps.js'
import { refusal } from './errors.js'

/** What a user has allowed an application. */
export interface MyGrant {
  applicationId: ApplicationId
  name: string
  logoUrl: string | null
  isAiAgent: boolean
  teamId: TeamId
  teamName: string
  scopes: string[]
  /** Each of them, with what the team says of it. */
  scopeDetails: { name: string; description: string | null }[]
  createdAt: Date
  updatedAt: Date
  /** When the application last made use of it. */
  lastUsedAt: Date | null
}

// Whoever has left a team learns nothing more of it; what they allowed its applications is dead meanwhile.
const listed = namedQuery<MyGrant, [UserId, TeamId | null]>(
  'oidc_provider.consents_of_person',
  `SELECT a.id AS "applicationId", a.name, a.logo_url AS "logoUrl", a.is_ai_agent AS "isAiAgent", o.id AS "teamId", o.name AS "teamName",
     s.scopes, ${describedScopes('a.id', 's.scopes')} AS "scopeDetails", c.created_at AS "createdAt", c.updated_at AS "updatedAt",
     (SELECT max(g.last_seen_at) FROM sessions g WHERE g.user_id = c.user_id AND g.application_id = c.application_id AND g.kind = 'grant') AS "lastUsedAt"
   FROM consents c JOIN applications a ON a.id = c.application_id JOIN organizations o ON o.id = a.organization_id
   JOIN memberships m ON m.user_id = c.user_id AND m.organization_id = o.id JOIN users u ON u.id = c.user_id
   CROSS JOIN LATERAL (SELECT c.scopes || ARRAY(SELECT d FROM unnest(c.delegated_scopes) d WHERE d <> ALL(c.scopes)) AS scopes) s
   WHERE c.user_id = $1 AND c.withdrawn_at IS NULL AND CASE WHEN $2::uuid IS NULL THEN ${opensUnrestricted('m', 'u')} ELSE o.id = $2 END
   ORDER BY lower(a.name), a.name, a.id`,
)

/** What the caller has allowed applications, by their names; a session that one team controls knows that team's alone. */
export const myGrants = ({ db }: Pick<OidcProviderDeps, 'db'>, actor: SessionActor): Promise<MyGrant[]> =>
  db.run(listed, [actor.userId, actor.confinedTo])

interface Withdrawn {
  teamId: TeamId
  clientId: string
}

const withdraw = namedQuery<Withdrawn, [UserId, ApplicationId, TeamId | null, Date]>(
  'oidc_provider.withdraw_consent',
  `UPDATE consents c SET scopes = '{}', claims = '{}', delegated_scopes = '{}', withdrawn_at = $4, updated_at = $4
   FROM applications a JOIN memberships m ON m.organization_id = a.organization_id JOIN users u ON u.id = m.user_id
   WHERE c.user_id = $1 AND c.application_id = $2 AND c.withdrawn_at IS NULL AND a.id = c.application_id AND m.user_id = c.user_id
     AND CASE WHEN $3::uuid IS NULL THEN ${opensUnrestricted('m', 'u')} ELSE a.organization_id = $3 END
   RETURNING a.organization_id AS "teamId", a.client_id AS "clientId"`,
)

/**
 * Takes back what the caller has allowed an application: its codes, access and refresh tokens for them are dead on the next request,
 * and it must ask anew. The consent is locked first, which whoever gives a code holds: what is given at the same moment is ended too.
 * @param id of the application
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
      ? await tx.run(withdraw, [actor.userId, application, actor.confinedTo, clock.now()])
      : []
    if (!application || !withdrawn) throw refusal('grant_not_found')
    const ended = await endGrantsOf(tx, clock, { user: actor.userId, application }, 'consent_withdrawn')
    await audit.record(tx, { ...actor, teamId: withdrawn.teamId }, 'application.consent_withdrawn', {
      resource: `application:${application}`,
      metadata: { client: withdrawn.clientId, grants: ended },
    })
  })
}
