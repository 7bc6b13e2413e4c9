import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { TeamId, UserId } from '../../platform/ids.js'

const removeOfTeam = namedQuery<never, [UserId, TeamId]>(
  'saml_provider.end_sessions_in_team',
  `DELETE FROM saml_sessions t USING sessions s, applications a
   WHERE s.id = t.session_id AND a.id = t.application_id AND s.user_id = $1 AND a.organization_id = $2`,
)

/**
 * Ends what a user's sessions are to the SAML applications of a team: these end none of the sessions by a LogoutRequest, and are not
 * notified of the end of one. Runs in the caller's transaction.
 */
export async function endSamlSessions(tx: Transaction, userId: UserId, teamId: TeamId): Promise<void> {
  await tx.run(removeOfTeam, [userId, teamId])
}
