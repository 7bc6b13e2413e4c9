import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { ApplicationId, SessionId } from '../../platform/ids.js'
import type { ToldApplication } from './kept-logout.js'
import { TOLD_NAMES } from './told-sessions.js'

const others = namedQuery<ToldApplication, [SessionId[], ApplicationId | null]>(
  'saml_provider.other_applications',
  `SELECT t.application_id AS application, t.name_id AS "nameId", t.name_id_format AS "nameIdFormat", t.session_index AS "sessionIndex"
   FROM ${TOLD_NAMES} t JOIN applications a ON a.id = t.application_id
   WHERE t.session_id = ANY($1) AND t.application_id IS DISTINCT FROM $2 AND a.saml_sp_slo_url IS NOT NULL AND a.stopped_at IS NULL
   ORDER BY t.created_at, t.application_id, t.name_id`,
)

/** So many names a browser is sent through; of the others nobody is told, and the answer says so. */
const MOST_HOPS = 20

/**
 * A step: the applications that are to hear of the end of these sessions, once for each name by which they were told of one.
 * @param asking the one that asked knows already
 */
export async function toBeTold(
  tx: Transaction,
  sessions: SessionId[],
  asking: ApplicationId | null,
): Promise<{ left: ToldApplication[]; tooMany: boolean }> {
  const told = await tx.run(others, [sessions, asking])
  return { left: told.slice(0, MOST_HOPS), tooMany: told.length > MOST_HOPS }
}
