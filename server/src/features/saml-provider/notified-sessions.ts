import { type Clock, fromNow, MINUTE } from '../../platform/clock.js'
import type { Runner, Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { ApplicationId, SessionId, UserId } from '../../platform/ids.js'
import { NAME_ID_FORMATS, newId } from '../../protocols/saml/index.js'
import type { Name } from './name-ids.js'

/** Every name by which an application was told of a session: the first one, and those that came later. */
export const TOLD_NAMES = `(SELECT session_id, application_id, session_index, name_id, name_id_format, created_at, coalesce(last_used_at, created_at) AS used_at FROM saml_sessions
   UNION ALL SELECT f.session_id, f.application_id, t.session_index, f.name_id, f.name_id_format, f.created_at, coalesce(t.last_used_at, t.created_at)
   FROM saml_further_names f JOIN saml_sessions t ON t.session_id = f.session_id AND t.application_id = f.application_id)`

/** What a session and its user are called towards an application. */
export interface NotifiedName {
  sessionIndex: string
  nameId: string
}

const find = namedQuery<NotifiedName & { usedAt: Date }, [SessionId, ApplicationId, string, string | null]>(
  'saml_provider.told_name',
  `SELECT session_index AS "sessionIndex", name_id AS "nameId", used_at AS "usedAt" FROM ${TOLD_NAMES} told
   WHERE session_id = $1 AND application_id = $2 AND name_id_format = $3 AND ($4::text IS NULL OR name_id = $4) ORDER BY created_at LIMIT 1`,
)
// Holds the row: of many that tell of a session at once each knows what the one before has told.
const hold = namedQuery<never, [SessionId, ApplicationId, string, string, string, Date]>(
  'saml_provider.hold_told_session',
  `INSERT INTO saml_sessions (session_id, application_id, session_index, name_id, name_id_format, created_at)
   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (session_id, application_id) DO UPDATE SET last_used_at = $6`,
)
const addName = namedQuery<never, [SessionId, ApplicationId, string, string, Date]>(
  'saml_provider.add_told_name',
  `INSERT INTO saml_further_names (session_id, application_id, name_id, name_id_format, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT DO NOTHING`,
)
const use = namedQuery<never, [SessionId, ApplicationId, Date, Date]>(
  'saml_provider.use_told_session',
  `UPDATE saml_sessions SET last_used_at = $3
   WHERE session_id = $1 AND application_id = $2 AND coalesce(last_used_at, created_at) < $4`,
)

/** A step: whether the application was told of this very session by that name. */
export const wasNotified = async (
  tx: Transaction,
  { session, application }: { session: SessionId; application: ApplicationId },
  { format, value }: Name,
): Promise<boolean> => (await tx.run(find, [session, application, format, value])).length > 0

/**
 * A step: notes by which name an application is told of a session, and answers it: a passing name is the first one of the session. What
 * was told before is told still: a sign-out may come by any of the names.
 */
export async function recordNotified(
  tx: Transaction,
  clock: Clock,
  { session, application }: { session: SessionId; application: ApplicationId },
  { format, value }: Name,
): Promise<NotifiedName> {
  const named = [session, application, format, format === NAME_ID_FORMATS.transient ? null : value] as const
  // Read first: many sign-ins of one session at once do not wait for each other.
  const [known] = await tx.run(find, named)
  if (known) {
    const minuteAgo = fromNow(clock, -MINUTE)
    if (known.usedAt < minuteAgo) await tx.run(use, [session, application, clock.now(), minuteAgo])
    return known
  }
  await tx.run(hold, [session, application, newId(), value, format, clock.now()])
  const [first] = await tx.run(find, named)
  if (first) return first
  await tx.run(addName, [session, application, value, format, clock.now()])
  const [written] = await tx.run(find, named)
  if (!written) throw new Error('The session was not noted')
  return written
}

const uses = namedQuery<{ application: ApplicationId; at: Date }, [UserId]>(
  'saml_provider.uses',
  `SELECT t.application_id AS application, max(coalesce(t.last_used_at, t.created_at)) AS at
   FROM saml_sessions t JOIN sessions s ON s.id = t.session_id WHERE s.user_id = $1 GROUP BY t.application_id`,
)

/** When a user was last signed in to each application by SAML, as far back as their sessions are kept. */
export const samlUses = async (runner: Runner, user: UserId): Promise<Map<ApplicationId, Date>> =>
  new Map((await runner.run(uses, [user])).map(({ application, at }) => [application, at]))
