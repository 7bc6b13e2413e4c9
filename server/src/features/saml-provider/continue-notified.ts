import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionId } from '../../platform/ids.js'

const continueSession = namedQuery<never, [SessionId, SessionId]>(
  'saml_provider.continue_session',
  `INSERT INTO saml_sessions (session_id, application_id, session_index, name_id, name_id_format, created_at, last_used_at)
   SELECT $2, application_id, session_index, name_id, name_id_format, created_at, last_used_at FROM saml_sessions WHERE session_id = $1`,
)
const continueNames = namedQuery<never, [SessionId, SessionId]>(
  'saml_provider.continue_names',
  `INSERT INTO saml_further_names (session_id, application_id, name_id, name_id_format, created_at)
   SELECT $2, application_id, name_id, name_id_format, created_at FROM saml_further_names WHERE session_id = $1`,
)

/**
 * A step: applications know a session that goes on in another one by the names that they were told of the first: nobody has told them that
 * anything ended.
 */
export async function continueNotified(tx: Transaction, from: SessionId, to: SessionId): Promise<void> {
  await tx.run(continueSession, [from, to])
  await tx.run(continueNames, [from, to])
}
