import { type Clock, fromNow, MINUTE } from '../../../platform/clock.js'
import type { Runner, Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, SessionId, TeamId, UserId } from '../../../platform/ids.js'
import { NAME_ID_FORMATS, newId } from '../../../protocols/saml/index.js'
import type { Name } from './name-ids.js'

/** Every NameID that an application received for a session: the first one, and later ones. */
export const NOTIFIED_NAMES = `(SELECT session_id, application_id, session_index, name_id, name_id_format, created_at, coalesce(last_used_at, created_at) AS used_at FROM saml_sessions
   UNION ALL SELECT f.session_id, f.application_id, t.session_index, f.name_id, f.name_id_format, f.created_at, coalesce(t.last_used_at, t.created_at)
   FROM saml_further_names f JOIN saml_sessions t ON t.session_id = f.session_id AND t.application_id = f.application_id)`

/** The names of a session and its user at an application. */
export interface NotifiedName {
  sessionIndex: string
  nameId: string
}

const find = namedQuery<NotifiedName & { usedAt: Date }, [SessionId, ApplicationId, string, string | null]>(
  'saml_provider.told_name',
  `SELECT session_index AS "sessionIndex", name_id AS "nameId", used_at AS "usedAt" FROM ${NOTIFIED_NAMES} notified
   WHERE session_id = $1 AND application_id = $2 AND name_id_format = $3 AND ($4::text IS NULL OR name_id = $4) ORDER BY created_at LIMIT 1`,
)
// The upsert locks the row, so that concurrent sign-ins of one session see each other's NameIDs.
const hold = namedQuery<
  never,
  { session: SessionId; application: ApplicationId; sessionIndex: string; value: string; format: string; now: Date }
>(
  'saml_provider.hold_told_session',
  `INSERT INTO saml_sessions (session_id, application_id, session_index, name_id, name_id_format, created_at)
   VALUES (:session, :application, :sessionIndex, :value, :format, :now) ON CONFLICT (session_id, application_id) DO UPDATE SET last_used_at = :now`,
)
const addName = namedQuery<
  never,
  { session: SessionId; application: ApplicationId; value: string; format: string; now: Date }
>(
  'saml_provider.add_told_name',
  `INSERT INTO saml_further_names (session_id, application_id, name_id, name_id_format, created_at) VALUES (:session, :application, :value, :format, :now)
   ON CONFLICT DO NOTHING`,
)
const use = namedQuery<never, [SessionId, ApplicationId, Date, Date]>(
  'saml_provider.use_told_session',
  `UPDATE saml_sessions SET last_used_at = $3
   WHERE session_id = $1 AND application_id = $2 AND coalesce(last_used_at, created_at) < $4`,
)

/** Whether the application received an assertion for this session with this NameID. Runs in the caller's transaction. */
export const wasNotified = async (
  tx: Transaction,
  { session, application }: { session: SessionId; application: ApplicationId },
  { format, value }: Name,
): Promise<boolean> => (await tx.run(find, [session, application, format, value])).length > 0

/**
 * Records the NameID in an assertion and returns the recorded one: the transient NameID of a session is always its first. Earlier NameIDs
 * stay recorded, because a LogoutRequest may use any of them. Runs in the caller's transaction.
 */
export async function recordNotified(
  tx: Transaction,
  clock: Clock,
  { session, application }: { session: SessionId; application: ApplicationId },
  { format, value }: Name,
): Promise<NotifiedName> {
  const isTransient = format === NAME_ID_FORMATS.transient
  const named: [SessionId, ApplicationId, string, string | null] = [
    session,
    application,
    format,
    isTransient ? null : value,
  ]
  // Read before locking, so that concurrent sign-ins of one session do not wait for each other.
  const [known] = await tx.run(find, named)
  if (known) {
    const minuteAgo = fromNow(clock, -MINUTE)
    if (known.usedAt < minuteAgo) await tx.run(use, [session, application, clock.now(), minuteAgo])
    return known
  }
  await tx.run(hold, { session, application, sessionIndex: newId(), value, format, now: clock.now() })
  const [first] = await tx.run(find, named)
  if (first) return first
  await tx.run(addName, { session, application, value, format, now: clock.now() })
  const [written] = await tx.run(find, named)
  if (!written) throw new Error('The session was not recorded')
  return written
}

const uses = namedQuery<{ application: ApplicationId; at: Date }, [UserId]>(
  'saml_provider.uses',
  `SELECT t.application_id AS application, max(coalesce(t.last_used_at, t.created_at)) AS at
   FROM saml_sessions t JOIN sessions s ON s.id = t.session_id WHERE s.user_id = $1 GROUP BY t.application_id`,
)

/** Returns when a user last signed in to each application by SAML, as far back as sessions are stored. */
export const samlUses = async (runner: Runner, user: UserId): Promise<Map<ApplicationId, Date>> =>
  new Map((await runner.run(uses, [user])).map(({ application, at }) => [application, at]))

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
 * Copies the NameIDs that applications received for a session to the session that continues it: for them, the session did not end. Runs
 * in the caller's transaction.
 */
export async function continueNotified(tx: Transaction, from: SessionId, to: SessionId): Promise<void> {
  await tx.run(continueSession, [from, to])
  await tx.run(continueNames, [from, to])
}

const removeOfTeam = namedQuery<never, [UserId, TeamId]>(
  'saml_provider.end_sessions_in_team',
  `DELETE FROM saml_sessions t USING sessions s, applications a
   WHERE s.id = t.session_id AND a.id = t.application_id AND s.user_id = $1 AND a.organization_id = $2`,
)

/**
 * Removes a user's sessions at the SAML applications of a team: the applications can no longer end these sessions by a LogoutRequest, and
 * are not notified when they end. Runs in the caller's transaction.
 */
export async function endSamlSessions(tx: Transaction, userId: UserId, teamId: TeamId): Promise<void> {
  await tx.run(removeOfTeam, [userId, teamId])
}
