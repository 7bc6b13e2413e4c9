import type { Clock } from '../../platform/clock.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionId, SsoProviderId } from '../../platform/ids.js'
import type { AccountDeps } from '../authentication/index.js'

// The provider may have been deleted while the sign-in waited for a second factor.
const note = namedQuery<never, [SessionId, SsoProviderId, string, string | null, Date, string | null]>(
  'sso.note_session',
  `INSERT INTO sso_sessions (session_id, provider_id, subject, session_index, created_at, saml_name)
   SELECT $1::uuid, id, $3::text, $4::text, $5::timestamptz, $6::jsonb FROM sso_providers WHERE id = $2`,
)

/** Remembers by what name the provider knows a session, so that it can end it. */
export const recordAsserted =
  ({ clock }: { clock: Clock }): AccountDeps['recordAsserted'] =>
  async (tx, session, { providerId, subject, sessionIndex, samlName }) => {
    await tx.run(note, [
      session,
      providerId,
      subject,
      sessionIndex,
      clock.now(),
      samlName ? JSON.stringify(samlName) : null,
    ])
  }
