import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionId } from '../../platform/ids.js'

const continueBy = namedQuery<never, [SessionId, SessionId]>(
  'sso.continue_session',
  `INSERT INTO sso_sessions (session_id, provider_id, subject, session_index, saml_name, created_at)
   SELECT $2, provider_id, subject, session_index, saml_name, created_at FROM sso_sessions WHERE session_id = $1`,
)

/** A step: a session that goes on in another one is the provider's as the first was, by the same names. */
export const continueOpened = async (tx: Transaction, from: SessionId, to: SessionId): Promise<void> => {
  await tx.run(continueBy, [from, to])
}
