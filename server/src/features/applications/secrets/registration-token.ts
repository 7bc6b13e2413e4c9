import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { type ApplicationId, type OriginId, parseId, type TeamId, type UserId } from '../../../platform/ids.js'
import { isCoveredBySetter } from '../../members/index.js'
import { permissionsOf, ROLES } from '../../permissions/index.js'

/** The member with whose permissions a client manages itself through its registration access token (RFC 7592). */
export interface TokenCreator {
  userId: UserId
  /** The origin of the creator's session. */
  temporarySetBy: OriginId | null
}

const ROLES_WITH_WRITE = ROLES.filter((role) => permissionsOf(role).has('applications:write'))

/**
 * SQL: whether the registration access token has an authorized creator: an active member who may change applications, or the instance.
 * @param a alias of `applications`
 */
export const hasTokenCreator = (a: string): string => `(${a}.registration_token_of_instance OR EXISTS (
  SELECT FROM memberships tm JOIN users tu ON tu.id = tm.user_id AND tu.status = 'active' AND tu.epoch = ${a}.registration_token_epoch
  WHERE tm.user_id = ${a}.registration_token_by AND tm.organization_id = ${a}.organization_id AND tm.status = 'active'
    AND tm.role = ANY('{${ROLES_WITH_WRITE.join(',')}}')
    AND ${isCoveredBySetter(`${a}.registration_token_temporary_set_by`, 'tm.role', `${a}.organization_id`)}))`

const writeCreator = namedQuery<{ id: ApplicationId }, [ApplicationId, TeamId, UserId, OriginId | null]>(
  'applications.write_token_maker',
  `UPDATE applications a SET registration_token_by = u.id, registration_token_epoch = u.epoch, registration_token_temporary_set_by = $4
   FROM users u WHERE a.id = $1 AND a.organization_id = $2 AND u.id = $3
     AND a.registration_token_hash IS NOT NULL AND NOT ${hasTokenCreator('a')}
   RETURNING a.id`,
)

/**
 * Makes the member the creator of the registration access token, if it has none. A save by another member does not replace an authorized
 * creator: the token is rejected when that creator leaves, who may have a copy. Runs in the caller's transaction.
 * @returns whether the member took it over
 */
export async function setTokenCreator(
  tx: Transaction,
  teamId: TeamId,
  application: string,
  { userId, temporarySetBy }: TokenCreator,
): Promise<boolean> {
  const id = parseId<ApplicationId>(application)
  return id !== undefined && (await tx.run(writeCreator, [id, teamId, userId, temporarySetBy])).length > 0
}

/** Selects a user's tokens: those of a team, or those of sessions that a temporary password started. */
type WhichTokens = { team: TeamId } | { temporary: 'anyone' | { teamId: TeamId; origins: OriginId[] } }

const orphan = namedQuery<{ teamId: TeamId }, [UserId, TeamId | null, boolean, OriginId[] | null]>(
  'applications.orphan_registration_tokens',
  `UPDATE applications SET registration_token_by = NULL, registration_token_temporary_set_by = NULL
   WHERE registration_token_by = $1 AND ($2::uuid IS NULL OR organization_id = $2)
     AND (NOT $3 OR registration_token_temporary_set_by IS NOT NULL)
     AND ($4::uuid[] IS NULL OR registration_token_temporary_set_by = ANY($4)) RETURNING organization_id AS "teamId"`,
)

/**
 * Removes the user as the creator of registration access tokens, which are rejected until an administrator saves the application. Runs in
 * the caller's transaction.
 * @returns the team of each
 */
export async function orphanRegistrationTokensOf(
  tx: Transaction,
  userId: UserId,
  which?: WhichTokens,
): Promise<TeamId[]> {
  const temporary = which && 'temporary' in which ? which.temporary : undefined
  const by = typeof temporary === 'object' ? temporary : undefined
  const team = which && 'team' in which ? which.team : (by?.teamId ?? null)
  const rows = await tx.run(orphan, [userId, team, temporary !== undefined, by?.origins ?? null])
  return rows.map(({ teamId }) => teamId)
}
