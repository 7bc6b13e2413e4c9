import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { ApplicationId, SessionId } from '../../platform/ids.js'
import { isAdmitted } from '../members/index.js'
import { TOLD_NAMES } from './notified-sessions.js'
import type { NotifiedApplication } from './stored-logout.js'

// A team that the user has left, or has yet to join, does not get the browser in the middle of their sign-out.
const others = namedQuery<NotifiedApplication, [SessionId[], ApplicationId | null]>(
  'saml_provider.other_applications',
  `SELECT t.application_id AS application, t.name_id AS "nameId", t.name_id_format AS "nameIdFormat", t.session_index AS "sessionIndex"
   FROM ${TOLD_NAMES} t JOIN applications a ON a.id = t.application_id JOIN sessions s ON s.id = t.session_id JOIN users u ON u.id = s.user_id
     JOIN memberships m ON m.user_id = s.user_id AND m.organization_id = a.organization_id
   WHERE t.session_id = ANY($1) AND t.application_id IS DISTINCT FROM $2 AND a.saml_sp_slo_url IS NOT NULL AND a.stopped_at IS NULL
     AND ${isAdmitted('m', 'u', 's.confined_team_id')}
   ORDER BY t.created_at, t.application_id, t.name_id`,
)

/** So many names a browser is sent through; of the others nobody is told, and the answer says so. */
const MOST_HOPS = 20

/**
 * A step: the applications that are to hear of the end of these sessions, once for each name by which they were told of one.
 * @param asking the one that asked knows already
 */
export async function applicationsToNotify(
  tx: Transaction,
  sessions: SessionId[],
  asking: ApplicationId | null,
): Promise<{ left: NotifiedApplication[]; tooMany: boolean }> {
  const told = await tx.run(others, [sessions, asking])
  return { left: told.slice(0, MOST_HOPS), tooMany: told.length > MOST_HOPS }
}
